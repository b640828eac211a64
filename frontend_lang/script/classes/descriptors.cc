#include "frontend_lang/script/classes/descriptors.h"

#include <algorithm>
#include <array>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/classes/object_methods.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/hash.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

template <Value Property::*part>
Outcome<Value> WithPart(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("setter", args, 1, 1));
  const auto* old = Exactly<Property>(self);
  const Value made = host.heap().New<Property>(old->getter);
  auto& property = *Exactly<Property>(made);
  property.setter = old->setter;
  property.deleter = old->deleter;
  property.*part = args.positional[0];
  return made;
}

}  // namespace

Outcome<Value> Property::GetAttr(Host& host, std::string_view name) {
  constexpr std::pair<std::string_view, lang::NativeCode> kParts[] = {
      {"getter", WithPart<&Property::getter>},
      {"setter", WithPart<&Property::setter>},
      {"deleter", WithPart<&Property::deleter>}};
  for (const auto& [part, code] : kParts) {
    if (part == name) return host.heap().New<lang::NativeFunction>(part, code, Value(this));
  }
  if (name == "fget") return getter;
  if (name == "__doc__" && !getter.is_none()) return lang::GetAttr(host, Value(getter), name);
  return Value::Unset();
}

Outcome<bool> BoundMethod::Equals(Host&, const Value& other) {
  const auto* method = other.If<BoundMethod>();
  return method != nullptr && method->function_.Is(function_) && method->self_.Is(self_);
}

Outcome<std::uint64_t> BoundMethod::Hash(Host& host) {
  ESP_TRY_ASSIGN(const std::uint64_t function, lang::Hash(host, function_));
  if (!self_.is_extension()) return function;
  ESP_TRY_ASSIGN(const std::uint64_t self, lang::ExtensionOf(self_).Extension::Hash(host));
  return function * 31 + self;
}

Outcome<std::string> BoundMethod::Repr(Host& host) {
  std::string name = "?";
  if (const auto* script = Exactly<ScriptFunction>(function_)) name = script->routine().name;
  ESP_TRY_ASSIGN(const std::string self, lang::Repr(host, Value(self_)));
  return "<bound method " + name + " of " + self + ">";
}

Outcome<Value> BoundMethod::GetAttr(Host& host, std::string_view name) {
  return lang::ExtensionOf(Value(function_)).GetAttr(host, name);
}

Outcome<Value> BoundMethod::Call(Host& host, const Args& args) {
  const Value held(this);
  std::vector<Value> positional{self_};
  positional.insert(positional.end(), args.positional.begin(), args.positional.end());
  return host.Call(Value(function_), Args{positional, args.keywords});
}

Outcome<Value> NativeMethod::GetAttr(Host& host, std::string_view name) {
  if (name == "__name__") return lang::MakeStr(host.heap(), row_.name);
  return Value::Unset();
}

Outcome<Value> NativeMethod::Call(Host& host, const Args& args) {
  if (args.positional.empty()) {
    return lang::TypeError("unbound method " + std::string(row_.name) + "() needs an argument");
  }
  return row_.code(host, args.positional[0], Args{args.positional.subspan(1), args.keywords});
}

Outcome<Value> OwnedMethod::Call(Host& host, const Args& args) {
  const Value owner = owner_;
  if (args.positional.empty() || owner.is_none()) {
    return lang::TypeError("unbound method " + std::string(name_) + "() needs an argument");
  }
  const auto* self = args.positional[0].If<Instance>();
  if (self == nullptr || !self->cls().DerivesFrom(*owner.As<ClassObject>())) {
    return lang::TypeError("descriptor '" + std::string(name_) + "' requires a '" +
                           owner.As<ClassObject>()->name() + "' object but received a '" +
                           std::string(lang::TypeName(args.positional[0])) + "'");
  }
  return code_(host, *owner.As<ClassObject>(), args.positional[0],
               Args{args.positional.subspan(1), args.keywords});
}

// The class of an object of the program's classes; of a class, its metaclass. REQUIRES: it has one
ClassObject& ClassOf(const Value& object) {
  if (const auto* cls = object.If<ClassObject>()) return *cls->meta.As<ClassObject>();
  return object.As<Instance>()->cls();
}

// Whether a class is meant as an object of its metaclass: super(Meta, cls).
bool SuperObject::IsOfMetaclass() const {
  const auto* cls = self_.If<ClassObject>();
  return cls != nullptr && !cls->DerivesFrom(*cls_.As<ClassObject>());
}

ClassObject& SuperObject::ClassOfSelf() const {
  auto* cls = self_.If<ClassObject>();
  return cls != nullptr && !IsOfMetaclass() ? *cls : ClassOf(self_);
}

