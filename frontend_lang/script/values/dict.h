// Dict: a hash map that remembers the order of insertion.
//
// Entries stand in a vector in that order; an open-addressed index of entry numbers
// finds them by hash, spread with the heap's seed (the layout of CPython's dict). An erased
// entry keeps its place with an Unset key until the next rebuild. Keys are equal as Python
// says: 1, 1.0 and True are one key.
//
// Hash and Equals may run the program's own code: hold what is in use over Find, Put, Erase.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend_lang/script/values/host.h"
#include "frontend_lang/script/values/operators.h"

namespace espalier::lang {

class HashTable {
 public:
  struct Entry {
    std::uint64_t hash;
    Value key;  // Unset: erased
    Value value;
  };

  explicit HashTable(std::uint64_t seed) : seed_(seed) {}

  std::int64_t size() const { return num_live_; }
  const std::vector<Entry>& entries() const { return entries_; }
  std::int64_t size_bytes() const;

  // The entry's number, or -1. Fails when the key cannot be hashed or compared.
  Outcome<std::int64_t> Find(Host& host, const Value& key) const;
  std::int64_t FindStr(std::string_view key, std::uint64_t hash) const;  // never fails
  // Inserts or overwrites (the first key stays, as in Python).
  Fault Put(Host& host, const Value& key, Value value);
  // The same for a str, which no key of another type is taken to equal.
  void PutStr(const Value& key, std::uint64_t hash, Value value);
  Outcome<bool> Erase(Host& host, const Value& key);
  void EraseAt(std::int64_t entry);
  void Clear();

  // No live entry stands before this one.
  std::size_t first() const { return first_; }

 private:
  Outcome<std::int64_t> FindHashed(Host& host, const Value& key, std::uint64_t hash) const;
  void InsertNew(std::uint64_t hash, const Value& key, Value value);
  void Rebuild(std::size_t num_slots);
  // The slot at which the search for a hash begins. REQUIRES: there are slots
  std::size_t StartOf(std::uint64_t hash) const;

  std::uint64_t seed_;
  std::vector<Entry> entries_;
  std::vector<std::int32_t> slots_;  // power of two; kFree, kErased or an entry number
  std::int64_t num_live_ = 0;
  std::size_t first_ = 0;
  std::int64_t num_used_slots_ = 0;  // kErased ones included
};

struct Method;

// How a dict of a special kind (Counter, defaultdict, OrderedDict) differs from a plain
// one. Each lives for ever. A null function: as a plain dict does.
struct DictKind {
  std::string_view name;
  const Method* (*find_method)(std::string_view name);  // its own; dict's are tried next
  // self[key] where there is no such key.
  Outcome<Value> (*missing)(Host& host, const Value& self, const Value& key);
  Outcome<std::string> (*repr)(Host& host, const Value& self);
  // left op right, one of them of this kind; Unset: as plain dicts.
  Outcome<Value> (*binary)(Host& host, BinaryOp op, const Value& left, const Value& right);
  bool order_counts = false;     // in == of two of this kind
  bool forgives_delete = false;  // del of an absent key is no error
  bool has_factory = false;      // shows its default_factory
  // left op right, both of this kind; null: as plain dicts.
  Outcome<bool> (*holds)(Host& host, CompareOp op, const Value& left, const Value& right) = nullptr;
};

class Dict final : public Container {
 public:
  static constexpr Type kType = Type::kDict;

  explicit Dict(Heap& heap, const DictKind* kind = nullptr)
      : Container(heap, kType), kind_(kind), table_(heap.hash_seed()) {
    Recount();
  }

  const DictKind* kind() const { return kind_; }  // null: a plain dict
  // What makes the value of an absent key: a defaultdict's function, or None.
  const Value& default_factory() const { return default_factory_; }
  void set_default_factory(Value factory) { default_factory_ = std::move(factory); }

  std::int64_t size() const { return table_.size(); }
  const std::vector<HashTable::Entry>& entries() const { return table_.entries(); }
  // Moves `position` to the first live entry at or after it; null at the end.
  const HashTable::Entry* EntryAt(std::size_t& position) const;

  // The value at key, or null; valid until the next change.
  Outcome<const Value*> Find(Host& host, const Value& key) const;
  const Value* FindStr(std::string_view key) const;  // never fails
  Outcome<bool> Contains(Host& host, const Value& key) const;
  Fault Put(Host& host, const Value& key, Value value);
  void PutStr(std::string_view key, Value value);  // never fails
  Outcome<bool> Erase(Host& host, const Value& key);
  void EraseAt(std::size_t entry) { table_.EraseAt(static_cast<std::int64_t>(entry)); }
  void EraseAll();
  // The value of entries()[entry], which goes. REQUIRES: it is a live one.
  Value TakeAt(std::size_t entry);
  // The value at key, taken out; Unset when absent.
  Outcome<Value> Pop(Host& host, const Value& key);

 private:
  void Clear() override;
  void Recount() { Charge(static_cast<std::int64_t>(sizeof(Dict)) + table_.size_bytes()); }

  const DictKind* const kind_;
  HashTable table_;
  Value default_factory_;
};

}  // namespace espalier::lang
