// The run loop (machine.h tells the idea).
#include "frontend_lang/script/machine/machine_loop.h"

#include <new>
#include <stdexcept>
#include <typeinfo>

#include "frontend_lang/script/syntax/ast.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/iterators.h"
#include "frontend_lang/script/values/quick_arithmetic.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {

// What the standard library cannot allocate, or not at that length, is beyond the limit too.
Outcome<Value> Machine::Run(std::size_t num_frames) {
  try {
    return RunFrames(num_frames);
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  Fault fault = OutOfMemory();
  Unwind(fault, num_frames);
  return fault;
}

Outcome<Value> Machine::RunFrames(std::size_t num_frames) {
  Loop loop(*this);
  for (;;) {
    const Instruction& instruction = loop.Next();
    if (loop.Try(instruction)) [[likely]]
      continue;
    loop.Save();
    if (task_->frames.size() == num_frames + 1) {
      if (instruction.op == Op::kReturn) return ReturnLast();
      if (instruction.op == Op::kYield) return YieldLast();
    }
    Fault fault = Execute(instruction);
    if (!fault.ok() && !Unwind(fault, num_frames)) return fault;
    loop.Load();
  }
}

// From the last frame of a run loop: what the loop gives. A generator keeps it.
Value Machine::ReturnLast() {
  Value value = Pop();
  const Value generator = frame().generator != nullptr ? frame().function : Value();
  DropFrame();
  if (generator.is_none()) return value;
  static_cast<Generator*>(generator.object())->result = std::move(value);
  return Value();
}

Value Machine::YieldLast() {
  Value value = Pop();
  frame().generator->Suspend(*task_);
  return value;
}

// PushFrame, where the routine is plain and there is room for one frame more.
void Machine::PushPlainFrame(ScriptFunction& function) {
  const Routine& routine = function.routine();
  function.MarkCalled();
  ValueStack& values = task_->values;
  const std::size_t base = values.size() - static_cast<std::size_t>(routine.plain_arity);
  values.Reserve(routine.locals.size() + static_cast<std::size_t>(routine.max_pushed));
  values.resize(base + static_cast<std::size_t>(routine.first_free), Value::Unset());
  for (const Value& cell : function.cells) values.push_back(cell);
  task_->frames.push_back({.routine = &routine,
                           .file = &function.file(),
                           .function = Value(&function),
                           .base = base,
                           .first_block = task_->blocks.size(),
                           .first_handled = task_->handled.size(),
                           .plain = true});
}

bool Machine::Loop::Try(const Instruction& instruction) {
  const int arg = instruction.arg;
  switch (instruction.op) {
    case Op::kConstant: return Push(file_->constants[static_cast<std::size_t>(arg)]);
    case Op::kPop: return Pop();
    case Op::kDup: return Push(top_[-1]);
    case Op::kSwap: top_[-1].swap(top_[-2]); return true;
    case Op::kLoadLocal: return LoadLocal(arg);
    case Op::kStoreLocal: return StoreTo(locals_[arg]);
    case Op::kLoadCell: return LoadCell(arg);
    case Op::kStoreCell: return StoreTo(CellAt(arg));
    case Op::kLoadGlobal: return LoadGlobal(arg);
    case Op::kStoreGlobal: return StoreTo(file_->globals[static_cast<std::size_t>(arg)]);
    case Op::kLoadItem: return LoadItem();
    case Op::kStoreItem: return StoreItem();
    case Op::kBinary: return Binary(static_cast<lang::BinaryOp>(arg));
    case Op::kInPlaceLocal: return InPlaceLocal(arg >> 8, static_cast<lang::BinaryOp>(arg & 255));
    case Op::kCompare: return Compare(static_cast<CompareOp>(arg));
    case Op::kNot: return Not();
    case Op::kJump: return Jump(arg);
    case Op::kJumpIfFalse: return JumpUnless(true, arg);
    case Op::kJumpIfTrue: return JumpUnless(false, arg);
    case Op::kListAppend: return ListAppend(arg);
    case Op::kUnpack: return Unpack(arg);
    case Op::kForIter: return ForIter(arg);
    case Op::kCall: return Call(arg);
    case Op::kCallMethod: return CallMethod(arg);
    case Op::kLoadMethod: return LoadMethod(arg);
    case Op::kCallLoaded: return CallLoaded(arg);
    case Op::kLoadAttr: return LoadAttr(arg);
    case Op::kStoreAttr: return StoreAttr(arg);
    case Op::kReturn: return Return();
    default: return false;
  }
}

void Machine::Loop::Load() {
  const Frame& frame = task_.frames.back();
  file_ = frame.file;
  code_ = frame.routine->instructions.data();
  next_ = code_ + frame.at;
  locals_ = task_.values.begin() + frame.base;
  top_ = task_.values.end();
}

void Machine::Loop::Save() {
  task_.values.SetEnd(top_);
  task_.frames.back().at = static_cast<int>(next_ - code_);
}

// ---- Variables.

bool Machine::Loop::LoadLocal(int slot) { return !locals_[slot].is_unset() && Push(locals_[slot]); }

bool Machine::Loop::LoadCell(int slot) { return !CellAt(slot).is_unset() && Push(CellAt(slot)); }

bool Machine::Loop::LoadGlobal(int slot) {
  const auto at = static_cast<std::size_t>(slot);
  if (!file_->globals[at].is_unset()) return Push(file_->globals[at]);
  return !file_->builtins[at].is_unset() && Push(file_->builtins[at]);
}

bool Machine::Loop::StoreTo(Value& variable) {
  variable = std::move(top_[-1]);
  return Pop();
}

// ---- Comparing and jumping.

bool Machine::Loop::Compare(CompareOp op) {
  const Value &a = top_[-2], &b = top_[-1];
  if (a.is_int() && b.is_int()) return CompareInts(op, a.as_int(), b.as_int());
  if (a.is_float() && b.is_float()) return CompareFloats(op, a.as_float(), b.as_float());
  if (op == CompareOp::kIs || op == CompareOp::kIsNot)
    return Answer(a.Is(b) == (op == CompareOp::kIs));
  if (!a.is_str() || !b.is_str()) return false;
  if (op != CompareOp::kEqual && op != CompareOp::kNotEqual) return false;
  return CompareStrs(op == CompareOp::kEqual);
}

bool Machine::Loop::CompareInts(CompareOp op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case CompareOp::kEqual: return Answer(a == b);
    case CompareOp::kNotEqual: return Answer(a != b);
    case CompareOp::kLess: return Answer(a < b);
    case CompareOp::kLessEqual: return Answer(a <= b);
    case CompareOp::kGreater: return Answer(a > b);
    case CompareOp::kGreaterEqual: return Answer(a >= b);
    default: return false;
  }
}

