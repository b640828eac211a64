#include "frontend_lang/script/machine/machine.h"

#include <algorithm>
#include <functional>
#include <thread>

#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/syntax/ast.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/dict_operations.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/set_operations.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
Machine::Machine(std::shared_ptr<const Program> program, MachineOptions options)
    : Host(options.limits), options_(std::move(options)) {
  files_.push_back(std::make_unique<LoadedFile>(heap(), std::move(program), builtins_));
}

Machine::~Machine() = default;

void Machine::AddBuiltin(std::string_view name, Value value) {
  if (const int slot = files_[0]->SlotOf(name); slot >= 0) {
    files_[0]->builtins[static_cast<std::size_t>(slot)] = value;
  }
  builtins_[std::string(name)] = std::move(value);
}

Value Machine::FindType(std::string_view name) const {
  const auto found = types_.find(std::string(name));
  return found == types_.end() ? Value::Unset() : found->second;
}

Value Machine::Builtin(std::string_view name) const {
  const auto found = builtins_.find(std::string(name));
  return found == builtins_.end() ? Value::Unset() : found->second;
}

Fault Machine::SleepUntil(ProgramClock::TimePoint time) {
  if (strands_ != nullptr) {
    std::function<void()> wake;  // that nobody calls
    return strands_->Wait(wake, time, Strands::Sleep::kReal);
  }
  const auto end = time - clock_.skipped();
  std::this_thread::sleep_until(std::min(end, deadline().value_or(end)));
  return CheckLimits();
}

Value Machine::Global(std::string_view name) const { return files_[0]->Global(name); }

Fault Machine::RunFile(std::string_view name) {
  ESP_TRY(Run(*files_[0], name));
  return CloseUnfinished();
}

Fault Machine::Run(LoadedFile& file, std::string_view name) {
  file.module_name = name;
  const std::string& doc = file.program->routines[0]->doc;
  const auto set = [&file](std::string_view global, Value value) {
    const int slot = file.SlotOf(global);
    if (slot >= 0) file.globals[static_cast<std::size_t>(slot)] = std::move(value);
  };
  set("__name__", lang::MakeStr(heap(), name));
  set("__doc__", doc.empty() ? Value() : lang::MakeStr(heap(), doc));
  set("__file__", lang::MakeStr(heap(), file.program->source->name()));
  const Value body = heap().New<ScriptFunction>(file, *file.program->routines[0]);
  auto outcome = Call(body, {});
  return outcome.ok() ? Fault() : outcome.TakeFault();
}

namespace {

// A Counter takes over what the operation makes: it stays the same object.
Fault AugmentDict(Host& host, lang::BinaryOp op, Value& target, const Value& right) {
  Value made = target;
  ESP_TRY(lang::BinaryInPlace(host, op, made, right));
  if (made.Is(target) || made.type() != lang::Type::kDict) {
    target = std::move(made);
    return Fault();
  }
  auto& dict = *target.As<lang::Dict>();
  dict.EraseAll();
  return lang::UpdateDict(host, dict, made);
}

}  // namespace

Fault Machine::Augment(lang::BinaryOp op, Value& target, const Value& right) {
  if (auto* instance = target.If<Instance>()) {
    ESP_TRY_ASSIGN(Value answer, InPlaceSpecial(*this, *instance, op, right));
    if (!answer.is_unset()) {
      target = std::move(answer);
      return Fault();
    }
  } else if (op == lang::BinaryOp::kAdd && target.is_extension()) {
    if (auto* accumulator = dynamic_cast<Accumulator*>(target.object())) {
      ESP_TRY_ASSIGN(target, accumulator->AddInPlace(*this, right));
      return Fault();
    }
  }
  if (const auto* dict = target.If<lang::Dict>(); dict && dict->kind() && dict->kind()->binary) {
    return AugmentDict(*this, op, target, right);
  }
  return lang::BinaryInPlace(*this, op, target, right);
}

// x y -> ; x is what the variable held. A string that only the variable holds grows
// where it is. Anything else may run script, so the variable is looked up again.
template <typename Variable>
Fault Machine::InPlace(Variable variable, int op) {
  const Value right = Pop();
  Value target = Pop();
  if (target.is_str() && right.is_str() && variable().Is(target)) {
    target = Value();
    return lang::BinaryInPlace(*this, static_cast<lang::BinaryOp>(op), variable(), right);
  }
  ESP_TRY(Augment(static_cast<lang::BinaryOp>(op), target, right));
  variable() = std::move(target);
  return Fault();
}

