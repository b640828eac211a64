#include "frontend_lang/script/classes/enum_class.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/build_class.h"
#include "frontend_lang/script/classes/construct.h"
#include "frontend_lang/script/classes/enum_builder.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/hash.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/format_spec.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

class EnumMetatype final : public Metatype {
 public:
  std::string_view name() const override { return "EnumType"; }
  Outcome<Value> Finish(Host& host, ClassObject& made, const Value&) const override {
    return BuildMembers(host, made);
  }
  Outcome<Value> Call(Host& host, ClassObject& cls, const Args& args) const override;
  Outcome<std::string> Repr(Host&, ClassObject& cls) const override {
    return "<enum '" + cls.qualified_name() + "'>";
  }
  Outcome<Value> GetAttr(Host& host, ClassObject& cls, std::string_view name) const override;
  Fault CheckChange(const ClassObject& cls, std::string_view name, Change change) const override;
  Outcome<Value> GetItem(Host& host, ClassObject& cls, const Value& key) const override;
  Outcome<Value> Iterate(Host& host, ClassObject& cls) const override;
  Outcome<Value> Length(Host&, ClassObject& cls) const override;
  Outcome<Value> Contains(Host&, ClassObject& cls, const Value& item) const override {
    const auto* instance = item.If<Instance>();
    if (instance != nullptr) return Value::Bool(instance->cls().DerivesFrom(cls));
    return TypeError(fmt::format("unsupported operand type(s) for 'in': '{}' and 'EnumType'",
                                 lang::TypeName(item)));
  }
};

const Metatype& EnumClasses() {
  static const EnumMetatype kEnums;
  return kEnums;
}

// The members that iteration gives: of a Flag those of one bit.
std::vector<Value> ListedMembers(const ClassObject& cls) {
  const EnumMembers* members = MembersOf(cls);
  if (members == nullptr) return {};
  const bool is_flag = std::ranges::any_of(cls.mro(), [](const ClassObject* at) {
    return at->name() == "Flag" && at->module() == "enum";
  });
  if (!is_flag) return members->in_order;
  std::vector<Value> listed;
  for (const Value& member : members->in_order) {
    const Value value = ValueOfMember(member);
    if (!value.is_int()) continue;
    if (std::has_single_bit(static_cast<std::uint64_t>(value.as_int()))) listed.push_back(member);
  }
  return listed;
}

const Value* NamedMember(const ClassObject& cls, std::string_view name) {
  const EnumMembers* members = MembersOf(cls);
  if (members == nullptr) return nullptr;
  for (const auto& [known, at] : members->names) {
    if (known == name) return &members->in_order[at];
  }
  return nullptr;
}

Outcome<Value> EnumMetatype::GetAttr(Host& host, ClassObject& cls, std::string_view name) const {
  if (name == "__members__") {
    const Value made = host.heap().New<lang::Dict>();
    const EnumMembers* members = MembersOf(cls);
    if (members == nullptr) return made;
    for (const auto& [known, at] : members->names) {
      made.As<lang::Dict>()->PutStr(known, members->in_order[at]);
    }
    return made;
  }
  const Value* found = cls.Find(name);
  const bool of_member = found != nullptr && Exactly<Property>(*found) != nullptr;
  if (!of_member && (found != nullptr || name.starts_with("__"))) return Value::Unset();
  return lang::Raise("AttributeError", std::string(name));
}

Fault EnumMetatype::CheckChange(const ClassObject& cls, std::string_view name,
                                Change change) const {
  if (NamedMember(cls, name) == nullptr) return Fault();
  if (change == Change::kSet) {
    return lang::Raise("AttributeError", fmt::format("cannot reassign member '{}'", name));
  }
  return lang::Raise("AttributeError",
                     fmt::format("'{}' cannot delete member '{}'.", cls.name(), name));
}

Outcome<Value> EnumMetatype::GetItem(Host& host, ClassObject& cls, const Value& key) const {
  const Value* found = key.is_str() ? NamedMember(cls, lang::TextOf(key)) : nullptr;
  if (found != nullptr) return *found;
  ESP_TRY_ASSIGN(std::string text, lang::Repr(host, key));
  return lang::RaiseWith("KeyError", std::move(text), key);
}