bool Machine::Loop::CompareFloats(CompareOp op, double a, double b) {
  switch (op) {
    case CompareOp::kEqual: return Answer(a == b);
    case CompareOp::kNotEqual: return Answer(a != b);
    case CompareOp::kLess: return Answer(a < b);
    case CompareOp::kLessEqual: return Answer(a <= b);
    case CompareOp::kGreater: return Answer(a > b);
    case CompareOp::kGreaterEqual: return Answer(a >= b);
    default: return false;
  }
}

bool Machine::Loop::CompareStrs(bool wanted) {
  constexpr std::size_t kLong = 4096;  // longer ones are reported to the host
  const bool same = top_[-2].Is(top_[-1]);
  const std::string_view a = lang::TextOf(top_[-2]), b = lang::TextOf(top_[-1]);
  if (!same && a.size() == b.size() && a.size() > kLong) return false;
  return Answer((same || a == b) == wanted);
}

// Takes the two that were compared. Most answers go straight into a jump.
bool Machine::Loop::Answer(bool truth) {
  Pop();
  Pop();
  if (next_->op != Op::kJumpIfFalse) return Push(Value::Bool(truth));
  next_ = truth ? next_ + 1 : code_ + next_->arg;
  return true;
}

bool Machine::Loop::Not() {
  if (!top_[-1].is_bool()) return false;
  return Replace(1, Value::Bool(!top_[-1].as_bool()));
}

bool Machine::Loop::Jump(int target) {
  const Instruction* to = code_ + target;
  if (to < next_ && !machine_.TryStep()) return false;
  next_ = to;
  return true;
}

bool Machine::Loop::JumpUnless(bool wanted, int target) {
  const Value& value = top_[-1];
  if (!value.is_integral() && !value.is_none()) return false;
  const bool truth = !value.is_none() && value.as_int() != 0;
  --top_;
  if (truth != wanted) next_ = code_ + target;
  return true;
}

// ---- Numbers.

bool Machine::Loop::Binary(lang::BinaryOp op) {
  Value result;
  return lang::QuickBinary(op, top_[-2], top_[-1], result) && Replace(2, std::move(result));
}

bool Machine::Loop::InPlaceLocal(int slot, lang::BinaryOp op) {
  Value result;
  if (!lang::QuickBinary(op, top_[-2], top_[-1], result)) return false;
  top_ -= 2;
  locals_[slot] = std::move(result);
  return true;
}

// ---- Lists and loops.

namespace {

// Of a list or tuple; null for all else.
ESP_INLINE const std::vector<Value>* ItemsOf(const Value& value) {
  if (const auto* list = value.If<lang::List>()) return &list->items();
  if (const auto* tuple = value.If<lang::Tuple>()) return &tuple->items();
  return nullptr;
}

// The place of `index` among `size` items, or -1.
ESP_INLINE std::int64_t PlaceOf(const Value& index, std::int64_t size) {
  if (!index.is_int()) return -1;
  const std::int64_t place = index.as_int() < 0 ? index.as_int() + size : index.as_int();
  return place < size ? place : -1;
}

}  // namespace