// The instructions that a loop is made of; the rest is in ExecuteStack and so on.
Fault Machine::Execute(Instruction instruction) {
  const int arg = instruction.arg;
  switch (instruction.op) {
    case Op::kConstant:
      Push(frame().file->constants[static_cast<std::size_t>(arg)]);
      return Fault();
    case Op::kLoadLocal: return LoadLocal(arg);
    case Op::kLoadIfBound:
      if (!Local(arg).is_unset()) Push(Value(Local(arg))), ++frame().at;
      return Fault();
    case Op::kStoreLocal: Local(arg) = Pop(); return Fault();
    case Op::kLoadGlobal: return LoadGlobal(arg);
    case Op::kStoreGlobal: GlobalAt(arg) = Pop(); return Fault();
    case Op::kBinary: return BinaryOperator(static_cast<lang::BinaryOp>(arg));
    case Op::kCompare: return CompareValues(arg);
    case Op::kJump:
      if (arg < frame().at) ESP_TRY(Step());  // first: an error belongs to this instruction
      if (heap().has_unfinished()) ESP_TRY(CloseUnfinished());
      frame().at = arg;
      return Fault();
    case Op::kJumpIfFalse: return JumpUnless(true, arg, false);
    case Op::kJumpIfTrue: return JumpUnless(false, arg, false);
    case Op::kForIter: return NextItem(arg);
    case Op::kCall: return CallWith(static_cast<std::size_t>(arg), nullptr);
    case Op::kCallMethod:
      return CallMethodShape(frame().file->program->call_shapes[static_cast<std::size_t>(arg)]);
    case Op::kLoadMethod:
      return LoadMethod(frame().file->program->call_shapes[static_cast<std::size_t>(arg)]);
    case Op::kCallLoaded:
      return CallLoaded(frame().file->program->call_shapes[static_cast<std::size_t>(arg)]);
    case Op::kInPlaceLocal: return InPlace([&]() -> Value& { return Local(arg >> 8); }, arg & 255);
    case Op::kInPlaceGlobal:
      return InPlace([&]() -> Value& { return GlobalAt(arg >> 8); }, arg & 255);
    case Op::kInPlaceCell:
      return InPlace([&]() -> Value& { return CellAt(arg >> 8).value; }, arg & 255);
    default: return ExecuteStack(instruction);
  }
}

Fault Machine::ExecuteStack(Instruction instruction) {
  const int arg = instruction.arg;
  switch (instruction.op) {
    case Op::kPop: Drop(1); return Fault();
    case Op::kDup: Push(Value(Top())); return Fault();
    case Op::kSwap: Top().swap(Top(1)); return Fault();
    case Op::kRotateThree:
      Top().swap(Top(1));
      Top(1).swap(Top(2));
      return Fault();
    case Op::kDupTwo:
      Push(Value(Top(1)));
      Push(Value(Top(1)));
      return Fault();
    case Op::kLoadCell: return LoadCell(arg);
    case Op::kStoreCell: CellAt(arg).value = Pop(); return Fault();
    case Op::kDeleteLocal:
      return DeleteVariable(Local(arg), frame().routine->locals[static_cast<std::size_t>(arg)],
                            true);
    case Op::kDeleteCell:
      return DeleteVariable(CellAt(arg).value,
                            frame().routine->locals[static_cast<std::size_t>(arg)], true);
    case Op::kDeleteGlobal:
      return DeleteVariable(GlobalAt(arg),
                            frame().file->program->globals[static_cast<std::size_t>(arg)], false);
    case Op::kNot: {
      ESP_TRY_ASSIGN(const bool truth, lang::Truth(*this, Top()));
      Top() = Value::Bool(!truth);
      return Fault();
    }
    case Op::kUnary: {
      ESP_TRY_ASSIGN(Top(), lang::Unary(*this, static_cast<lang::UnaryOp>(arg), Top()));
      return Fault();
    }
    case Op::kInPlace: {
      const Value right = Pop();
      Value target = Pop();
      ESP_TRY(Augment(static_cast<lang::BinaryOp>(arg), target, right));
      Push(std::move(target));
      return Fault();
    }
    case Op::kJumpIfFalseKeep: return JumpUnless(true, arg, true);
    case Op::kJumpIfTrueKeep: return JumpUnless(false, arg, true);
    case Op::kLoadAttr: return LoadAttribute(Name(arg));
    case Op::kLoadType: Top() = TypeOf(*this, Value(Top())); return Fault();
    case Op::kStoreAttr: return StoreAttribute(Name(arg));
    case Op::kLoadItem: {
      const Value key = Pop();
      ESP_TRY_ASSIGN(Top(), lang::GetItem(*this, Value(Top()), key));
      return Fault();
    }
    case Op::kStoreItem: {
      const Value key = Pop();
      const Value object = Pop();
      return lang::SetItem(*this, object, key, Pop());
    }
    case Op::kDeleteItem: {
      const Value key = Pop();
      return lang::DelItem(*this, Pop(), key);
    }
    default: return ExecuteBuild(instruction);
  }
}

