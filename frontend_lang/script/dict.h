// Dict and Set: hash maps that remember the order of insertion.
//
// Entries stand in a vector in that order; an open-addressed index of entry numbers
// finds them by hash (the layout of CPython's dict). An erased entry keeps its place
// with an Unset key until the next rebuild. Keys are equal as Python says: 1, 1.0 and
// True are one key. (A Set keeps insertion order too, where CPython's order is
// arbitrary.)
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend_lang/script/host.h"

namespace espalier::lang {

class HashTable {
 public:
  struct Entry {
    std::uint64_t hash;
    Value key;  // Unset: erased
    Value value;
  };

  std::int64_t size() const { return num_live_; }
  const std::vector<Entry>& entries() const { return entries_; }
  std::vector<Entry>& mutable_entries() { return entries_; }  // values may change, keys not
  std::int64_t size_bytes() const;

  // The entry's number, or -1. Fails when the key cannot be hashed or compared.
  Outcome<std::int64_t> Find(Host& host, const Value& key) const;
  std::int64_t FindStr(std::string_view key, std::uint64_t hash) const;  // never fails
  // Inserts or overwrites (the first key stays, as in Python).
  Fault Put(Host& host, const Value& key, Value value);
  Outcome<bool> Erase(Host& host, const Value& key);
  void EraseAt(std::int64_t entry);
  void Clear();

  // No live entry stands before this one.
  std::size_t first() const { return first_; }

 private:
  Outcome<std::int64_t> FindHashed(Host& host, const Value& key, std::uint64_t hash) const;
  void InsertNew(std::uint64_t hash, const Value& key, Value value);
  void Rebuild(std::size_t num_slots);

  std::vector<Entry> entries_;
  std::vector<std::int32_t> slots_;  // power of two; kFree, kErased or an entry number
  std::int64_t num_live_ = 0;
  std::size_t first_ = 0;
  std::int64_t num_used_slots_ = 0;  // kErased ones included
};

// What Dict and Set share: the table, its account, a place to iterate from.
class HashContainer : public Container {
 public:
  std::int64_t size() const { return table_.size(); }
  const std::vector<HashTable::Entry>& entries() const { return table_.entries(); }

  // Moves `position` to the first live entry at or after it; null at the end.
  const HashTable::Entry* EntryAt(std::size_t& position) const;

  Outcome<bool> Contains(Host& host, const Value& key) const;
  Outcome<bool> Erase(Host& host, const Value& key);
  void EraseAll();

 protected:
  HashContainer(Heap& heap, Type type) : Container(heap, type) {}
  void Clear() override { table_.Clear(); }
  void Recount() { Charge(static_cast<std::int64_t>(sizeof(HashContainer)) + table_.size_bytes()); }

  HashTable table_;
};

class Dict final : public HashContainer {
 public:
  static constexpr Type kType = Type::kDict;

  explicit Dict(Heap& heap) : HashContainer(heap, kType) { Recount(); }

  // The value at key, or null; valid until the next change.
  Outcome<const Value*> Find(Host& host, const Value& key) const;
  const Value* FindStr(std::string_view key) const;  // never fails
  Fault Put(Host& host, const Value& key, Value value);
  void PutStr(Host& host, std::string_view key, Value value);  // never fails
  // The value at key, taken out; Unset when absent.
  Outcome<Value> Pop(Host& host, const Value& key);
};

class Set final : public HashContainer {
 public:
  static constexpr Type kType = Type::kSet;

  explicit Set(Heap& heap) : HashContainer(heap, kType) { Recount(); }

  Fault Add(Host& host, const Value& key);
};

}  // namespace espalier::lang
