#include "frontend_lang/script/classes/type_forms.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "frontend_lang/script/classes/class_object.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/repr.h"

namespace espalier::script {
namespace {

bool IsType(const Value& value) {
  return value.is_none() || value.If<ClassObject>() != nullptr ||
         Exactly<TypeObject>(value) != nullptr || Exactly<ErrorType>(value) != nullptr ||
         Exactly<TypingName>(value) != nullptr || Exactly<TypeForm>(value) != nullptr;
}

bool IsUnion(const Value& value) {
  const auto* form = Exactly<TypeForm>(value);
  return form != nullptr && form->origin_name() == "Union";
}

// Adds the members of a type to a union: each once, unions within flat.
Fault AddMember(Host& host, const Value& type, std::vector<Value>& to) {
  if (IsUnion(type)) {
    for (const Value& part : Exactly<TypeForm>(type)->args()) ESP_TRY(AddMember(host, part, to));
    return Fault();
  }
  for (const Value& known : to) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const bool same, lang::Same(host, known, type));
    if (same) return Fault();
  }
  to.push_back(type);
  return Fault();
}

// Whether T | U with it is CPython's own union, not one of typing.
bool IsPlainType(const Value& value) {
  const auto* form = Exactly<TypeForm>(value);
  if (form == nullptr) return Exactly<TypingName>(value) == nullptr;
  if (form->spelling() == TypeForm::Spelling::kBar) return true;
  return form->spelling() != TypeForm::Spelling::kTyping &&
         Exactly<TypingName>(form->origin()) == nullptr;
}

Outcome<Value> MakeUnion(Host& host, const std::vector<Value>& types,
                         TypeForm::Spelling spelling = TypeForm::Spelling::kTyping) {
  std::vector<Value> members;
  for (const Value& type : types) ESP_TRY(AddMember(host, type, members));
  if (members.size() == 1) return members[0];
  const Value name = static_cast<Machine&>(host).Builtin(".Union");
  return host.heap().New<TypeForm>(name, std::move(members), spelling);
}

Outcome<std::string> TypeText(Host& host, const Value& type) {
  if (type.is_none()) return std::string("None");
  if (const auto* known = Exactly<TypeObject>(type)) {
    return std::string(known->name() == "NoneType" ? "None" : known->name());
  }
  if (const auto* cls = type.If<ClassObject>()) return cls->FullName();
  if (const auto* error = Exactly<ErrorType>(type)) return std::string(error->kind().name);
  return lang::Repr(host, type);
}

// list -> typing.List
std::string TypingNameOf(const std::string& type) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"dict", "Dict"}, {"frozenset", "FrozenSet"}, {"list", "List"},
      {"set", "Set"},   {"tuple", "Tuple"},         {"type", "Type"}};
  const auto* found =
      std::ranges::find(kNames, type, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(kNames) ? type : "typing." + std::string(found->second);
}

}  // namespace

Outcome<Value> TypingName::GetItem(Host& host, const Value& key) {
  return MakeTypeForm(host, Value(this), key);
}

Outcome<Value> TypingName::Binary(Host& host, lang::BinaryOp op, const Value& other,
                                  lang::Side side) {
  if (op != lang::BinaryOp::kOr) return Value::Unset();
  return UnionOf(host, Value(this), other, side);
}

Outcome<Value> TypingName::Call(Host& host, const Args& args) {
  if (!alias_.is_unset()) return host.Call(Value(alias_), args);
  return lang::TypeError("Cannot instantiate typing." + std::string(name_));
}

std::string_view TypeForm::origin_name() const {
  if (const auto* name = Exactly<TypingName>(origin_)) return name->name();
  if (const auto* type = Exactly<TypeObject>(origin_)) return type->name();
  if (const auto* cls = origin_.If<ClassObject>()) return cls->name();
  return "";
}

Outcome<bool> TypeForm::Equals(Host& host, const Value& other) {
  const auto* form = Exactly<TypeForm>(other);
  if (form == nullptr || !form->origin_.Is(origin_) || form->args_.size() != args_.size()) {
    return false;
  }
  lang::NestedScope scope(host);
  ESP_TRY(scope.Check());
  for (std::size_t i = 0; i < args_.size(); ++i) {
    ESP_TRY_ASSIGN(const bool same, lang::Same(host, args_[i], form->args_[i]));
    if (!same) return false;
  }
  return true;
}

Outcome<std::string> TypeForm::Repr(Host& host) {
  std::vector<std::string> parts;
  for (const Value& arg : args_) {
    ESP_TRY_ASSIGN(std::string text, TypeText(host, arg));
    const bool full = arg.is_none() && spelling_ == Spelling::kTyping;
    parts.push_back(full ? "NoneType" : std::move(text));
  }
  ESP_TRY_ASSIGN(std::string out, TypeText(host, origin_));
  if (spelling_ == Spelling::kTyping) out = TypingNameOf(out);
  if (spelling_ == Spelling::kBar) return fmt::format("{}", fmt::join(parts, " | "));
  if (origin_name() == "Union" && parts.size() == 2 && parts[1] == "NoneType") {
    return "typing.Optional[" + parts[0] + "]";
  }
  out += '[';
  for (std::size_t i = 0; i < parts.size(); ++i) out += (i > 0 ? ", " : "") + parts[i];
  return out + ']';
}

Outcome<Value> TypeForm::Binary(Host& host, lang::BinaryOp op, const Value& other,
                                lang::Side side) {
  if (op != lang::BinaryOp::kOr) return Value::Unset();
  return UnionOf(host, Value(this), other, side);
}

Outcome<Value> UnionOf(Host& host, const Value& self, const Value& other, lang::Side side) {
  if (!IsType(other)) return Value::Unset();
  const auto spelling = IsPlainType(self) && IsPlainType(other) ? TypeForm::Spelling::kBar
                                                                : TypeForm::Spelling::kTyping;
  if (side == lang::Side::kLeft) return MakeUnion(host, {self, other}, spelling);
  return MakeUnion(host, {other, self}, spelling);
}

Outcome<Value> MakeTypeForm(Host& host, const Value& origin, const Value& key) {
  std::vector<Value> args{key};
  if (const auto* tuple = key.If<lang::Tuple>()) args = tuple->items();
  if (const auto* name = Exactly<TypingName>(origin)) {
    if (name->name() == "Optional") args.push_back(Value());
    if (name->name() == "Optional" || name->name() == "Union") return MakeUnion(host, args);
    if (!name->alias().is_unset()) {
      return host.heap().New<TypeForm>(name->alias(), std::move(args), TypeForm::Spelling::kTyping);
    }
  }
  return host.heap().New<TypeForm>(origin, std::move(args));
}

}  // namespace espalier::script
