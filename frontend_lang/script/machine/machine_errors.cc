// The part of Machine that raises, unwinds and leaves blocks.
#include <string>

#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/machine/error_group.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/methods.h"

namespace espalier::script {

ErrorObject& Machine::ObjectOf(lang::LangError& error) {
  if (auto* object = Exactly<ErrorObject>(error.object)) return *object;
  const ErrorKind* kind = FindErrorKind(error.type);
  if (kind == nullptr) kind = FindErrorKind("RuntimeError");
  std::vector<Value> args;
  if (!error.argument.is_unset()) args.push_back(error.argument);
  error.object = heap().New<ErrorObject>(*kind, std::move(args));
  auto& object = static_cast<ErrorObject&>(*error.object.object());
  object.message = error.message;
  object.hint = error.hint;
  object.has_message = error.argument.is_unset() && !error.message.empty();
  if (error.kind == lang::LangError::Kind::kLimit) object.status = Code::kLimit;
  return object;
}

// True when a handler was found: the task stands before it.
bool Machine::Unwind(Fault& fault, std::size_t num_frames) {
  lang::LangError& error = fault.error();
  ObjectOf(error);
  bool traced = std::exchange(rethrown_, false);
  std::optional<Span> span = std::exchange(error_span_, std::nullopt);
  auto& raised = static_cast<ErrorObject&>(*error.object.object());
  // One that has no trace was not raised before: it is in no other's context.
  const bool is_new = !traced && raised.trace.empty() && raised.context.is_none();
  if (is_new && !task_->handled.empty() && !task_->handled.back().Is(error.object)) {
    raised.context = task_->handled.back();
  }
  while (task_->frames.size() > num_frames) {
    Frame& running = frame();
    const Value held = error.object;
    auto& object = static_cast<ErrorObject&>(*held.object());
    if (!std::exchange(traced, false) && object.trace.size() < ErrorObject::kMaxTrace) {
      const Span where = running.routine->spans[static_cast<std::size_t>(running.at - 1)];
      if (running.file->kind != LoadedFile::Kind::kLibrary) {
        object.trace.push_back({running.file->program->source.get(), running.routine->short_name,
                                span.value_or(where)});
      }
      span.reset();
    }
    if (error.kind == lang::LangError::Kind::kRaised &&
        task_->blocks.size() > running.first_block) {
      const Block block = task_->blocks.back();
      task_->blocks.pop_back();
      task_->values.resize(block.num_values);
      task_->handled.resize(block.num_handled);
      task_->handled.push_back(held);
      Push(held);
      running.at = block.handler;
      return true;
    }
    if (running.generator != nullptr && error.kind == lang::LangError::Kind::kRaised) {
      error.object = LeavingGenerator(*running.generator, held);
      error.type = lang::TypeName(error.object);
    }
    DropFrame();
  }
  return false;
}

// What was being handled when the error was raised, unless that would make a circle.
Fault Machine::SetContext(ErrorObject& error) {
  if (task_->handled.empty()) return Fault();
  const Value& handled = task_->handled.back();
  for (auto* at = Exactly<ErrorObject>(handled); at != nullptr;
       at = Exactly<ErrorObject>(at->context)) {
    ESP_TRY(Step());
    if (at == &error) return Fault();
    if (Exactly<ErrorObject>(at->context) == &error) at->context = Value();
  }
  error.context = handled;
  return Fault();
}

void Machine::DropFrame() {
  const Frame ending = std::move(frame());
  task_->frames.pop_back();
  task_->values.resize(ending.base);
  task_->blocks.resize(ending.first_block);
  task_->handled.resize(ending.first_handled);
  if (ending.generator != nullptr) ending.generator->Finish();
}

// An exception, or a type of one, as an exception.
Outcome<Value> Machine::ErrorFrom(const Value& value) {
  if (Exactly<ErrorObject>(value) != nullptr) return value;
  if (IsErrorType(value)) {
    ESP_TRY_ASSIGN(Value made, lang::ExtensionOf(value).Call(*this, {}));
    if (Exactly<ErrorObject>(made) != nullptr) return made;
  }
  return lang::TypeError("exceptions must derive from BaseException");
}

Outcome<Value> Machine::CauseFrom(const Value& value) {
  if (Exactly<ErrorObject>(value) != nullptr) return value;
  if (IsErrorType(value)) {
    ESP_TRY_ASSIGN(Value made, lang::ExtensionOf(value).Call(*this, {}));
    if (Exactly<ErrorObject>(made) != nullptr) return made;
  }
  return lang::TypeError("exception causes must derive from BaseException");
}

Fault Machine::Throw(Value error) {
  const auto& object = static_cast<const ErrorObject&>(*error.object());
  return Fault(lang::LangError{std::string(object.kind().name), object.message,
                               lang::LangError::Kind::kRaised, std::move(error)});
}

Fault Machine::Rethrow(Value error) {
  rethrown_ = true;
  return Throw(std::move(error));
}

Fault Machine::RaiseOp(int arg) {
  if (arg == 0) {
    if (task_->handled.empty()) {
      return lang::Raise("RuntimeError", "No active exception to reraise");
    }
    return Rethrow(task_->handled.back());
  }
  const Value cause = arg == 2 ? Pop() : Value();
  ESP_TRY_ASSIGN(Value error, ErrorFrom(Pop()));
  auto& object = static_cast<ErrorObject&>(*error.object());
  if (!object.trace.empty()) ESP_TRY(SetContext(object));
  if (arg == 2) {
    object.cause = Value();
    object.suppress_context = true;
    if (!cause.is_none()) {
      ESP_TRY_ASSIGN(object.cause, CauseFrom(cause));
    }
  }
  return Throw(std::move(error));
}

// error type -> error bool
Fault Machine::MatchError() {
  const Value wanted = Pop();
  const Value raised = Top();
  const auto* tuple = wanted.If<lang::Tuple>();
  bool found = false;
  for (const Value& type : tuple != nullptr ? tuple->items() : std::vector<Value>{wanted}) {
    if (!IsErrorType(type)) {
      return lang::TypeError(
          "catching classes that do not inherit from BaseException is not allowed");
    }
    found |= static_cast<const ErrorObject*>(raised.object())->IsA(type);
  }
  PushBool(found);
  return Fault();
}

// The steps of except*: frontend_lang/script/compile/bytecode.h says what each does.
Fault Machine::ExceptStar(Op op) {
  if (op == Op::kStarBegin) {
    const Value error = Pop();
    Push(heap().New<StarHandling>(error));
    return Fault();
  }
  if (op == Op::kStarMatch) {
    const Value types = Pop();
    ESP_TRY_ASSIGN(const Value taken, Exactly<StarHandling>(Top())->Take(*this, types));
    if (!taken.is_none()) task_->handled.push_back(taken);
    Push(taken);
    PushBool(!taken.is_none());
    return Fault();
  }
  if (op == Op::kStarRaised) {
    const Value raised = Pop();
    Exactly<StarHandling>(Top())->AddRaised(raised);
    task_->handled.resize(task_->handled.size() - 2);  // it, and the group of the clause
    return Fault();
  }
  const Value handling = Pop();
  task_->handled.pop_back();
  ESP_TRY_ASSIGN(Value left, Exactly<StarHandling>(handling)->Finish(*this));
  return left.is_none() ? Fault() : Rethrow(std::move(left));
}

// payload mark -> payload, at the mark; or the payload is an error that goes on.
Fault Machine::EndFinally() {
  const Value mark = Pop();
  if (mark.is_int()) {
    frame().at = static_cast<int>(mark.as_int());
    return Fault();
  }
  task_->handled.pop_back();
  return Rethrow(Pop());
}

void Machine::PopFinally(bool below_top) {
  Value top;
  if (below_top) top = Pop();
  if (!Pop().is_int()) task_->handled.pop_back();
  Drop(1);
  if (below_top) Push(std::move(top));
}

Fault Machine::WithEnter() {
  const Value held = Top();
  if (auto* instance = held.If<Instance>();
      instance != nullptr && instance->Has(Special::kEnter) && instance->Has(Special::kExit)) {
    ESP_TRY_ASSIGN(Value entered, instance->CallSpecial(*this, Special::kEnter));
    Push(std::move(entered));
    return Fault();
  }
  auto* manager = held.is_extension() ? dynamic_cast<ContextManager*>(held.object()) : nullptr;
  if (manager == nullptr) {
    return lang::TypeError("'" + std::string(lang::TypeName(held)) +
                           "' object does not support the context manager protocol");
  }
  ESP_TRY_ASSIGN(Value entered, manager->Enter(*this));
  Push(std::move(entered));
  return Fault();
}

Fault Machine::WithExit(bool below_top) {
  Value top;
  if (below_top) top = Pop();
  const Value manager = Pop();
  if (below_top) Push(std::move(top));
  return Leave(manager, Value::Unset()).TakeFault();
}

// What __exit__ is called with; Unset: no error.
Outcome<std::vector<Value>> Machine::ExitArguments(const Value& error) {
  if (error.is_unset()) return std::vector<Value>(3);
  ESP_TRY_ASSIGN(Value trace, lang::GetAttr(*this, error, "__traceback__"));
  return std::vector<Value>{TypeOf(*this, error), error, std::move(trace)};
}

// Whether the manager has dealt with the error.
Outcome<bool> Machine::Leave(const Value& manager, const Value& error) {
  auto* instance = manager.If<Instance>();
  if (instance == nullptr) {
    ESP_TRY(static_cast<ContextManager*>(manager.object())->Exit(*this, error));
    return false;
  }
  ESP_TRY_ASSIGN(const std::vector<Value> args, ExitArguments(error));
  ESP_TRY_ASSIGN(const Value answer, instance->CallSpecial(*this, Special::kExit, args));
  if (error.is_unset()) return false;
  return lang::Truth(*this, answer);
}

Fault Machine::WithError() {
  const Value error = Pop();
  const Value manager = Pop();
  ESP_TRY_ASSIGN(const bool done, Leave(manager, error));
  task_->handled.pop_back();
  return done ? Fault() : Rethrow(error);
}

}  // namespace espalier::script
