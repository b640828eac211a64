// The iterators that a run loop meets most, so that it can step them without a call:
// over lists and tuples, and over ranges. (The others: iterate.cc.)
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/extension.h"

namespace espalier::lang {

// Reads its list or tuple at each step, so a list that grows meanwhile is seen to grow.
class SequenceIterator final : public Iterator {
 public:
  // REQUIRES: sequence is a list or tuple.
  SequenceIterator(Heap& heap, Value sequence) : Iterator(heap), sequence_(std::move(sequence)) {}

  std::string_view TypeName() const override {
    return sequence_.type() == Type::kTuple ? "tuple_iterator" : "list_iterator";
  }
  Outcome<bool> Next(Host&, Value& value) override {
    const Value* item = Step();
    if (item == nullptr) return false;
    value = *item;
    return true;
  }

  // The next item, valid until the sequence changes; null at the end, for ever after.
  const Value* Step() {
    const std::vector<Value>* items = nullptr;
    if (const List* list = sequence_.If<List>()) {
      items = &list->items();
    } else if (const Tuple* tuple = sequence_.If<Tuple>()) {
      items = &tuple->items();
    }
    if (items != nullptr && next_ < items->size()) return &(*items)[next_++];
    sequence_ = Value();
    return nullptr;
  }

 private:
  void Clear() override { sequence_ = Value(); }

  Value sequence_;  // None at the end
  std::size_t next_ = 0;
};

class RangeIterator final : public Iterator {
 public:
  enum class Direction { kForth, kBack };

  RangeIterator(Heap& heap, const Range& range)
      : Iterator(heap), next_(range.start()), step_(range.step()), num_left_(range.size()) {}
  // REQUIRES: range.size() > 0, and no step of the least int64.
  RangeIterator(Heap& heap, const Range& range, Direction direction) : RangeIterator(heap, range) {
    if (direction == Direction::kForth) return;
    next_ = range[range.size() - 1];
    step_ = -step_;
  }

  std::string_view TypeName() const override { return "range_iterator"; }
  Outcome<bool> Next(Host&, Value& value) override {
    if (done()) return false;
    value = Value::Int(Step());
    return true;
  }

  bool done() const { return num_left_ == 0; }
  // REQUIRES: !done()
  std::int64_t Step() {
    const std::int64_t value = next_;
    if (--num_left_ > 0) next_ += step_;  // past the last it might not fit
    return value;
  }

 private:
  std::int64_t next_, step_, num_left_;
};

}  // namespace espalier::lang