Outcome<Value> EnumMetatype::Iterate(Host& host, ClassObject& cls) const {
  return lang::Iterate(host, host.heap().New<lang::List>(ListedMembers(cls)));
}

Outcome<Value> EnumMetatype::Length(Host&, ClassObject& cls) const {
  return Value::Int(static_cast<std::int64_t>(ListedMembers(cls).size()));
}

// Color(1); or Enum("Color", "RED GREEN"), which makes a class.
Outcome<Value> EnumMetatype::Call(Host& host, ClassObject& cls, const Args& args) const {
  if (MembersOf(cls) == nullptr) return EnumFromNames(host, cls, args);
  ESP_TRY(CheckPositional(cls.name(), args, 1, 1));
  const Value value = args.positional[0];
  if (const auto* instance = value.If<Instance>(); instance && &instance->cls() == &cls) {
    return value;
  }
  ESP_TRY_ASSIGN(Value found, FindMember(host, cls, value));
  if (!found.is_unset()) return found;
  if (cls.Find("_missing_") != nullptr) {
    ESP_TRY_ASSIGN(const Value missing, cls.GetAttr(host, "_missing_"));
    ESP_TRY_ASSIGN(found, host.Call(missing, Args{{&value, 1}, {}}));
    if (!found.is_none()) return found;
  }
  ESP_TRY_ASSIGN(const std::string text, lang::Repr(host, value));
  return lang::ValueError(fmt::format("{} is not a valid {}", text, cls.qualified_name()));
}

// ---- The methods of members.

Outcome<std::string> NameOfMember(const Value& self) {
  const auto* instance = self.If<Instance>();
  const Value* name = instance == nullptr ? nullptr : instance->FindOwn("_name_");
  if (name == nullptr || !name->is_str()) return TypeError("this is no member of an enumeration");
  return std::string(lang::TextOf(*name));
}

Fault CheckMember(const Value& self) {
  ESP_TRY_ASSIGN([[maybe_unused]] const std::string name, NameOfMember(self));
  return Fault();
}

Outcome<Value> Name(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(std::string name, NameOfMember(self));
  return lang::MakeStr(host.heap(), std::move(name));
}

Outcome<Value> ValueMethod(Host&, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(const std::string name, NameOfMember(self));
  return ValueOfMember(self);
}

Outcome<Value> Repr(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(const std::string name, NameOfMember(self));
  ESP_TRY_ASSIGN(const std::string value, lang::Repr(host, ValueOfMember(self)));
  return lang::MakeStr(host.heap(),
                       fmt::format("<{}.{}: {}>", self.As<Instance>()->cls().name(), name, value));
}

Outcome<Value> Str(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(const std::string name, NameOfMember(self));
  return lang::MakeStr(host.heap(), self.As<Instance>()->cls().name() + "." + name);
}

Fault CheckFormat(const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__format__", args, 1, 1));
  ESP_TRY(CheckMember(self));
  if (args.positional[0].is_str()) return Fault();
  return lang::TypeError("__format__() argument must be str, not " +
                         std::string(lang::TypeName(args.positional[0])));
}

Outcome<Value> Format(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckFormat(self, args));
  ESP_TRY_ASSIGN(std::string text, self.As<Instance>()->Text(host));
  ESP_TRY_ASSIGN(text, lang::Format(host, lang::MakeStr(host.heap(), std::move(text)),
                                    lang::TextOf(args.positional[0])));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> Hash(Host& host, const Value& self, const Args&) {
  ESP_TRY(CheckMember(self));
  const Value& payload = self.As<Instance>()->payload;
  ESP_TRY_ASSIGN(const Value name, Name(host, self, {}));
  ESP_TRY_ASSIGN(const std::uint64_t hash, lang::Hash(host, payload.is_unset() ? name : payload));
  return Value::Int(static_cast<std::int64_t>(hash));
}

// Of IntEnum and StrEnum: members look like their values.
Outcome<Value> PlainStr(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(std::string text, lang::Text(host, Value(lang::PlainOf(self))));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> PlainFormat(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckFormat(self, args));
  if (lang::TextOf(args.positional[0]).empty()) {  // then as str(), which may be its own
    ESP_TRY_ASSIGN(std::string text, self.As<Instance>()->Text(host));
    return lang::MakeStr(host.heap(), std::move(text));
  }
  ESP_TRY_ASSIGN(std::string text,
                 lang::Format(host, Value(lang::PlainOf(self)), lang::TextOf(args.positional[0])));
  return lang::MakeStr(host.heap(), std::move(text));
}

