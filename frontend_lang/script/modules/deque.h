// collections.deque: a list that grows and shrinks at both ends.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <deque>
#include <optional>

#include "frontend_lang/script/modules/standard_modules.h"

namespace espalier::script {

class Deque final : public Accumulator {
 public:
  Deque(Heap& heap, std::optional<std::int64_t> max_length)
      : Accumulator(heap), max_length_(max_length) {}

  enum class End : unsigned char { kLeft, kRight };
  void Push(Value value, End end);  // drops one at the other end when it is full
  std::optional<Value> Pop(End end);

  std::int64_t size() const { return static_cast<std::int64_t>(items_.size()); }
  const std::deque<Value>& items() const { return items_; }
  std::deque<Value>& mutable_items();  // counts as a change
  std::uint64_t num_changes() const { return num_changes_; }
  const std::optional<std::int64_t>& max_length() const { return max_length_; }

  std::string_view TypeName() const override { return "deque"; }
  Outcome<bool> Truth(Host&) override { return !items_.empty(); }
  Outcome<bool> Equals(Host& host, const Value& other) override;
  Outcome<std::uint64_t> Hash(Host& host) override;
  Outcome<std::string> Repr(Host& host) override;
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<Value> GetItem(Host& host, const Value& key) override;
  Outcome<bool> SetItem(Host& host, const Value& key, Value value) override;
  Outcome<bool> DelItem(Host& host, const Value& key) override;
  Outcome<Value> Length(Host&) override { return Value::Int(size()); }
  Outcome<Value> Iterate(Host& host) override;
  Outcome<Value> Binary(Host& host, lang::BinaryOp op, const Value& other,
                        lang::Side side) override;
  Outcome<Value> AddInPlace(Host& host, const Value& value) override;
  Outcome<Value> Compare(Host& host, lang::CompareOp op, const Value& other) override;

 private:
  void Clear() override { items_.clear(); }
  void Changed();
  Outcome<std::size_t> Index(const Value& key) const;

  std::deque<Value> items_;
  const std::optional<std::int64_t> max_length_;
  std::uint64_t num_changes_ = 0;
};

Value NewDequeType(Machine& machine);

}  // namespace espalier::script
