#include "frontend_lang/script/classes/instance.h"

#include <fmt/format.h>

#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/object_methods.h"
#include "frontend_lang/script/classes/payload.h"
#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {

Instance::Instance(Heap& heap, ClassObject& cls)
    : Extension(heap, kType), class_(&cls), shape_(&cls.root_shape()) {
  slots_.reserve(static_cast<std::size_t>(cls.typical_slots));
  SetUnfinished(cls.Find(Special::kDel) != nullptr);
  Recount();
}

Instance::Instance(Heap& heap) : Extension(heap, lang::Type::kExtension) { Recount(); }

void Instance::Clear() {
  slots_.clear();
  dict_ = Value();
  payload = Value::Unset();
  shape_ = nullptr;
}

void Instance::Recount() {
  Charge(static_cast<std::int64_t>(sizeof(Instance) + slots_.capacity() * sizeof(Value)));
}

// ---- Attributes of its own.

void Instance::AppendSlot(Shape& to, Value value) {
  const bool grows = slots_.size() == slots_.capacity();
  slots_.push_back(std::move(value));
  shape_ = &to;
  if (grows) Recount();
  cls().typical_slots = std::max(cls().typical_slots, to.num_slots());
}

const Value* Instance::FindOwn(std::string_view name) const {
  if (shape_ == nullptr) {
    return dict_.is_none() ? nullptr : dict_.As<lang::Dict>()->FindStr(name);
  }
  const int at = shape_->Find(name);
  return at < 0 ? nullptr : &slots_[static_cast<std::size_t>(at)];
}

Fault Instance::ToDict(Host& host) {
  Value dict = host.heap().New<lang::Dict>();
  for (auto& [name, value] : Own()) dict.As<lang::Dict>()->PutStr(name, value);
  dict_ = std::move(dict);
  shape_ = nullptr;
  slots_.clear();
  return Fault();
}

Fault Instance::PutOwn(Host& host, std::string_view name, Value value) {
  if (shape_ != nullptr) {
    if (const int at = shape_->Find(name); at >= 0) {
      slots_[static_cast<std::size_t>(at)].swap(value);
      return Fault();
    }
    if (Shape* next = shape_->With(name)) {
      AppendSlot(*next, std::move(value));
      return Fault();
    }
    ESP_TRY(ToDict(host));
  }
  if (dict_.is_none()) dict_ = host.heap().New<lang::Dict>();
  dict_.As<lang::Dict>()->PutStr(name, std::move(value));
  return Fault();
}

Outcome<bool> Instance::EraseOwn(Host& host, std::string_view name) {
  if (FindOwn(name) == nullptr) return false;
  if (shape_ != nullptr) ESP_TRY(ToDict(host));
  return dict_.As<lang::Dict>()->Erase(host, lang::MakeStr(host.heap(), name));
}

Outcome<Value> Instance::OwnDict(Host& host) {
  if (shape_ != nullptr) ESP_TRY(ToDict(host));
  if (dict_.is_none()) dict_ = host.heap().New<lang::Dict>();
  return dict_;
}

std::vector<std::pair<std::string, Value>> Instance::Own() const {
  std::vector<std::pair<std::string, Value>> own;
  if (shape_ != nullptr) {
    for (const std::string_view name : shape_->names()) {
      own.emplace_back(name, slots_[own.size()]);
    }
  } else if (const auto* dict = dict_.If<lang::Dict>()) {
    for (std::size_t at = 0; const auto* entry = dict->EntryAt(at); ++at) {
      if (entry->key.is_str()) own.emplace_back(lang::TextOf(entry->key), entry->value);
    }
  }
  return own;
}

// ---- Attributes as Python looks them up.

