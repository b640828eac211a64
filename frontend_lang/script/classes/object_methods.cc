#include "frontend_lang/script/classes/object_methods.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/construct.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/classes/metaclass.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/dict_operations.h"
#include "frontend_lang/script/values/hash.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set_operations.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

Outcome<Instance*> InstanceOf(const Value& self, std::string_view method) {
  if (auto* instance = dynamic_cast<Instance*>(self.on_heap() ? self.object() : nullptr)) {
    return instance;
  }
  return TypeError(fmt::format("descriptor '{}' requires an instance of a class, not '{}'", method,
                               lang::TypeName(self)));
}

Outcome<Value> Init(Host& host, const Value& self, const Args& args) {
  if (self.If<ClassObject>() != nullptr) return Value();  // type's own
  ESP_TRY_ASSIGN(Instance* const instance, InstanceOf(self, "__init__"));
  return InitDefault(host, *instance, args);
}

// cls.__new__(cls, ...)
Outcome<Value> New(Host& host, const Value& self, const Args& args) {
  auto* cls = self.If<ClassObject>();
  if (cls == nullptr) return TypeError("object.__new__(X): X is not a type object");
  if (IsMetaclass(*cls)) return NewClass(host, cls, args);
  return Allocate(host, *cls, args);
}

Outcome<Value> Repr(Host& host, const Value& self, const Args&) {
  if (auto* cls = self.If<ClassObject>()) {
    ESP_TRY_ASSIGN(std::string shown, OrdinaryClasses().Repr(host, *cls));
    return lang::MakeStr(host.heap(), std::move(shown));
  }
  ESP_TRY_ASSIGN(Instance* const instance, InstanceOf(self, "__repr__"));
  ESP_TRY_ASSIGN(std::string text, instance->DefaultRepr(host));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> Str(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(Instance* const instance, InstanceOf(self, "__str__"));
  ESP_TRY_ASSIGN(std::string text, instance->DefaultText(host));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> FormatMethod(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__format__", args, 1, 1));
  ESP_TRY_ASSIGN(Instance* const instance, InstanceOf(self, "__format__"));
  ESP_TRY_ASSIGN(std::string text, instance->Format(host, args.positional[0].is_str()
                                                              ? lang::TextOf(args.positional[0])
                                                              : std::string_view()));
  return lang::MakeStr(host.heap(), std::move(text));
}

template <bool equal>
Outcome<Value> Equal(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__eq__", args, 1, 1));
  ESP_TRY_ASSIGN(Instance* const instance, InstanceOf(self, "__eq__"));
  bool same = self.Is(args.positional[0]);
  if (!same && !instance->payload.is_unset()) {
    ESP_TRY_ASSIGN(same, lang::Equals(host, Value(instance->payload),
                                      Value(lang::PlainOf(args.positional[0]))));
  }
  return Value::Bool(same == equal);
}

Outcome<Value> HashMethod(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(Instance* const instance, InstanceOf(self, "__hash__"));
  if (!instance->payload.is_unset()) {
    ESP_TRY_ASSIGN(const std::uint64_t hash, lang::Hash(host, Value(instance->payload)));
    return Value::Int(static_cast<std::int64_t>(hash));
  }
  return Value::Int(IdentityOf(host.heap(), *instance));
}

Outcome<std::string_view> AttributeName(const Args& args, int count) {
  ESP_TRY(CheckPositional("attribute method", args, count, count));
  if (!args.positional[0].is_str()) return TypeError("attribute name must be string");
  const std::string_view name = lang::TextOf(args.positional[0]);
  if (IsAllowedAttribute(name)) return name;
  return lang::Raise("AttributeError",
                     "the attribute " + std::string(name) + " is not in the language");
}

Outcome<Value> SetAttr(Host& host, const Value& self, const Args& args) {
  if (auto* cls = self.If<ClassObject>()) {
    ESP_TRY_ASSIGN(const std::string_view name, AttributeName(args, 2));
    ESP_TRY_ASSIGN(const bool set, cls->DefaultSetAttr(name, args.positional[1]));
    return set ? Value() : Value::Unset();
  }
  ESP_TRY_ASSIGN(Instance* const instance, InstanceOf(self, "__setattr__"));
  ESP_TRY_ASSIGN(const std::string_view name, AttributeName(args, 2));
  ESP_TRY_ASSIGN(const bool done, instance->DefaultSetAttr(host, name, args.positional[1]));
  if (done) return Value();
  return lang::Raise("AttributeError",
                     fmt::format("'{}' object has no attribute '{}'", instance->TypeName(), name));
}

Outcome<Value> DelAttr(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(Instance* const instance, InstanceOf(self, "__delattr__"));
  ESP_TRY_ASSIGN(const std::string_view name, AttributeName(args, 1));
  ESP_TRY(instance->DefaultDelAttr(host, name));
  return Value();
}

// Methods of the built-in type beneath: they work on the payload.
Outcome<Value> PayloadOf(const Value& self, std::string_view method) {
  const Value& payload = lang::PlainOf(self);
  if (payload.type() != lang::Type::kInstance) return payload;
  return lang::Raise("AttributeError",
                     "'super' object has no attribute '" + std::string(method) + "'");
}

Outcome<Value> GetItem(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__getitem__", args, 1, 1));
  ESP_TRY_ASSIGN(const Value payload, PayloadOf(self, "__getitem__"));
  if (auto* instance = self.If<Instance>()) return PayloadItem(host, *instance, args.positional[0]);
  return lang::GetItem(host, payload, args.positional[0]);
}

Outcome<Value> SetItem(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__setitem__", args, 2, 2));
  ESP_TRY_ASSIGN(const Value payload, PayloadOf(self, "__setitem__"));
  ESP_TRY(lang::SetItem(host, payload, args.positional[0], args.positional[1]));
  return Value();
}

Outcome<Value> DelItem(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__delitem__", args, 1, 1));
  ESP_TRY_ASSIGN(const Value payload, PayloadOf(self, "__delitem__"));
  ESP_TRY(lang::DelItem(host, payload, args.positional[0]));
  return Value();
}

Outcome<Value> Length(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__len__", args, 0, 0));
  ESP_TRY_ASSIGN(const Value payload, PayloadOf(self, "__len__"));
  ESP_TRY_ASSIGN(const std::int64_t length, lang::Length(host, payload));
  return Value::Int(length);
}

Outcome<Value> Contains(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__contains__", args, 1, 1));
  ESP_TRY_ASSIGN(const Value payload, PayloadOf(self, "__contains__"));
  ESP_TRY_ASSIGN(const bool found, lang::Contains(host, payload, args.positional[0]));
  return Value::Bool(found);
}

Outcome<Value> Iter(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__iter__", args, 0, 0));
  ESP_TRY_ASSIGN(const Value payload, PayloadOf(self, "__iter__"));
  return lang::Iterate(host, payload);
}

Outcome<Value> CallMethod(Host& host, const Value& self, const Args& args) {
  if (auto* cls = self.If<ClassObject>()) return ConstructPlainly(host, *cls, args);
  ESP_TRY_ASSIGN(const Value payload, PayloadOf(self, "__call__"));
  return host.Call(payload, args);
}

// From __getitem__ on, they are those of the built-in type beneath.
constexpr NativeMethod::Row kMethods[] = {
    {"__init__", Init},           {"__new__", New},
    {"__repr__", Repr},           {"__str__", Str},
    {"__format__", FormatMethod}, {"__eq__", Equal<true>},
    {"__ne__", Equal<false>},     {"__hash__", HashMethod},
    {"__setattr__", SetAttr},     {"__delattr__", DelAttr},
    {"__getitem__", GetItem},     {"__setitem__", SetItem},
    {"__delitem__", DelItem},     {"__len__", Length},
    {"__contains__", Contains},   {"__iter__", Iter},
    {"__call__", CallMethod},
};

// dict.__repr__(x): as a dict without a kind or a class of its own.
Outcome<Value> DictRepr(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__repr__", args, 0, 0));
  const Value payload = lang::PlainOf(self);
  if (payload.type() != lang::Type::kDict) {
    return TypeError(
        fmt::format("descriptor '__repr__' requires a 'dict' object but received a "
                    "'{}'",
                    lang::TypeName(self)));
  }
  const Value plain = host.heap().New<lang::Dict>();
  ESP_TRY(lang::UpdateDict(host, *plain.As<lang::Dict>(), payload));
  ESP_TRY_ASSIGN(std::string text, lang::Repr(host, plain));
  return lang::MakeStr(host.heap(), std::move(text));
}

}  // namespace

const NativeMethod::Row& DictReprMethod() {
  static constexpr NativeMethod::Row kRow = {"__repr__", DictRepr};
  return kRow;
}

const NativeMethod::Row* FindObjectMethod(std::string_view name) {
  const auto* found = std::ranges::find(kMethods, name, &NativeMethod::Row::name);
  return found == std::end(kMethods) ? nullptr : found;
}

bool NeedsPayload(const NativeMethod::Row& row) {
  return &row >= std::ranges::find(kMethods, "__getitem__", &NativeMethod::Row::name);
}

Outcome<Value> PayloadItem(Host& host, Instance& instance, const Value& key) {
  const Value payload = instance.payload, held = key;
  const auto* dict = payload.If<lang::Dict>();
  if (dict != nullptr && instance.Has(Special::kMissing)) {
    ESP_TRY_ASSIGN(const Value* found, dict->Find(host, held));
    if (found == nullptr) return instance.CallSpecial(host, Special::kMissing, {&held, 1});
    return *found;
  }
  return lang::GetItem(host, payload, held);
}

std::int64_t IdentityOf(Heap& heap, const lang::Object& object) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << 43) - 1;
  const auto address = reinterpret_cast<std::uintptr_t>(&object) >> 4;
  return static_cast<std::int64_t>(((address ^ heap.hash_seed()) & kMask) << 4);
}

std::string IdentityText(Heap& heap, const lang::Object& object) {
  return fmt::format("{:#014x}", IdentityOf(heap, object));
}

}  // namespace espalier::script
