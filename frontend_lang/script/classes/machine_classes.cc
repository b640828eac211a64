// The part of Machine that reads attributes of objects, calls methods and makes objects.
#include "frontend_lang/script/classes/build_class.h"
#include "frontend_lang/script/classes/construct.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/values/methods.h"

namespace espalier::script {

// Where an attribute of an instance lies. Neither: it must be looked up in full, as it is
// a property, a descriptor, native or missing.
struct Machine::Attribute {
  Value* own = nullptr;
  const Value* in_class = nullptr;
};

Machine::Attribute Machine::FindAttribute(Instance& instance, const std::string& name) {
  const Shape* shape = instance.shape();
  if (shape == nullptr) return {};
  const ClassObject& cls = instance.cls();
  AttributeCache::Entry& entry = attributes_.At(*shape, name);
  if (entry.shape != shape || entry.name != &name || entry.version != cls.version()) {
    entry = {shape, &name, cls.version(), -1, nullptr};
    const Value* in_class = cls.Find(name);
    const bool decides = in_class != nullptr &&
                         (Exactly<Property>(*in_class) != nullptr || IsOwnDescriptor(*in_class));
    if (!decides) {
      entry.slot = shape->Find(name);
      entry.in_class = in_class;
    }
  }
  if (entry.slot >= 0) return {&instance.slot(entry.slot), nullptr};
  return {nullptr, entry.in_class};
}

// x -> x.name. The getter of a property runs in this loop, like any call.
Fault Machine::LoadAttribute(const std::string& name) {
  auto* instance = Top().If<Instance>();
  if (instance == nullptr) {
    ESP_TRY_ASSIGN(Top(), lang::GetAttr(*this, Value(Top()), name));
    return Fault();
  }
  const Attribute found = FindAttribute(*instance, name);
  if (found.own != nullptr) {
    Top() = Value(*found.own);
    return Fault();
  }
  const Value self = Top();
  if (found.in_class != nullptr) {
    ESP_TRY_ASSIGN(Top(), BindToInstance(*this, Value(*found.in_class), self));
    return Fault();
  }
  const Value* in_class = instance->cls().Find(name);
  const auto* property = in_class != nullptr ? Exactly<Property>(*in_class) : nullptr;
  if (property != nullptr && !property->cached) {
    const Value getter = property->getter;
    if (auto* function = Exactly<ScriptFunction>(getter)) {
      Push(self);
      return EnterFunction(*function, 1, nullptr);
    }
  }
  ESP_TRY_ASSIGN(Top(), lang::GetAttr(*this, self, name));
  return Fault();
}

// value x ->
Fault Machine::StoreAttribute(const std::string& name) {
  const Value object = Pop();
  Value value = Pop();
  auto* instance = object.If<Instance>();
  if (instance != nullptr && !instance->Has(Special::kSetAttr)) {
    const Attribute found = FindAttribute(*instance, name);
    if (found.own != nullptr) {
      found.own->swap(value);
      return Fault();
    }
  }
  return SetAttribute(*this, object, name, std::move(value));
}

Outcome<Machine::BoundCall> Machine::BoundCallOf(const Value& object, const CallShape& shape) {
  const std::string& name = Name(shape.name);
  if (auto* instance = object.If<Instance>()) {
    const Attribute found = FindAttribute(*instance, name);
    if (found.in_class != nullptr && lang::Value(*found.in_class).is_extension() &&
        lang::ExtensionOf(*found.in_class).BindsAsMethod()) {
      return BoundCall{Value(*found.in_class), object};
    }
    if (found.own != nullptr) return BoundCall{Value(*found.own), Value()};
  }
  auto callee = lang::GetAttr(*this, object, name);
  if (callee.ok()) return BoundCall{std::move(*callee), Value()};
  error_span_ = shape.callee;
  return callee.TakeFault();
}

// x args -> function(self, args)
Fault Machine::CallWithSelf(const Value& function, std::size_t num_positional,
                            const std::vector<std::string>* keywords, Value self) {
  const std::size_t count = num_positional + (keywords == nullptr ? 0 : keywords->size());
  Top(count) = function;
  task_->values.InsertBelow(count, std::move(self));
  if (auto* script = Exactly<ScriptFunction>(function)) {
    return EnterFunction(*script, num_positional + 1, keywords);
  }
  return CallWith(num_positional + 1, keywords);
}

// cls args -> an object, whose __init__ runs in this loop.
Fault Machine::CallClass(ClassObject& cls, std::size_t num_positional,
                         const std::vector<std::string>* keywords) {
  const Value* init = cls.Find(Special::kInit);
  auto* function = init == nullptr ? nullptr : Exactly<ScriptFunction>(*init);
  const bool plain = function != nullptr && cls.Find(Special::kNew) == nullptr &&
                     &cls.metatype() == &OrdinaryClasses() && cls.payload_type().is_unset();
  const Value held(&cls);
  if (!plain) return CallNative(held, num_positional, keywords, 1);
  const std::size_t count = num_positional + (keywords == nullptr ? 0 : keywords->size());
  ValueStack& values = task_->values;
  const std::size_t num_kept = cls.error_kind() != nullptr ? num_positional : 0;
  const std::vector<Value> args(values.end() - count, values.end() - count + num_kept);
  ESP_TRY_ASSIGN(Value object, Allocate(*this, cls, Args{args, {}}));
  const Value kept = *init;
  Top(count) = object;
  values.InsertBelow(count, std::move(object));
  const std::size_t num_frames = task_->frames.size();
  ESP_TRY(EnterFunction(*function, num_positional + 1, keywords));
  if (task_->frames.size() == num_frames) return CheckInitResult(Pop());  // a generator
  frame().then = Then::kNewObject;
  return Fault();
}

// -> the class whose body this frame has run.
Fault Machine::MakeClass() {
  constexpr int kFirst = 3;  // after the parameters
  const Routine& routine = *frame().routine;
  ClassBody body{routine.short_name, routine.name, routine.doc, Local(0), Local(1), Local(2), {}};
  body.module = frame().file->module_name;
  lang::Extension* cell = nullptr;
  for (int slot = kFirst; slot < routine.first_free; ++slot) {
    const std::string& name = routine.locals[static_cast<std::size_t>(slot)];
    const Value& value = Local(slot);
    if (name == "__class__") {
      if (value.is_extension()) cell = static_cast<lang::Extension*>(value.object());
    } else if (!value.is_unset()) {
      body.attributes.emplace_back(name, value);
    }
  }
  ESP_TRY_ASSIGN(Value made, RunClassStatement(*this, body, cell));
  Push(std::move(made));
  return Fault();
}

}  // namespace espalier::script
