// List, Tuple, Range, Slice. (Dict and Set: dict.h. Str: frontend_lang/script/values/text/str.h.)
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "frontend_lang/script/values/heap.h"

namespace espalier::lang {

class List final : public Container {
 public:
  static constexpr Type kType = Type::kList;

  explicit List(Heap& heap, std::vector<Value> items = {})
      : Container(heap, kType), items_(std::move(items)) {
    Recount();
  }

  std::int64_t size() const { return static_cast<std::int64_t>(items_.size()); }
  const std::vector<Value>& items() const { return items_; }
  const Value& operator[](std::int64_t i) const { return items_[static_cast<std::size_t>(i)]; }

  void Append(Value value) {
    const bool grows = items_.size() == items_.capacity();
    items_.push_back(std::move(value));
    if (grows) Recount();
  }
  void Put(std::int64_t i, Value value) { items_[static_cast<std::size_t>(i)].swap(value); }

  // Takes the items out for an operation that calls back (a sort): the list is empty
  // meanwhile, so nobody sees it half done. Replace puts them back.
  std::vector<Value> Take() { return std::exchange(items_, {}); }
  void Replace(std::vector<Value> items) {
    items_.swap(items);
    Recount();
  }
  // The items, to be changed in place without calling back; then Recount.
  std::vector<Value>& mutable_items() { return items_; }
  void Recount() {
    Charge(static_cast<std::int64_t>(sizeof(List) + items_.capacity() * sizeof(Value)));
  }

 private:
  void Clear() override { Take(); }

  std::vector<Value> items_;
};

class Tuple final : public Container {
 public:
  static constexpr Type kType = Type::kTuple;

  explicit Tuple(Heap& heap, std::vector<Value> items = {})
      : Container(heap, kType), items_(std::move(items)) {
    Charge(static_cast<std::int64_t>(sizeof(Tuple) + items_.capacity() * sizeof(Value)));
  }

  std::int64_t size() const { return static_cast<std::int64_t>(items_.size()); }
  const std::vector<Value>& items() const { return items_; }
  const Value& operator[](std::int64_t i) const { return items_[static_cast<std::size_t>(i)]; }

 private:
  void Clear() override { items_.clear(); }

  std::vector<Value> items_;
};

// Takes out, or puts in, one item. The rest is moved as bytes, which a Value may be: item by
// item a queue made of a list would take ten times as long.
void EraseItem(std::vector<Value>& items, std::size_t at);
void InsertItem(std::vector<Value>& items, std::size_t at, Value item);

// The integers start, start + step, ... before stop.
class Range final : public Object {
 public:
  static constexpr Type kType = Type::kRange;

  // REQUIRES: step != 0
  Range(Heap& heap, std::int64_t start, std::int64_t stop, std::int64_t step);

  std::int64_t start() const { return start_; }
  std::int64_t stop() const { return stop_; }
  std::int64_t step() const { return step_; }
  std::int64_t size() const { return size_; }
  // REQUIRES: i < size(). The product may pass 64 bits; the sum does not.
  std::int64_t operator[](std::int64_t i) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(start_) +
                                     static_cast<std::uint64_t>(i) *
                                         static_cast<std::uint64_t>(step_));
  }
  bool Contains(std::int64_t value) const;

 private:
  std::int64_t start_, stop_, step_, size_;
};

// What stands in [start:stop:step]; an absent part is None.
class Slice final : public Container {
 public:
  static constexpr Type kType = Type::kSlice;

  Slice(Heap& heap, Value start, Value stop, Value step)
      : Container(heap, kType),
        start_(std::move(start)),
        stop_(std::move(stop)),
        step_(std::move(step)) {}

  const Value& start() const { return start_; }
  const Value& stop() const { return stop_; }
  const Value& step() const { return step_; }

 private:
  void Clear() override { start_ = stop_ = step_ = Value(); }

  Value start_, stop_, step_;
};

}  // namespace espalier::lang
