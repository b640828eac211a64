// Set: set and frozenset. A table of slots, laid out as CPython 3.11's, so that members are
// walked through, and popped, in CPython's order.
//
//   1. A member stands in its hash's probe sequence (set.cc), in front of the first slot there that
//      was free: in the last slot before that which a member had left, or in that one itself.
//      A slot that has been left stays taken until then, or until the table is made anew.
//   2. Members and left slots fill less than 3/5 of the table; then it is made anew, in the
//      order of the old one. It shrinks only then, too.
//   3. The table's size and the order in it follow from the operations alone.
//
// Hash and Equals may run the program's own code, which may change this very set: then the
// search begins anew, as in CPython.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "frontend_lang/script/values/host.h"

namespace espalier::lang {

class Set final : public Container {
 public:
  static constexpr Type kType = Type::kSet;

  // A frozenset is filled by who makes it and changes no more.
  enum class Kind : unsigned char { kSet, kFrozen };

  struct Entry {
    Value key = Value::Unset();  // Unset: no member
    std::uint64_t hash = 0;      // kNoHash where one has left
  };

  explicit Set(Heap& heap, Kind kind = Kind::kSet) : Container(heap, kType), kind_(kind) {}

  bool frozen() const { return kind_ == Kind::kFrozen; }
  Kind kind() const { return kind_; }
  std::int64_t size() const { return static_cast<std::int64_t>(num_members_); }

  // Moves `slot` to the first one at or after it that holds a member; null at the end.
  const Entry* EntryAt(std::size_t& slot) const;

  Outcome<bool> Contains(Host& host, const Value& key) const;
  Fault Add(Host& host, const Value& key);
  Outcome<bool> Erase(Host& host, const Value& key);
  // The same where the key's hash is known.
  Outcome<bool> Contains(Host& host, const Entry& member) const;
  Fault Add(Host& host, const Entry& member);
  Outcome<bool> Erase(Host& host, const Entry& member);

  // Adds all members of `other`, which the caller holds.
  Fault AddAll(Host& host, const Set& other);
  // Makes room for that many members more.
  Fault Expect(Host& host, std::size_t num_members);
  // Some member, taken out. REQUIRES: size() > 0
  Outcome<Value> Pop(Host& host);
  // Forgets left slots, where they are many.
  Fault Tidy(Host& host);
  void EraseAll();
  // Takes over the members of `other`, and the other way round.
  void SwapMembers(Set& other);

  // A frozenset's hash: the same whatever the order.
  std::uint64_t HashOfMembers() const;

 private:
  class Probe;

  void Clear() override;
  std::size_t mask() const { return slots_.empty() ? kMinSlots - 1 : slots_.size() - 1; }
  // The slot of the member, or the one where it would stand. REQUIRES: !slots_.empty()
  Outcome<std::size_t> Find(Host& host, const Entry& member) const;
  void Leave(Entry& entry);
  // A new table of more than `wanted` slots.
  Fault Rebuild(Host& host, std::size_t wanted);
  Fault Shrink(Host& host);
  void PutNew(Entry entry);  // REQUIRES: nothing equal is there, and nobody has left
  Fault CopyOf(Host& host, const Set& other);

  static constexpr std::size_t kMinSlots = 8;

  std::vector<Entry> slots_;       // a power of two; none until the first member comes
  std::size_t num_members_ = 0;    // that stand there
  std::size_t num_taken_ = 0;      // those, and left slots
  std::size_t next_pop_ = 0;       // slot at which Pop begins to look
  mutable std::size_t first_ = 0;  // no member stands before this slot
  const Kind kind_;
};

}  // namespace espalier::lang