bool Machine::Loop::LoadItem() {
  const std::vector<Value>* items = ItemsOf(top_[-2]);
  if (items == nullptr) return false;
  const std::int64_t place = PlaceOf(top_[-1], static_cast<std::int64_t>(items->size()));
  if (place < 0) return false;
  --top_;  // the index, an int
  top_[-1] = Value((*items)[static_cast<std::size_t>(place)]);
  return true;
}

// value list index ->
bool Machine::Loop::StoreItem() {
  auto* list = top_[-2].If<lang::List>();
  if (list == nullptr) return false;
  const std::int64_t place = PlaceOf(top_[-1], list->size());
  if (place < 0) return false;
  list->Put(place, std::move(top_[-3]));
  --top_;
  Pop();
  return Pop();
}

bool Machine::Loop::ListAppend(int below) {
  top_[-1 - below].As<lang::List>()->Append(std::move(top_[-1]));
  return Pop();
}

// sequence -> its items, the first on top
bool Machine::Loop::Unpack(int count) {
  const std::vector<Value>* items = ItemsOf(top_[-1]);
  if (items == nullptr || items->size() != static_cast<std::size_t>(count)) return false;
  const Value sequence = std::move(top_[-1]);
  --top_;
  for (std::size_t i = items->size(); i-- > 0;) Push((*items)[i]);
  return true;
}

bool Machine::Loop::ForIter(int target) {
  lang::Object& iterator = *top_[-1].object();
  const std::type_info* type = &typeid(iterator);
  if (type == &typeid(lang::RangeIterator)) {
    auto& range = static_cast<lang::RangeIterator&>(iterator);
    if (!machine_.TryStep()) return false;
    if (!range.done()) return Push(Value::Int(range.Step()));
  } else if (type == &typeid(lang::SequenceIterator)) {
    if (!machine_.TryStep()) return false;
    const Value* item = static_cast<lang::SequenceIterator&>(iterator).Step();
    if (item != nullptr) return Push(*item);
  } else {
    return false;
  }
  next_ = code_ + target;
  return Pop();
}

// ---- Calls: what PushFrame and ReturnValue do, where all is plain.

bool Machine::Loop::Call(int count) {
  auto* function = Exactly<ScriptFunction>(top_[-1 - count]);
  if (function == nullptr || function->routine().plain_arity != count) return false;
  if (task_.frames.size() >= static_cast<std::size_t>(machine_.options_.max_depth)) return false;
  if (!machine_.TryStep()) return false;
  Save();
  machine_.PushPlainFrame(*function);
  Load();
  return true;
}

// ---- Attributes of instances, where they lie where they lay last time.

bool Machine::Loop::LoadAttr(int name) {
  const AttributeCache::Entry* entry = CachedAttribute(top_[-1], name);
  if (entry == nullptr || entry->slot < 0) return false;
  top_[-1] = Value(top_[-1].As<Instance>()->slot(entry->slot));
  return true;
}

// value object ->
bool Machine::Loop::StoreAttr(int name) {
  const AttributeCache::Entry* entry = CachedAttribute(top_[-1], name);
  if (entry == nullptr || entry->slot < 0) return false;
  auto* instance = top_[-1].As<Instance>();
  if (instance->Has(Special::kSetAttr)) return false;
  instance->slot(entry->slot).swap(top_[-2]);
  Pop();
  return Pop();
}

bool Machine::Loop::CallMethod(int shape) {
  const CallShape& call = file_->program->call_shapes[static_cast<std::size_t>(shape)];
  if (!call.keywords.empty()) return false;
  const Value& object = top_[-1 - call.num_positional];
  ScriptFunction* function = CachedMethod(object, call.name);
  if (function == nullptr || function->routine().plain_arity != call.num_positional + 1) {
    return false;
  }
  if (task_.frames.size() >= static_cast<std::size_t>(machine_.options_.max_depth)) return false;
  if (!machine_.TryStep()) return false;
  Save();
  task_.values.InsertBelow(static_cast<std::size_t>(call.num_positional) + 1, Value(function));
  machine_.PushPlainFrame(*function);
  Load();
  return true;
}

bool Machine::Loop::LoadMethod(int shape) {
  const CallShape& call = file_->program->call_shapes[static_cast<std::size_t>(shape)];
  ScriptFunction* function = CachedMethod(top_[-1], call.name);
  if (function == nullptr) return false;
  Push(top_[-1]);
  top_[-2] = Value(function);
  return true;
}

bool Machine::Loop::CallLoaded(int shape) {
  const CallShape& call = file_->program->call_shapes[static_cast<std::size_t>(shape)];
  const Value& self = top_[-1 - call.num_positional];
  return call.keywords.empty() && self.type() == lang::Type::kInstance &&
         Call(call.num_positional + 1);
}

bool Machine::Loop::Return() {
  if (!task_.frames.back().plain) return false;
  Value& result = locals_[-1];  // in the place of the callee
  result = std::move(top_[-1]);
  while (top_ > locals_) Pop();
  task_.frames.pop_back();
  task_.values.SetEnd(top_);
  Load();
  return true;
}

}  // namespace espalier::script
