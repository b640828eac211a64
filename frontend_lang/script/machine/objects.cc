#include "frontend_lang/script/machine/objects.h"

#include <algorithm>
#include <iterator>

#include "frontend_lang/script/classes/object_methods.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/compile/compiler.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/suggest.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

// The dict, which the first call makes.
Outcome<Value> Annotations(Host& host, ScriptFunction& function) {
  const auto* attributes = function.attributes().If<lang::Dict>();
  const Value* found = attributes == nullptr ? nullptr : attributes->FindStr(kAnnotateName);
  Value made = found == nullptr ? host.heap().New<lang::Dict>() : *found;
  if (made.type() == lang::Type::kDict && found != nullptr) return made;
  if (found != nullptr) {
    ESP_TRY_ASSIGN(made, host.Call(Value(made), {}));
  }
  ESP_TRY_ASSIGN([[maybe_unused]] const bool set, function.SetAttr(host, kAnnotateName, made));
  return made;
}

}  // namespace

Outcome<Value> ScriptFunction::GetAttr(Host& host, std::string_view name) {
  if (name == "__name__") {
    return name_.is_unset() ? lang::MakeStr(host.heap(), routine_.short_name) : name_;
  }
  if (name == "__doc__" && !doc_.is_unset()) return doc_;
  if (name == "__doc__") {
    return routine_.doc.empty() ? Value() : lang::MakeStr(host.heap(), routine_.doc);
  }
  if (const auto* set = attributes_.If<lang::Dict>()) {
    if (const Value* found = set->FindStr(name)) return *found;
  }
  if (name == "__annotations__") return Annotations(host, *this);
  if (name == "__qualname__") return lang::MakeStr(host.heap(), routine_.name);
  if (name == "__module__") return lang::MakeStr(host.heap(), file_.module_name);
  return Value::Unset();
}

Outcome<bool> ScriptFunction::SetAttr(Host& host, std::string_view name, Value value) {
  if (name == "__name__" || name == "__doc__") {
    if (name == "__name__" && !value.is_str()) {
      return lang::TypeError("__name__ must be set to a string object");
    }
    SetName(name, std::move(value));
    return true;
  }
  if (name == "__annotations__" && value.type() == lang::Type::kDict) name = kAnnotateName;
  if (attributes_.is_unset()) attributes_ = host.heap().New<lang::Dict>();
  ESP_TRY(host.Step());
  attributes_.As<lang::Dict>()->PutStr(name, std::move(value));
  return true;
}

Outcome<Value> TypeObject::GetAttr(Host& host, std::string_view name) {
  const std::size_t dot = name_.rfind('.');
  if (name == "__name__" || name == "__qualname__") {
    return lang::MakeStr(host.heap(), name_.substr(dot + 1));
  }
  if (name == "__module__") {
    return lang::MakeStr(host.heap(), dot == name_.npos ? "builtins" : name_.substr(0, dot));
  }
  for (const auto& [member, value] : members_) {
    if (member == name) return value;
  }
  const lang::Method* method = find_method_ == nullptr ? nullptr : find_method_(name);
  if (method != nullptr) return host.heap().New<UnboundMethod>(*method, Value(this));
  if (name_ == "dict" && name == "__repr__") {
    return host.heap().New<NativeMethod>(DictReprMethod());
  }
  if (const NativeMethod::Row* row = FindObjectMethod(name)) {
    return host.heap().New<NativeMethod>(*row);
  }
  return lang::Raise("AttributeError", "type object '" + std::string(name_) +
                                           "' has no attribute '" + std::string(name) + "'");
}

Outcome<std::string> UnboundMethod::Repr(Host&) {
  return "<method '" + std::string(method_.name) + "' of '" + std::string(type().name()) +
         "' objects>";
}

Outcome<Value> UnboundMethod::GetAttr(Host& host, std::string_view name) {
  if (name == "__name__") return lang::MakeStr(host.heap(), method_.name);
  return Value::Unset();
}

Outcome<Value> UnboundMethod::Call(Host& host, const Args& args) {
  const std::string name(method_.name), type_name(type().name());
  if (args.positional.empty()) {
    return lang::TypeError("unbound method " + type_name + "." + name + "() needs an argument");
  }
  const Value self = lang::PlainOf(args.positional[0]);
  if (!type().Holds(self)) {
    return lang::TypeError("descriptor '" + name + "' for '" + type_name +
                           "' objects doesn't apply to a '" +
                           std::string(lang::TypeName(args.positional[0])) + "' object");
  }
  return lang::CallMethod(host, method_, self, {args.positional.subspan(1), args.keywords});
}

Outcome<Value> TypeObject::GetItem(Host& host, const Value& key) {
  constexpr std::string_view kGeneric[] = {"list", "tuple", "dict", "set", "frozenset", "type"};
  if (std::ranges::find(kGeneric, name_) == std::end(kGeneric)) {
    return lang::TypeError("type '" + std::string(name_) + "' is not subscriptable");
  }
  return MakeTypeForm(host, Value(this), key);
}

Outcome<Value> TypeObject::Binary(Host& host, lang::BinaryOp op, const Value& other,
                                  lang::Side side) {
  if (op != lang::BinaryOp::kOr) return Value::Unset();
  return UnionOf(host, Value(this), other, side);
}

void Module::AddFunction(std::string_view name, lang::NativeCode code) {
  Add(name, heap().New<lang::NativeFunction>(name, code));
}

Value Module::Find(std::string_view name) const {
  for (const auto& [member, value] : members_) {
    if (member == name) return value;
  }
  return file_ == nullptr ? Value::Unset() : file_->Global(name);
}

Outcome<bool> Module::SetAttr(Host& host, std::string_view name, Value value) {
  ESP_TRY(host.Step());
  if (const int slot = file_ == nullptr ? -1 : file_->SlotOf(name); slot >= 0) {
    file_->globals[static_cast<std::size_t>(slot)] = std::move(value);
    return true;
  }
  const auto known = std::find_if(members_.begin(), members_.end(),
                                  [&](const auto& member) { return member.first == name; });
  if (known != members_.end()) {
    known->second = std::move(value);
  } else {
    Add(name, std::move(value));
  }
  return true;
}

Outcome<Value> Module::GetAttr(Host& host, std::string_view name) {
  if (name == "__name__") return lang::MakeStr(host.heap(), name_);
  Value found = Find(name);
  if (!found.is_unset()) return found;
  std::vector<std::string_view> names;
  for (const auto& [member, value] : members_) names.push_back(member);
  for (std::size_t i = 0; file_ != nullptr && i < file_->globals.size(); ++i) {
    const std::string& global = file_->program->globals[i];
    if (!file_->globals[i].is_unset() && !global.starts_with('_')) names.push_back(global);
  }
  std::ranges::sort(names);
  return lang::RaiseWithHint("AttributeError",
                             "module '" + name_ + "' has no attribute '" + std::string(name) + "'",
                             lang::DidYouMean(lang::ClosestName(name, names)));
}

}  // namespace espalier::script