Outcome<Value> Instance::GetAttr(Host& host, std::string_view name) {
  const Value self(this);
  const Value* found = has_class() ? cls().Find(name) : nullptr;
  const Property* property = found != nullptr ? Exactly<Property>(*found) : nullptr;
  const bool decides =
      property != nullptr ? !property->cached : found != nullptr && IsOwnDataDescriptor(*found);
  if (!decides) {
    if (const Value* own = FindOwn(name)) return *own;
  }
  if (property != nullptr && property->getter.is_none()) {
    return lang::Raise("AttributeError",
                       fmt::format("property '{}' of '{}' object has no getter", name, TypeName()));
  }
  if (found != nullptr) {
    const bool cached = property != nullptr && property->cached;
    ESP_TRY_ASSIGN(Value bound, BindToInstance(host, Value(*found), self));
    if (cached) ESP_TRY(PutOwn(host, name, bound));
    return bound;
  }
  ESP_TRY_ASSIGN(Value native, NativeAttr(host, name));
  if (!native.is_unset()) return native;
  ESP_TRY_ASSIGN(Value inherited, PayloadAttr(host, name));
  if (!inherited.is_unset()) return inherited;
  const bool of_payload = !payload.is_unset() && lang::FindMethod(payload, name) != nullptr;
  const NativeMethod::Row* row = FindObjectMethod(name);
  if (row != nullptr && (of_payload || !NeedsPayload(*row))) {
    return host.heap().New<lang::NativeFunction>(row->name, row->code, self);
  }
  if (of_payload) return lang::GetAttr(host, Value(payload), name);
  if (name == "__doc__" && has_class()) return cls().GetAttr(host, name);
  if (!Has(Special::kGetAttr)) return Value::Unset();
  const Value text = lang::MakeStr(host.heap(), name);
  return CallSpecial(host, Special::kGetAttr, {&text, 1});
}

// An attribute of the value beneath that no method of object hides.
Outcome<Value> Instance::PayloadAttr(Host& host, std::string_view name) {
  if (payload.is_unset()) return Value::Unset();
  if (name == "copy") {
    ESP_TRY_ASSIGN(Value copy, CopyMethodOf(host, *this));
    if (!copy.is_unset()) return copy;
  }
  const Value held = payload;
  if (held.is_extension()) return lang::ExtensionOf(held).GetAttr(host, name);
  const bool known =
      lang::FindMethod(held.type(), name) != nullptr || name == "default_factory" ||
      (lang::IsOfKind(held) && !name.starts_with("__") && lang::FindMethod(held, name) != nullptr);
  return known ? lang::GetAttr(host, held, name) : Value::Unset();
}

Outcome<bool> Instance::SetAttr(Host& host, std::string_view name, Value value) {
  if (!Has(Special::kSetAttr)) return DefaultSetAttr(host, name, std::move(value));
  const Value args[] = {lang::MakeStr(host.heap(), name), std::move(value)};
  ESP_TRY_ASSIGN(const Value ignored, CallSpecial(host, Special::kSetAttr, args));
  return !ignored.is_unset();
}

Outcome<bool> Instance::DefaultSetAttr(Host& host, std::string_view name, Value value) {
  const Value self(this);
  const Value* found = has_class() ? cls().Find(name) : nullptr;
  if (found != nullptr && IsOwnDataDescriptor(*found)) {
    const Value descriptor = *found, args[] = {self, std::move(value)};
    ESP_TRY_ASSIGN(const Value done,
                   descriptor.As<Instance>()->CallSpecial(host, Special::kSet, args));
    return done.is_unset() ? lang::Raise("AttributeError", "__set__") : Outcome<bool>(true);
  }
  const Property* property = found != nullptr ? Exactly<Property>(*found) : nullptr;
  if (property != nullptr && !property->cached) {
    if (property->setter.is_none()) {
      return lang::Raise("AttributeError", fmt::format("property '{}' of '{}' object has no setter",
                                                       name, TypeName()));
    }
    const Value args[] = {self, std::move(value)};
    ESP_TRY_ASSIGN(const Value ignored, host.Call(Value(property->setter), Args{args, {}}));
    return !ignored.is_unset();
  }
  if (name == "default_factory" && payload.type() == lang::Type::kDict) {
    ESP_TRY(SetAttribute(host, Value(payload), name, std::move(value)));
    return true;
  }
  if (has_class() && cls().slots && !cls().slots->contains(std::string(name))) {
    if (found == nullptr) return false;
    return lang::Raise("AttributeError",
                       fmt::format("'{}' object attribute '{}' is read-only", TypeName(), name));
  }
  ESP_TRY(PutOwn(host, name, std::move(value)));
  return true;
}