constexpr NativeMethod::Row kMethods[] = {
    {"__repr__", Repr}, {"__str__", Str}, {"__format__", Format}, {"__hash__", Hash}};
constexpr NativeMethod::Row kPlainMethods[] = {{"__str__", PlainStr}, {"__format__", PlainFormat}};
constexpr NativeMethod::Row kName = {"name", Name}, kValue = {"value", ValueMethod};

// @unique
Outcome<Value> Unique(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("unique", args, 1, 1));
  const auto* cls = args.positional[0].If<ClassObject>();
  const EnumMembers* members = cls == nullptr ? nullptr : MembersOf(*cls);
  if (members == nullptr) return args.positional[0];
  std::string aliases;
  std::vector<const std::string*> first(members->in_order.size());
  for (const auto& [name, at] : members->names) {
    if (first[at] == nullptr) {
      first[at] = &name;
      continue;
    }
    aliases += fmt::format("{}{} -> {}", aliases.empty() ? "" : ", ", name, *first[at]);
  }
  if (aliases.empty()) return args.positional[0];
  return lang::ValueError(
      fmt::format("duplicate values found in <enum '{}'>: {}", cls->qualified_name(), aliases));
}

Outcome<Value> Auto(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("auto", args, 0, 0));
  return host.heap().New<AutoValue>();
}

// class IntEnum(int, Enum)
Value WithPayload(Machine& machine, std::string_view name, std::string_view type,
                  const Value& base) {
  ClassObject::Parts parts{std::string(name), std::string(name), "", {base}, {}};
  parts.mro = base.As<ClassObject>()->mro();
  parts.metatype = &EnumClasses();
  parts.payload_type = machine.Builtin(type);
  Value made = machine.heap().New<ClassObject>(std::move(parts));
  made.As<ClassObject>()->meta = base.As<ClassObject>()->meta;
  for (const NativeMethod::Row& row : kPlainMethods) {
    made.As<ClassObject>()->Put(row.name, machine.heap().New<NativeMethod>(row));
  }
  return made;
}

}  // namespace

const EnumMembers* MembersOf(const ClassObject& cls) { return Exactly<EnumMembers>(cls.details); }

Value ValueOfMember(const Value& member) {
  const Value* value = member.As<Instance>()->FindOwn("_value_");
  return value == nullptr ? Value() : *value;
}

Outcome<Value> FindMember(Host& host, const ClassObject& cls, const Value& value) {
  const EnumMembers& members = *MembersOf(cls);
  const Value plain = lang::PlainOf(value);
  if (lang::Hash(host, plain).ok()) {
    ESP_TRY_ASSIGN(const Value* at, members.by_value.As<lang::Dict>()->Find(host, plain));
    return at == nullptr ? Value::Unset()
                         : members.in_order[static_cast<std::size_t>(at->as_int())];
  }
  for (const Value& member : members.in_order) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const bool same, lang::Same(host, ValueOfMember(member), plain));
    if (same) return member;
  }
  return Value::Unset();
}

Value MakeEnumModule(Machine& machine) {
  Heap& heap = machine.heap();
  const Value base = NativeClass(heap, "Enum", EnumClasses(), kMethods);
  for (const NativeMethod::Row* row : {&kName, &kValue}) {
    base.As<ClassObject>()->Put(row->name, heap.New<Property>(heap.New<NativeMethod>(*row)));
  }
  ClassObject::Parts parts{"EnumType", "EnumType", "", {}, {}};
  parts.payload_type = machine.Builtin("type");
  parts.module = "enum";
  const Value meta = heap.New<ClassObject>(std::move(parts));
  base.As<ClassObject>()->meta = meta;
  const Value value = heap.New<Module>("_enum");
  auto& module = *Exactly<Module>(value);
  module.Add("Enum", base);
  module.Add("IntEnum", WithPayload(machine, "IntEnum", "int", base));
  module.Add("StrEnum", WithPayload(machine, "StrEnum", "str", base));
  module.Add("EnumType", meta);
  module.AddFunction("auto", Auto);
  module.AddFunction("unique", Unique);
  return value;
}

}  // namespace espalier::script
