#include "frontend_lang/script/classes/class_object.h"

#include <algorithm>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/construct.h"
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/metaclass.h"
#include "frontend_lang/script/classes/object_methods.h"
#include "frontend_lang/script/classes/payload.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {

Outcome<Value> Metatype::Finish(Host&, ClassObject& made, const Value&) const {
  return Value(&made);
}

Outcome<std::string> Metatype::Repr(Host&, ClassObject& cls) const {
  return "<class '" + cls.FullName() + "'>";
}

Outcome<Value> Metatype::GetItem(Host& host, ClassObject& cls, const Value& key) const {
  if (const Value* found = cls.Find("__class_getitem__")) {
    const auto* method = Exactly<ClassMethod>(*found);
    const Value function = method != nullptr ? method->function : *found,
                args[] = {Value(&cls), key};
    return host.Call(function, Args{args, {}});
  }
  if (cls.Find("__parameters__") != nullptr || cls.trait != nullptr) {
    return MakeTypeForm(host, Value(&cls), key);
  }
  return lang::TypeError("type '" + cls.name() + "' is not subscriptable");
}

const Metatype& OrdinaryClasses() {
  static const Metatype kOrdinary;
  return kOrdinary;
}

ClassObject::ClassObject(Heap& heap, Parts parts)
    : Extension(heap, kType),
      parts_(std::move(parts)),
      root_shape_(*this),
      version_(heap.NextId()) {
  mro_.push_back(this);
  mro_.insert(mro_.end(), parts_.mro.begin(), parts_.mro.end());
  for (const Value& base : parts_.bases) base.As<ClassObject>()->subclasses_.insert(this);
  Charge(static_cast<std::int64_t>(sizeof(ClassObject) + mro_.size() * sizeof(void*)));
}

ClassObject::~ClassObject() { Clear(); }

void ClassObject::Clear() {
  for (const Value& base : parts_.bases) base.As<ClassObject>()->subclasses_.erase(this);
  index_.clear();
  attributes_.clear();
  registered.clear();
  meta = annotations = details = Value::Unset();
  parts_.payload_type = Value::Unset();
  parts_.bases.clear();
  mro_ = {this};
  specials_.fill(nullptr);
}

// It and all that derive from it, each once however many ways lead to it.
void ClassObject::Changed() {
  const std::uint64_t mark = heap().NextId();
  std::vector<ClassObject*> todo{this};
  while (!todo.empty()) {
    ClassObject& cls = *todo.back();
    todo.pop_back();
    if (std::exchange(cls.changed_mark_, mark) == mark) continue;
    cls.version_ = heap().NextId();
    todo.insert(todo.end(), cls.subclasses_.begin(), cls.subclasses_.end());
  }
}

bool ClassObject::DerivesFrom(const ClassObject& ancestor) const {
  return std::ranges::find(mro_, &ancestor) != mro_.end();
}

const Value* ClassObject::FindOwn(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &found->second->value;
}

const Value* ClassObject::Find(std::string_view name) const {
  for (const ClassObject* at : mro_) {
    if (const Value* found = at->FindOwn(name)) return found;
  }
  return nullptr;
}

const Value* ClassObject::Find(Special special) const {
  if (specials_version_ != version_) {
    for (std::size_t i = 0; i < kNumSpecials; ++i) {
      specials_[i] = Find(NameOf(static_cast<Special>(i)));
    }
    specials_version_ = version_;
  }
  return specials_[static_cast<std::size_t>(special)];
}

void ClassObject::Put(std::string_view name, Value value) {
  if (const auto found = index_.find(name); found != index_.end()) {
    // Caches know of plain values that they are no properties or methods.
    const bool plain = !found->second->value.is_extension() && !value.is_extension();
    found->second->value.swap(value);
    if (!plain) Changed();
    return;
  }
  attributes_.push_back({std::string(name), std::move(value)});
  index_.emplace(attributes_.back().name, std::prev(attributes_.end()));
  Charge(static_cast<std::int64_t>(sizeof(ClassObject) + mro_.size() * sizeof(void*) +
                                   attributes_.size() * 2 * sizeof(Attribute)));
  Changed();
}

