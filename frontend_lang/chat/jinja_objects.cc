#include "frontend_lang/chat/jinja_objects.h"

#include <algorithm>

#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::jinja {
namespace {

std::string ObjectName(const Value& object) {
  if (object.is_none()) return "None";
  return std::string(lang::TypeName(object)) + " object";
}

// Whether an error means "there is none" to a lookup that forgives.
bool IsMissing(const lang::LangError& error) {
  if (error.kind == lang::LangError::Kind::kLimit) return false;
  return error.type == "KeyError" || error.type == "IndexError" || error.type == "TypeError" ||
         error.type == "AttributeError";
}

Outcome<Value> ChangedCode(Host& host, const Value& self, const Args& args) {
  Value value = host.heap().New<lang::Tuple>(
      std::vector<Value>(args.positional.begin(), args.positional.end()));
  ESP_TRY_ASSIGN(const bool changed, self.IfExtension<Loop>()->Changed(host, value));
  return Value::Bool(changed);
}

Outcome<Value> CycleCode(Host&, const Value& self, const Args& args) {
  if (args.positional.empty()) return lang::TypeError("no items for cycling given");
  return self.IfExtension<Loop>()->Cycle(args.positional);
}

Outcome<Value> NextCode(Host&, const Value& self, const Args&) {
  return self.IfExtension<Cycler>()->Next();
}

Outcome<Value> ResetCode(Host&, const Value& self, const Args&) {
  self.IfExtension<Cycler>()->Reset();
  return Value();
}

}  // namespace

Outcome<Value> Undefined::Iterate(Host& host) {
  return lang::Iterate(host, host.heap().New<lang::Tuple>());
}

Outcome<Value> Undefined::Compare(Host&, lang::CompareOp op, const Value&) {
  if (op == lang::CompareOp::kEq || op == lang::CompareOp::kNe) return Value::Unset();
  return Error();
}

Outcome<Value> Namespace::GetAttr(Host&, std::string_view name) {
  const Value* found = attributes().FindStr(name);
  return found != nullptr ? *found : Value::Unset();
}
Outcome<bool> Namespace::SetAttr(Host&, std::string_view name, Value value) {
  attributes().PutStr(name, std::move(value));
  return true;
}
Outcome<Value> Namespace::GetItem(Host& host, const Value& key) {
  return lang::GetItem(host, attributes_, key);
}

Outcome<Value> Loop::GetAttr(Host& host, std::string_view name) {
  const auto size = static_cast<std::int64_t>(items_.size());
  const auto index0 = static_cast<std::int64_t>(index_);
  if (name == "index") return Value::Int(index0 + 1);
  if (name == "index0") return Value::Int(index0);
  if (name == "revindex") return Value::Int(size - index0);
  if (name == "revindex0") return Value::Int(size - index0 - 1);
  if (name == "first") return Value::Bool(index_ == 0);
  if (name == "last") return Value::Bool(index_ + 1 == items_.size());
  if (name == "length") return Value::Int(size);
  if (name == "depth") return Value::Int(depth0_ + 1);
  if (name == "depth0") return Value::Int(depth0_);
  if (name == "previtem") {
    return index_ > 0 ? items_[index_ - 1] : MakeUndefined(host, "there is no previous item");
  }
  if (name == "nextitem") {
    return index_ + 1 < items_.size() ? items_[index_ + 1]
                                      : MakeUndefined(host, "there is no next item");
  }
  if (name == "changed")
    return heap().New<lang::NativeFunction>("changed", ChangedCode, Value(this));
  if (name == "cycle") return heap().New<lang::NativeFunction>("cycle", CycleCode, Value(this));
  return Value::Unset();
}

Outcome<bool> Loop::Changed(Host& host, const Value& value) {
  if (!last_changed_.is_unset()) {
    ESP_TRY_ASSIGN(const bool same, lang::Same(host, last_changed_, value));
    if (same) return false;
  }
  last_changed_ = value;
  return true;
}

Outcome<Value> Loop::Call(Host& host, const Args& args) {
  if (recursion_.is_none()) {
    return lang::TypeError("The loop must have the 'recursive' marker to be called recursively.");
  }
  return host.Call(recursion_, args);
}