Fault Instance::DelAttr(Host& host, std::string_view name) {
  if (!Has(Special::kDelAttr)) return DefaultDelAttr(host, name);
  const Value text = lang::MakeStr(host.heap(), name);
  auto ignored = CallSpecial(host, Special::kDelAttr, {&text, 1});
  return ignored.ok() ? Fault() : ignored.TakeFault();
}

Fault Instance::DefaultDelAttr(Host& host, std::string_view name) {
  const Value* found = has_class() ? cls().Find(name) : nullptr;
  if (found != nullptr && IsOwnDataDescriptor(*found)) {
    const Value descriptor = *found, self(this);
    ESP_TRY_ASSIGN(const Value done,
                   descriptor.As<Instance>()->CallSpecial(host, Special::kDelete, {&self, 1}));
    return done.is_unset() ? lang::Raise("AttributeError", "__delete__") : Fault();
  }
  const Property* property = found != nullptr ? Exactly<Property>(*found) : nullptr;
  if (property != nullptr && !property->cached) {
    if (property->deleter.is_none()) {
      return lang::Raise(
          "AttributeError",
          fmt::format("property '{}' of '{}' object has no deleter", name, TypeName()));
    }
    const Value self(this);
    auto ignored = host.Call(Value(property->deleter), Args{{&self, 1}, {}});
    return ignored.ok() ? Fault() : ignored.TakeFault();
  }
  ESP_TRY_ASSIGN(const bool erased, EraseOwn(host, name));
  if (erased) return Fault();
  if (found != nullptr) return lang::Raise("AttributeError", std::string(name));
  return lang::Raise("AttributeError",
                     fmt::format("'{}' object has no attribute '{}'", TypeName(), name));
}

Outcome<Value> Instance::CallSpecial(Host& host, Special special, std::span<const Value> args) {
  const Value* found = FindSpecial(special);
  if (found == nullptr || found->is_none()) return Value::Unset();
  const Value method = *found, self(this);
  if (Exactly<ScriptFunction>(method) != nullptr) {
    std::vector<Value> with_self{self};
    with_self.insert(with_self.end(), args.begin(), args.end());
    return host.Call(method, Args{with_self, {}});
  }
  if (const auto* native = Exactly<NativeMethod>(method)) {
    return native->row().code(host, self, Args{args, {}});
  }
  ESP_TRY_ASSIGN(const Value bound, BindToInstance(host, method, self));
  return host.Call(bound, Args{args, {}});
}

Outcome<Value> Instance::CallNamed(Host& host, std::string_view name, std::span<const Value> args) {
  const Value* found = has_class() ? cls().Find(name) : nullptr;
  if (found == nullptr || found->is_none()) return Value::Unset();
  ESP_TRY_ASSIGN(const Value bound, BindToInstance(host, Value(*found), Value(this)));
  return host.Call(bound, Args{args, {}});
}

Fault Instance::CallDel(Host& host) {
  SetUnfinished(false);
  auto ignored = CallSpecial(host, Special::kDel);
  return ignored.ok() ? Fault() : ignored.TakeFault();
}

Outcome<Value> CallNamedOf(Host& host, const Value& value, std::string_view name,
                           std::span<const Value> args) {
  const Value held = value;
  auto* instance = held.If<Instance>();
  return instance == nullptr ? Value::Unset() : instance->CallNamed(host, name, args);
}

}  // namespace espalier::script
