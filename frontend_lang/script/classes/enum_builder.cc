#include "frontend_lang/script/classes/enum_builder.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/build_class.h"
#include "frontend_lang/script/classes/construct.h"
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/enum_class.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/hash.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

// A plain value under a plain name, in the class body.
bool MakesMember(const ClassObject::Attribute& attribute) {
  if (attribute.value.is_unset() || attribute.name.starts_with('_')) return false;
  const Value& value = attribute.value;
  if (!value.is_extension() || Exactly<AutoValue>(value) != nullptr ||
      Exactly<AutoExpression>(value) != nullptr) {
    return true;
  }
  return !lang::ExtensionOf(value).BindsAsMethod() && Exactly<Property>(value) == nullptr &&
         Exactly<StaticMethod>(value) == nullptr && Exactly<ClassMethod>(value) == nullptr &&
         Exactly<NativeMethod>(value) == nullptr && value.If<ClassObject>() == nullptr &&
         !IsOwnDescriptor(value);
}

class MemberBuilder {
 public:
  MemberBuilder(Host& host, ClassObject& cls)
      : host_(host), cls_(cls), held_(host.heap().New<EnumMembers>()) {
    members().by_value = host.heap().New<lang::Dict>();
  }

  Outcome<Value> Run() {
    std::vector<std::pair<std::string, Value>> plain;
    for (const ClassObject::Attribute& attribute : cls_.attributes()) {
      if (MakesMember(attribute)) plain.emplace_back(attribute.name, attribute.value);
    }
    for (auto& [name, value] : plain) {
      if (auto* automatic = Exactly<AutoValue>(value)) {
        ESP_TRY_ASSIGN(automatic->value, NextValue(name));
        value = Value(automatic->value);
      } else if (const auto* expression = Exactly<AutoExpression>(value)) {
        const Value held = value;
        ESP_TRY_ASSIGN(value, expression->Evaluate(host_));
      }
      ESP_TRY(Add(name, value));
    }
    if (!members().in_order.empty()) cls_.details = held_;
    return Value(&cls_);
  }

 private:
  EnumMembers& members() const { return *Exactly<EnumMembers>(held_); }

  // What auto() stands for.
  Outcome<Value> NextValue(const std::string& name) {
    std::vector<Value> before;
    for (const Value& member : members().in_order) before.push_back(ValueOfMember(member));
    if (cls_.Find("_generate_next_value_") != nullptr) {
      ESP_TRY_ASSIGN(const Value generate, cls_.GetAttr(host_, "_generate_next_value_"));
      const auto count = static_cast<std::int64_t>(before.size());
      const Value args[] = {lang::MakeStr(host_.heap(), name), Value::Int(1), Value::Int(count),
                            host_.heap().New<lang::List>(std::move(before))};
      return host_.Call(generate, Args{args, {}});
    }
    const bool str_enum = std::ranges::any_of(
        cls_.mro(), [](const ClassObject* at) { return at->name() == "StrEnum"; });
    if (str_enum) {
      return lang::CallAttr(host_, lang::MakeStr(host_.heap(), name), "lower", {});
    }
    std::int64_t largest = 0;
    for (const Value& value : before) {
      if (value.is_integral()) largest = std::max(largest, value.as_int());
    }
    return lang::Binary(host_, lang::BinaryOp::kAdd, Value::Int(largest), Value::Int(1));
  }

  Outcome<Value> Make(const Value& value, const std::vector<Value>& args) {
    if (const Value* found = cls_.Find(Special::kNew)) {
      const auto* method = Exactly<StaticMethod>(*found);
      const Value function = method != nullptr ? method->function : *found;
      std::vector<Value> with_class{Value(&cls_)};
      with_class.insert(with_class.end(), args.begin(), args.end());
      ESP_TRY_ASSIGN(Value made, host_.Call(function, Args{with_class, {}}));
      if (made.If<Instance>() == nullptr) return TypeError("__new__ must return a member");
      return made;
    }
    const Value made = host_.heap().New<Instance>(cls_);
    if (cls_.payload_type().is_unset()) return made;
    ESP_TRY_ASSIGN(made.As<Instance>()->payload,
                   lang::ExtensionOf(cls_.payload_type()).Call(host_, Args{args, {}}));
    (void)value;
    return made;
  }

  Fault Add(const std::string& name, const Value& value) {
    const auto* tuple = value.If<lang::Tuple>();
    const std::vector<Value> args = tuple != nullptr ? tuple->items() : std::vector<Value>{value};
    ESP_TRY_ASSIGN(const Value made, Make(value, args));
    Instance& member = *made.As<Instance>();
    if (member.FindOwn("_value_") == nullptr) {
      const bool plain = member.payload.is_unset() || tuple == nullptr;
      ESP_TRY(member.PutOwn(host_, "_value_", plain ? value : member.payload));
    }
    ESP_TRY(member.PutOwn(host_, "_name_", lang::MakeStr(host_.heap(), name)));
    ESP_TRY_ASSIGN(const bool alias, AddAlias(name, ValueOfMember(made)));
    if (alias) return Fault();
    if (cls_.Find(Special::kInit) != nullptr) {
      ESP_TRY_ASSIGN(const Value ignored, member.CallSpecial(host_, Special::kInit, args));
      (void)ignored;
    }
    return Register(name, made);
  }

