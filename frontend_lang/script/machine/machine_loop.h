// Machine::Loop: the running frame in registers, for machine_run.cc alone.
//
// Thread safety: none; one thread a Machine.
#pragma once

#include <memory>
#include <utility>

#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/syntax/ast.h"

namespace espalier::script {

#define ESP_INLINE [[gnu::always_inline]] inline

// The running frame in registers, and the instructions on common operands. Each of these
// returns false, with nothing changed, when its operands are not common.
//
// All is inlined into Machine::RunFrames, and the one Loop there is never referred to: so the
// compiler can keep the members in registers.
class Machine::Loop {
 public:
  ESP_INLINE explicit Loop(Machine& machine) : machine_(machine), task_(*machine.task_) { Load(); }

  ESP_INLINE const Instruction& Next() { return *next_++; }
  ESP_INLINE bool Try(const Instruction& instruction);

  // The two forms of a task: as this loop runs it, and as Machine::Execute does.
  ESP_INLINE void Load();
  ESP_INLINE void Save();

 private:
  ESP_INLINE bool LoadLocal(int slot);
  ESP_INLINE bool LoadCell(int slot);
  ESP_INLINE bool LoadGlobal(int slot);
  ESP_INLINE bool StoreTo(Value& variable);
  ESP_INLINE bool Compare(CompareOp op);
  ESP_INLINE bool CompareInts(CompareOp op, std::int64_t a, std::int64_t b);
  ESP_INLINE bool CompareFloats(CompareOp op, double a, double b);
  ESP_INLINE bool CompareStrs(bool wanted);
  ESP_INLINE bool Answer(bool truth);
  ESP_INLINE bool Not();
  ESP_INLINE bool Jump(int target);
  ESP_INLINE bool JumpUnless(bool wanted, int target);
  ESP_INLINE bool Binary(lang::BinaryOp op);
  ESP_INLINE bool InPlaceLocal(int slot, lang::BinaryOp op);
  ESP_INLINE bool LoadItem();
  ESP_INLINE bool StoreItem();
  ESP_INLINE bool ListAppend(int below);
  ESP_INLINE bool Unpack(int count);
  ESP_INLINE bool ForIter(int target);
  ESP_INLINE bool Call(int count);
  ESP_INLINE bool CallMethod(int shape);
  ESP_INLINE bool LoadMethod(int shape);
  ESP_INLINE bool CallLoaded(int shape);
  ESP_INLINE bool LoadAttr(int name);
  ESP_INLINE bool StoreAttr(int name);
  ESP_INLINE const AttributeCache::Entry* CachedAttribute(const Value& object, int name);
  ESP_INLINE ScriptFunction* CachedMethod(const Value& object, int name);
  ESP_INLINE bool Return();

  ESP_INLINE bool Push(const Value& value) {
    std::construct_at(top_++, value);
    return true;
  }
  ESP_INLINE bool Pop() {
    std::destroy_at(--top_);
    return true;
  }
  // Puts a value in the place of the last `count`, which are numbers: none to release.
  ESP_INLINE bool Replace(int count, Value value) {
    top_ -= count;
    std::construct_at(top_++, std::move(value));
    return true;
  }
  ESP_INLINE Value& CellAt(int slot) { return static_cast<Cell*>(locals_[slot].object())->value; }

  Machine& machine_;
  Task& task_;
  LoadedFile* file_;         // of the running frame
  const Instruction* code_;  // of the running frame's routine
  const Instruction* next_;
  Value* locals_;
  Value* top_;  // one past the last value
};

// An attribute of an instance, where it lay last time; null: it is to be looked up.
inline const AttributeCache::Entry* Machine::Loop::CachedAttribute(const Value& object, int name) {
  const auto* instance = object.If<Instance>();
  if (instance == nullptr || instance->shape() == nullptr) return nullptr;
  const Shape& shape = *instance->shape();
  const std::string& text = file_->program->names[static_cast<std::size_t>(name)];
  const AttributeCache::Entry& entry = machine_.attributes_.At(shape, text);
  const bool holds =
      entry.shape == &shape && entry.name == &text && entry.version == shape.owner().version();
  return holds ? &entry : nullptr;
}

// The plain method that a class has of the name; null likewise.
inline ScriptFunction* Machine::Loop::CachedMethod(const Value& object, int name) {
  const AttributeCache::Entry* entry = CachedAttribute(object, name);
  if (entry == nullptr || entry->slot >= 0 || entry->in_class == nullptr) return nullptr;
  return Exactly<ScriptFunction>(*entry->in_class);
}

}  // namespace espalier::script