Fault Machine::ExecuteBuild(Instruction instruction) {
  const int arg = instruction.arg;
  const auto take = [this](int count) {
    auto& values = task_->values;
    Value* const begin = values.end() - count;
    std::vector<Value> items(std::make_move_iterator(begin), std::make_move_iterator(values.end()));
    values.erase(begin, values.end());
    return items;
  };
  switch (instruction.op) {
    case Op::kBuildTuple: Push(heap().New<lang::Tuple>(take(arg))); return Fault();
    case Op::kBuildList: Push(heap().New<lang::List>(take(arg))); return Fault();
    case Op::kBuildSet: {
      const std::vector<Value> items = take(arg);
      Push(heap().New<lang::Set>());
      for (const Value& item : items) ESP_TRY(Top().As<lang::Set>()->Add(*this, item));
      return Fault();
    }
    case Op::kBuildDict: return BuildDict(arg);
    case Op::kBuildString: return BuildString(arg);
    case Op::kBuildSlice: {
      Value step = Pop(), stop = Pop();
      Top() = heap().New<lang::Slice>(Value(Top()), std::move(stop), std::move(step));
      return Fault();
    }
    case Op::kListAppend: {
      Value item = Pop();
      Top(static_cast<std::size_t>(arg) - 1).As<lang::List>()->Append(std::move(item));
      return Fault();
    }
    case Op::kSetAdd: {
      const Value item = Pop();
      return Top(static_cast<std::size_t>(arg) - 1).As<lang::Set>()->Add(*this, item);
    }
    case Op::kDictPut: {
      Value value = Pop();
      const Value key = Pop();
      return Top(static_cast<std::size_t>(arg) - 1)
          .As<lang::Dict>()
          ->Put(*this, key, std::move(value));
    }
    case Op::kListExtend: return Extend(arg == 1 ? Value(Top(2)) : Value::Unset());
    case Op::kSetExtend: return ExtendSet();
    case Op::kDictMerge: return MergeDict(false);
    case Op::kKeywordMerge: return MergeDict(true);
    case Op::kListToTuple:
      ESP_TRY(Reserve(Top().As<lang::List>()->size(), sizeof(Value)));
      Top() = heap().New<lang::Tuple>(std::vector<Value>(Top().As<lang::List>()->items()));
      return Fault();
    case Op::kFormat: return FormatField(arg);
    case Op::kUnpack: return Unpack(arg);
    case Op::kUnpackStar: return UnpackStar(arg >> 16, arg & 0xFFFF);
    case Op::kIterate: {
      ESP_TRY_ASSIGN(Top(), lang::Iterate(*this, Value(Top())));
      return Fault();
    }
    case Op::kMakeFunction:
      return MakeFunction(*frame().file->program->routines[static_cast<std::size_t>(arg)]);
    case Op::kCallKeywords: {
      const CallShape& shape = frame().file->program->call_shapes[static_cast<std::size_t>(arg)];
      return CallWith(static_cast<std::size_t>(shape.num_positional), &shape.keywords);
    }
    case Op::kCallSpread: return CallSpread();
    case Op::kReturn: return ReturnValue(Pop());
    case Op::kYield: return YieldValue();
    default: return ExecuteBlock(instruction);
  }
}

Fault Machine::ExecuteBlock(Instruction instruction) {
  const int arg = instruction.arg;
  switch (instruction.op) {
    case Op::kPushBlock:
      task_->blocks.push_back({arg, task_->values.size(), task_->handled.size()});
      return Fault();
    case Op::kPushWith:
      task_->blocks.push_back({arg, task_->values.size() - 1, task_->handled.size()});
      return Fault();
    case Op::kPopBlock: task_->blocks.pop_back(); return Fault();
    case Op::kMatchError: return MatchError();
    case Op::kStarBegin:
    case Op::kStarMatch:
    case Op::kStarRaised:
    case Op::kStarEnd: return ExceptStar(instruction.op);
    case Op::kEndHandler: task_->handled.pop_back(); return Fault();
    case Op::kReraise: task_->handled.pop_back(); return Rethrow(Pop());
    case Op::kRaise: return RaiseOp(arg);
    case Op::kAssertFail: {
      if (arg == 0) return lang::Raise("AssertionError", "");
      return Throw(
          heap().New<ErrorObject>(*FindErrorKind("AssertionError"), std::vector<Value>{Pop()}));
    }
    case Op::kPushResume: Push(Value::Int(arg)); return Fault();
    case Op::kEndFinally: return EndFinally();
    case Op::kPopFinally: PopFinally(arg == 1); return Fault();
    case Op::kWithEnter: return WithEnter();
    case Op::kWithExit: return WithExit(arg == 1);
    case Op::kWithError: return WithError();
    case Op::kImport: return ImportModule(Name(arg));
    case Op::kImportFrom: return ImportFrom(Name(arg));
    case Op::kImportStar: return ImportStar();
    case Op::kDeleteAttr: return DeleteAttribute(*this, Pop(), Name(arg));
    case Op::kMakeClass: return MakeClass();
    default: return ExecuteGenerator(instruction);
  }
}

}  // namespace espalier::script