  // Whether a member has that value: then the name is another one for it.
  Outcome<bool> AddAlias(const std::string& name, const Value& value) {
    cls_.details = held_;
    ESP_TRY_ASSIGN(const Value same, FindMember(host_, cls_, value));
    if (same.is_unset()) return false;
    const auto at = std::ranges::find_if(members().in_order,
                                         [&](const Value& member) { return member.Is(same); });
    members().names.emplace_back(name, static_cast<std::size_t>(at - members().in_order.begin()));
    cls_.Put(name, same);
    return true;
  }

  Fault Register(const std::string& name, const Value& member) {
    const std::size_t at = members().in_order.size();
    members().in_order.push_back(member);
    members().names.emplace_back(name, at);
    cls_.Put(name, member);
    const Value value = ValueOfMember(member);
    if (!lang::Hash(host_, value).ok()) return Fault();
    return members().by_value.As<lang::Dict>()->Put(host_, value,
                                                    Value::Int(static_cast<std::int64_t>(at)));
  }

  Host& host_;
  ClassObject& cls_;
  Value held_;  // EnumMembers
};

}  // namespace

namespace {

Outcome<Value> Combined(Host& host, lang::BinaryOp op, const Value& self, const Value& other,
                        lang::Side side) {
  const bool left = side == lang::Side::kLeft;
  return host.heap().New<AutoExpression>(op, left ? self : other, left ? other : self);
}

}  // namespace

Outcome<Value> AutoValue::Binary(Host& host, lang::BinaryOp op, const Value& other,
                                 lang::Side side) {
  return Combined(host, op, Value(this), other, side);
}

Outcome<Value> AutoExpression::Binary(Host& host, lang::BinaryOp op, const Value& other,
                                      lang::Side side) {
  return Combined(host, op, Value(this), other, side);
}

Outcome<Value> AutoExpression::Evaluate(Host& host) const {
  lang::NestedScope scope(host);
  ESP_TRY(scope.Check());
  Value parts[] = {left_, right_};
  for (Value& part : parts) {
    const Value held = part;
    if (const auto* automatic = Exactly<AutoValue>(held)) part = automatic->value;
    if (const auto* expression = Exactly<AutoExpression>(held)) {
      ESP_TRY_ASSIGN(part, expression->Evaluate(host));
    }
    if (part.is_unset()) return TypeError("auto() has no value here");
  }
  return lang::Binary(host, op_, parts[0], parts[1]);
}

Outcome<Value> BuildMembers(Host& host, ClassObject& cls) {
  for (const Value& base : cls.bases()) {
    const ClassObject& extended = *base.As<ClassObject>();
    if (MembersOf(extended) == nullptr) continue;
    return TypeError(
        fmt::format("<enum '{}'> cannot extend <enum '{}'>", cls.name(), extended.name()));
  }
  return MemberBuilder(host, cls).Run();
}

Outcome<Value> EnumFromNames(Host& host, ClassObject& base, const Args& args) {
  ESP_TRY(CheckPositional(base.name(), args, 2, 2));
  if (!args.positional[0].is_str()) return TypeError("the name of an enumeration is a str");
  const std::string name(lang::TextOf(args.positional[0]));
  ClassBody body{name, name, ""};
  body.bases = host.heap().New<lang::Tuple>(std::vector<Value>{Value(&base)});
  body.keywords = host.heap().New<lang::Dict>();
  body.annotations = host.heap().New<lang::Dict>();
  Value names = args.positional[1];
  if (names.is_str()) {
    const Value comma = lang::MakeStr(host.heap(), std::string(","));
    const Value blank = lang::MakeStr(host.heap(), std::string(" "));
    const Value replace[] = {comma, blank};
    ESP_TRY_ASSIGN(names, lang::CallAttr(host, names, "replace", Args{replace, {}}));
    ESP_TRY_ASSIGN(names, lang::CallAttr(host, names, "split", {}));
  }
  ESP_TRY_ASSIGN(const auto items, lang::Collect(host, names));
  for (const Value& item : items) {
    Value member = item, value = host.heap().New<AutoValue>();
    if (const auto* pair = item.If<lang::Tuple>(); pair != nullptr && pair->size() == 2) {
      member = (*pair)[0];
      value = (*pair)[1];
    } else if (const auto* dict = names.If<lang::Dict>()) {
      ESP_TRY_ASSIGN(const Value* found, dict->Find(host, item));
      value = *found;
    }
    if (!member.is_str()) return TypeError("the names of members are str");
    body.attributes.emplace_back(lang::TextOf(member), std::move(value));
  }
  return BuildClass(host, body, nullptr);
}

}  // namespace espalier::script