void Loop::Clear() {
  items_.clear();
  recursion_ = last_changed_ = Value();
}

Outcome<Value> Joiner::Call(Host& host, const Args&) {
  return std::exchange(used_, true) ? separator_ : host.heap().EmptyStr();
}

Value Cycler::Next() {
  const Value value = values_[index_];
  index_ = (index_ + 1) % values_.size();
  return value;
}

Outcome<Value> Cycler::GetAttr(Host&, std::string_view name) {
  if (name == "current") return values_[index_];
  if (name == "next") return heap().New<lang::NativeFunction>("next", NextCode, Value(this));
  if (name == "reset") return heap().New<lang::NativeFunction>("reset", ResetCode, Value(this));
  return Value::Unset();
}

Group::Group(lang::Heap& heap, Value grouper, std::vector<Value> items)
    : Extension(heap, lang::Type::kExtension),
      pair_(heap.New<lang::Tuple>(
          std::vector<Value>{std::move(grouper), heap.New<lang::List>(std::move(items))})) {}

Outcome<bool> Group::Equals(Host& host, const Value& other) {
  const auto* group = other.IfExtension<Group>();
  return lang::Equals(host, pair_, group != nullptr ? group->pair_ : other);
}

Outcome<std::string> Group::Repr(Host& host) { return lang::Repr(host, pair_); }

Outcome<Value> Group::GetAttr(Host&, std::string_view name) {
  const lang::Tuple& pair = *pair_.As<lang::Tuple>();
  return name == "grouper" ? pair[0] : name == "list" ? pair[1] : Value::Unset();
}

Outcome<Value> Group::GetItem(Host& host, const Value& key) {
  return lang::GetItem(host, pair_, key);
}

Outcome<Value> Group::Iterate(Host& host) { return lang::Iterate(host, pair_); }

Value MakeUndefined(Host& host, std::string message) {
  return host.heap().New<Undefined>(std::move(message));
}

Outcome<Value> LookUpAttribute(Host& host, const Value& object, std::string_view name) {
  const bool method = !object.is_extension() && lang::FindMethod(object.type(), name) != nullptr;
  if (method) return lang::GetAttr(host, object, name);
  if (object.is_extension()) {
    ESP_TRY_ASSIGN(Value attribute, lang::ExtensionOf(object).GetAttr(host, name));
    if (!attribute.is_unset()) return attribute;
  } else if (const lang::Dict* dict = object.If<lang::Dict>()) {
    if (const Value* found = dict->FindStr(name)) return *found;
  }
  return MakeUndefined(host,
                       "'" + ObjectName(object) + "' has no attribute " + lang::ReprStr(name));
}

Outcome<Value> LookUpItem(Host& host, const Value& object, const Value& key) {
  if (const auto* undefined = object.IfExtension<Undefined>()) return undefined->Error();
  Outcome<Value> item = lang::GetItem(host, object, key);
  if (item.ok() || !IsMissing(item.error())) return item;
  if (key.is_str()) return LookUpAttribute(host, object, lang::TextOf(key));
  ESP_TRY_ASSIGN(const std::string text, lang::Repr(host, key));
  return MakeUndefined(host, ObjectName(object) + " has no element " + text);
}

Outcome<Value> LookUpPath(Host& host, const Value& object, const Value& path) {
  if (!path.is_str()) return LookUpItem(host, object, path);
  std::string_view rest = lang::TextOf(path);
  Value value = object;
  while (true) {
    ESP_TRY(host.Step());
    const std::string_view part = rest.substr(0, rest.find('.'));
    const bool number = !part.empty() && part.size() < 10 &&
                        part.find_first_not_of("0123456789") == std::string_view::npos;
    const Value key =
        number ? Value::Int(std::stol(std::string(part))) : lang::MakeStr(host.heap(), part);
    ESP_TRY_ASSIGN(value, LookUpItem(host, value, key));
    if (part.size() == rest.size()) return value;
    rest.remove_prefix(part.size() + 1);
  }
}

}  // namespace espalier::jinja