Outcome<Value> SuperObject::GetAttr(Host& host, std::string_view name) {
  const Value held(this);
  const auto& mro = ClassOfSelf().mro();
  auto at = std::ranges::find(mro, cls_.As<ClassObject>());
  for (at = at == mro.end() ? at : at + 1; at != mro.end(); ++at) {
    const Value* found = (*at)->FindOwn(name);
    if (found == nullptr) continue;
    if (self_.If<Instance>() != nullptr || IsOfMetaclass()) {
      return BindToInstance(host, Value(*found), self_);
    }
    return BindToClass(host, Value(*found), ClassOfSelf());
  }
  if (name == "__init_subclass__") {
    return host.heap().New<lang::NativeFunction>(
        "__init_subclass__",
        [](Host&, const Value&, const Args&) -> Outcome<Value> { return Value(); });
  }
  if (const NativeMethod::Row* row = FindObjectMethod(name)) {
    if (name == "__new__") return host.heap().New<NativeMethod>(*row);
    return host.heap().New<lang::NativeFunction>(row->name, row->code, Value(self_));
  }
  const auto* instance = self_.If<Instance>();
  if (instance != nullptr && !instance->payload.is_unset()) {
    return lang::GetAttr(host, Value(instance->payload), name);
  }
  return lang::Raise("AttributeError",
                     "'super' object has no attribute '" + std::string(name) + "'");
}

bool IsOwnDescriptor(const Value& value) {
  const auto* instance = value.If<Instance>();
  return instance != nullptr && (instance->Has(Special::kGet) || instance->Has(Special::kSet) ||
                                 instance->Has(Special::kDelete));
}

bool IsOwnDataDescriptor(const Value& value) {
  const auto* instance = value.If<Instance>();
  return instance != nullptr && (instance->Has(Special::kSet) || instance->Has(Special::kDelete));
}

Outcome<Value> BindToInstance(Host& host, const Value& found, const Value& self) {
  if (!found.is_extension()) return found;
  if (auto* descriptor = found.If<Instance>()) {
    const Value args[] = {self, Value(&ClassOf(self))};
    ESP_TRY_ASSIGN(Value given, descriptor->CallSpecial(host, Special::kGet, args));
    return given.is_unset() ? found : given;
  }
  if (lang::ExtensionOf(found).BindsAsMethod() || Exactly<UnboundMethod>(found) != nullptr) {
    return host.heap().New<BoundMethod>(found, self);
  }
  if (const auto* native = Exactly<NativeMethod>(found)) {
    if (native->row().binds == NativeMethod::Binds::kClass) {
      return BindToClass(host, found, ClassOf(self));
    }
    return host.heap().New<lang::NativeFunction>(native->row().name, native->row().code, self);
  }
  if (const auto* property = Exactly<Property>(found)) {
    if (property->getter.is_none()) return lang::Raise("AttributeError", "unreadable attribute");
    return host.Call(Value(property->getter), Args{{&self, 1}, {}});
  }
  if (const auto* method = Exactly<StaticMethod>(found)) return method->function;
  if (const auto* method = Exactly<ClassMethod>(found)) {
    return host.heap().New<BoundMethod>(method->function, Value(&ClassOf(self)));
  }
  return found;
}

Outcome<Value> BindToClass(Host& host, const Value& found, ClassObject& cls) {
  if (!found.is_extension()) return found;
  if (auto* descriptor = found.If<Instance>()) {
    const Value args[] = {Value(), Value(&cls)};
    ESP_TRY_ASSIGN(Value given, descriptor->CallSpecial(host, Special::kGet, args));
    return given.is_unset() ? found : given;
  }
  if (const auto* method = Exactly<StaticMethod>(found)) return method->function;
  if (const auto* method = Exactly<ClassMethod>(found)) {
    return host.heap().New<BoundMethod>(method->function, Value(&cls));
  }
  const auto* native = Exactly<NativeMethod>(found);
  if (native != nullptr && native->row().binds == NativeMethod::Binds::kClass) {
    return host.heap().New<lang::NativeFunction>(native->row().name, native->row().code,
                                                 Value(&cls));
  }
  return found;
}

Outcome<Value> MakeSuper(Host& host, const Value&, const Args& args) {
  if (args.positional.empty()) return lang::Raise("RuntimeError", "super(): no arguments");
  ESP_TRY(CheckPositional("super", args, 2, 2));
  const auto* cls = args.positional[0].If<ClassObject>();
  if (cls == nullptr) {
    return lang::TypeError("super() argument 1 must be a type, not " +
                           std::string(lang::TypeName(args.positional[0])));
  }
  const Value& self = args.positional[1];
  const ClassObject* of_self = self.If<ClassObject>();
  if (const auto* instance = self.If<Instance>()) of_self = &instance->cls();
  const bool is_class = self.If<ClassObject>() != nullptr;
  if (is_class && !of_self->DerivesFrom(*cls)) of_self = of_self->meta.If<ClassObject>();
  if (of_self == nullptr || !of_self->DerivesFrom(*cls)) {
    return lang::TypeError("super(type, obj): obj must be an instance or subtype of type");
  }
  return host.heap().New<SuperObject>(args.positional[0], self);
}

Outcome<Value> MakeProperty(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("property", args, {"fget", "fset", "fdel", "doc"}, 0));
  const Value made = host.heap().New<Property>(bound[0].is_unset() ? Value() : bound[0]);
  auto& property = *Exactly<Property>(made);
  if (!bound[1].is_unset()) property.setter = bound[1];
  if (!bound[2].is_unset()) property.deleter = bound[2];
  return made;
}

Outcome<Value> MakeStaticMethod(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("staticmethod", args, 1, 1));
  return host.heap().New<StaticMethod>(args.positional[0]);
}

Outcome<Value> MakeClassMethod(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("classmethod", args, 1, 1));
  return host.heap().New<ClassMethod>(args.positional[0]);
}

}  // namespace espalier::script