bool ClassObject::Erase(std::string_view name) {
  const auto found = index_.find(name);
  if (found == index_.end()) return false;
  const auto attribute = found->second;
  const Value gone = attribute->value;  // released at the end
  index_.erase(found);
  attributes_.erase(attribute);
  Changed();
  return true;
}

namespace {

// cls.mro()
Outcome<Value> Mro(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("mro", args, 0, 0));
  std::vector<Value> classes;
  const auto& cls = *self.As<ClassObject>();
  for (ClassObject* at : cls.mro()) classes.emplace_back(at);
  auto& machine = static_cast<Machine&>(host);
  if (!cls.payload_type().is_unset()) classes.push_back(cls.payload_type());
  for (const ErrorKind* kind = cls.error_kind(); kind != nullptr;
       kind = FindErrorKind(kind->parent)) {
    classes.push_back(machine.Builtin(kind->name));
  }
  classes.push_back(machine.Builtin("object"));
  return host.heap().New<lang::List>(std::move(classes));
}

}  // namespace

Outcome<Value> ClassObject::GetAttr(Host& host, std::string_view name) {
  if (name == "__name__") return lang::MakeStr(host.heap(), this->name());
  if (name == "__module__") return lang::MakeStr(host.heap(), module());
  if (name == "__qualname__")
    return lang::MakeStr(host.heap(), FullName().substr(module().size() + 1));
  if (name == "__annotations__" && !annotations.is_unset()) return annotations;
  if (name == "mro") return host.heap().New<lang::NativeFunction>("mro", Mro, Value(this));
  ESP_TRY_ASSIGN(Value special, metatype().GetAttr(host, *this, name));
  if (!special.is_unset()) return special;
  if (const Value* found = Find(name)) return BindToClass(host, Value(*found), *this);
  if (!name.starts_with("__")) {
    ESP_TRY_ASSIGN(Value of_meta, AttributeOfMetaclass(host, *this, name));
    if (!of_meta.is_unset()) return of_meta;
  }
  if (name == "__doc__") {
    return doc().empty() ? Value() : lang::MakeStr(host.heap(), doc());
  }
  const NativeMethod::Row* row = FindObjectMethod(name);
  if (row != nullptr && (!payload_type().is_unset() || !NeedsPayload(*row))) {
    return host.heap().New<NativeMethod>(*row);
  }
  if (!payload_type().is_unset()) {
    if (name == "fromkeys") {
      ESP_TRY_ASSIGN(Value own, FromKeysOf(host, *this));
      if (!own.is_unset()) return own;
    }
    ESP_TRY_ASSIGN(Value inherited, lang::ExtensionOf(payload_type()).GetAttr(host, name));
    if (!inherited.is_unset()) return inherited;
  }
  ESP_TRY_ASSIGN(const Value fallback, AttributeOfMetaclass(host, *this, "__getattr__"));
  if (!fallback.is_unset()) {
    const Value text = lang::MakeStr(host.heap(), name);
    return host.Call(fallback, Args{{&text, 1}, {}});
  }
  return lang::Raise("AttributeError", "type object '" + this->name() + "' has no attribute '" +
                                           std::string(name) + "'");
}

Outcome<bool> ClassObject::SetAttr(Host& host, std::string_view name, Value value) {
  ESP_TRY_ASSIGN(const Value setter, AttributeOfMetaclass(host, *this, "__setattr__"));
  if (!setter.is_unset()) {
    const Value args[] = {lang::MakeStr(host.heap(), name), std::move(value)};
    ESP_TRY_ASSIGN(const Value done, host.Call(setter, Args{args, {}}));
    return !done.is_unset();
  }
  return DefaultSetAttr(name, std::move(value));
}

Outcome<bool> ClassObject::DefaultSetAttr(std::string_view name, Value value) {
  ESP_TRY(metatype().CheckChange(*this, name, Metatype::Change::kSet));
  Put(name, std::move(value));
  return true;
}

Outcome<Value> ClassObject::Binary(Host& host, lang::BinaryOp op, const Value& other,
                                   lang::Side side) {
  if (op != lang::BinaryOp::kOr) return Value::Unset();
  return UnionOf(host, Value(this), other, side);
}

Outcome<Value> ClassObject::Call(Host& host, const Args& args) {
  return Construct(host, *this, args);
}

}  // namespace espalier::script
