// The part of Machine that calls methods: object.name(args).
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/machine/taken_arguments.h"
#include "frontend_lang/script/values/methods.h"

namespace espalier::script {

// The method of a built-in type that a call names; null if it names another thing. Most calls
// meet one type only, so each keeps what it found last.
const lang::Method* Machine::MethodOf(const Value& object, const CallShape& shape) {
  if (object.is_extension()) return nullptr;
  if (lang::IsOfKind(object)) return lang::FindMethod(object, Name(shape.name));
  const lang::Type type = object.type();
  const auto at = static_cast<std::size_t>(&shape - frame().file->program->call_shapes.data());
  LoadedFile::FoundMethod& found = frame().file->found_methods[at];
  if (found.type != type) found = {type, lang::FindMethod(type, Name(shape.name))};
  return found.method;
}

// object args -> object.name(args)
Fault Machine::CallMethodShape(const CallShape& shape) {
  ESP_TRY(Step());
  if (heap().has_unfinished()) ESP_TRY(CloseUnfinished());
  const auto num_positional = static_cast<std::size_t>(shape.num_positional);
  const std::size_t count = num_positional + shape.keywords.size();
  const Value object = Top(count);
  if (const lang::Method* method = MethodOf(object, shape)) return CallBuiltIn(shape, *method, 0);
  ESP_TRY_ASSIGN(BoundCall bound, BoundCallOf(object, shape));
  if (!bound.self.is_none()) {
    return CallWithSelf(bound.callee, num_positional, &shape.keywords, std::move(bound.self));
  }
  Top(count) = std::move(bound.callee);
  return CallWith(num_positional, &shape.keywords);
}

// object -> callee self. Of a method of a built-in type: object Unset.
Fault Machine::LoadMethod(const CallShape& shape) {
  const Value object = Top();
  if (MethodOf(object, shape) != nullptr) {
    Push(Value::Unset());
    return Fault();
  }
  ESP_TRY_ASSIGN(BoundCall bound, BoundCallOf(object, shape));
  Top() = std::move(bound.callee);
  Push(std::move(bound.self));
  return Fault();
}

// callee self args -> result
Fault Machine::CallLoaded(const CallShape& shape) {
  ESP_TRY(Step());
  if (heap().has_unfinished()) ESP_TRY(CloseUnfinished());
  const auto num_positional = static_cast<std::size_t>(shape.num_positional);
  const std::size_t count = num_positional + shape.keywords.size();
  const Value self = Top(count);
  if (self.is_unset()) return CallBuiltIn(shape, *MethodOf(Top(count + 1), shape), 1);
  if (!self.is_none()) return CallWith(num_positional + 1, &shape.keywords);
  task_->values.RemoveBelow(count);
  return CallWith(num_positional, &shape.keywords);
}

// The object stands `num_below` values below the arguments.
Fault Machine::CallBuiltIn(const CallShape& shape, const lang::Method& method,
                           std::size_t num_below) {
  const TakenArguments taken(task_->values, static_cast<std::size_t>(shape.num_positional),
                             &shape.keywords);
  const Value object = Top(num_below);
  auto result = lang::CallMethod(*this, method, object, taken.args());
  if (!result.ok()) return result.TakeFault();
  Drop(num_below);
  Top() = std::move(*result);
  return Fault();
}

}  // namespace espalier::script
