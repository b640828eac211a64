#include "frontend_lang/script/values/dict.h"

#include <algorithm>
#include <utility>

#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/hash.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::lang {
namespace {

constexpr std::int32_t kFree = -1;
constexpr std::int32_t kErased = -2;
constexpr std::size_t kMinSlots = 8;

}  // namespace

std::int64_t HashTable::size_bytes() const {
  return static_cast<std::int64_t>(entries_.capacity() * sizeof(Entry) +
                                   slots_.capacity() * sizeof(std::int32_t));
}

std::size_t HashTable::StartOf(std::uint64_t hash) const {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  return Fold(hash ^ seed_, kOdd) & (slots_.size() - 1);
}

// Comparing keys may run the program's own code, which may change this very table:
// then the walk is void, and that is an error rather than a wild read.
Outcome<std::int64_t> HashTable::FindHashed(Host& host, const Value& key,
                                            std::uint64_t hash) const {
  if (slots_.empty()) return std::int64_t{-1};
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = StartOf(hash); slots_[at] != kFree; at = (at + 1) & mask) {
    const std::int32_t number = slots_[at];
    if (number == kErased) continue;
    const Entry& entry = entries_[static_cast<std::size_t>(number)];
    if (entry.hash != hash) continue;
    if (entry.key.Is(key)) return std::int64_t{number};
    const Value candidate = entry.key;
    ESP_TRY(host.Step());
    const std::size_t num_slots = slots_.size(), num_entries = entries_.size();
    ESP_TRY_ASSIGN(const bool equal, Equals(host, candidate, key));
    if (slots_.size() != num_slots || entries_.size() != num_entries ||
        !entries_[static_cast<std::size_t>(number)].key.Is(candidate)) {
      return Raise("RuntimeError", "dictionary changed during lookup");
    }
    if (equal) return std::int64_t{number};
  }
  return std::int64_t{-1};
}

Outcome<std::int64_t> HashTable::Find(Host& host, const Value& key) const {
  ESP_TRY_ASSIGN(const std::uint64_t hash, Hash(host, key));
  return FindHashed(host, key, hash);
}

std::int64_t HashTable::FindStr(std::string_view key, std::uint64_t hash) const {
  if (slots_.empty()) return -1;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = StartOf(hash); slots_[at] != kFree; at = (at + 1) & mask) {
    if (slots_[at] == kErased) continue;
    const Entry& entry = entries_[static_cast<std::size_t>(slots_[at])];
    if (entry.hash == hash && entry.key.is_str() && TextOf(entry.key) == key) return slots_[at];
  }
  return -1;
}

void HashTable::Rebuild(std::size_t num_slots) {
  std::size_t kept = 0;
  for (Entry& entry : entries_) {
    if (entry.key.is_unset()) continue;
    if (&entries_[kept] != &entry) entries_[kept] = std::move(entry);
    ++kept;
  }
  entries_.resize(kept);
  first_ = 0;
  slots_.assign(num_slots, kFree);
  for (std::size_t i = 0; i < kept; ++i) {
    std::size_t at = StartOf(entries_[i].hash);
    while (slots_[at] != kFree) at = (at + 1) & (num_slots - 1);
    slots_[at] = static_cast<std::int32_t>(i);
  }
  num_used_slots_ = static_cast<std::int64_t>(kept);
}

void HashTable::InsertNew(std::uint64_t hash, const Value& key, Value value) {
  if (static_cast<std::size_t>(num_used_slots_ + 1) * 3 > slots_.size() * 2 ||
      entries_.size() >= slots_.size()) {
    std::size_t num_slots = kMinSlots;
    while (num_slots < static_cast<std::size_t>(num_live_ + 1) * 3) num_slots *= 2;
    Rebuild(num_slots);
  }
  std::size_t at = StartOf(hash);
  while (slots_[at] >= 0) at = (at + 1) & (slots_.size() - 1);
  if (slots_[at] == kFree) ++num_used_slots_;
  slots_[at] = static_cast<std::int32_t>(entries_.size());
  entries_.push_back({hash, key, std::move(value)});
  ++num_live_;
}

Fault HashTable::Put(Host& host, const Value& key, Value value) {
  ESP_TRY_ASSIGN(const std::uint64_t hash, Hash(host, key));
  ESP_TRY_ASSIGN(const std::int64_t number, FindHashed(host, key, hash));
  if (number >= 0) {
    entries_[static_cast<std::size_t>(number)].value.swap(value);
  } else {
    InsertNew(hash, key, std::move(value));
  }
  return Fault();
}

void HashTable::PutStr(const Value& key, std::uint64_t hash, Value value) {
  const std::int64_t number = FindStr(TextOf(key), hash);
  if (number >= 0) {
    entries_[static_cast<std::size_t>(number)].value.swap(value);
  } else {
    InsertNew(hash, key, std::move(value));
  }
}

Outcome<bool> HashTable::Erase(Host& host, const Value& key) {
  ESP_TRY_ASSIGN(const std::int64_t number, Find(host, key));
  if (number < 0) return false;
  EraseAt(number);
  return true;
}

void HashTable::EraseAt(std::int64_t number) {
  Entry& entry = entries_[static_cast<std::size_t>(number)];
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = StartOf(entry.hash);
  while (slots_[at] != number) at = (at + 1) & mask;
  slots_[at] = kErased;
  --num_live_;
  const Value key = std::exchange(entry.key, Value::Unset());  // released at the end
  const Value value = std::exchange(entry.value, Value());
  while (!entries_.empty() && entries_.back().key.is_unset()) entries_.pop_back();
  while (first_ < entries_.size() && entries_[first_].key.is_unset()) ++first_;
  first_ = std::min(first_, entries_.size());
}

void HashTable::Clear() {
  HashTable empty(seed_);
  std::swap(*this, empty);
}

const HashTable::Entry* Dict::EntryAt(std::size_t& position) const {
  const auto& entries = table_.entries();
  position = std::max(position, table_.first());
  while (position < entries.size() && entries[position].key.is_unset()) ++position;
  return position < entries.size() ? &entries[position] : nullptr;
}

Outcome<bool> Dict::Contains(Host& host, const Value& key) const {
  ESP_TRY_ASSIGN(const std::int64_t number, table_.Find(host, key));
  return number >= 0;
}

Outcome<bool> Dict::Erase(Host& host, const Value& key) { return table_.Erase(host, key); }

void Dict::EraseAll() {
  table_.Clear();
  Recount();
}

void Dict::Clear() {
  table_.Clear();
  default_factory_ = Value();
}

Outcome<const Value*> Dict::Find(Host& host, const Value& key) const {
  ESP_TRY_ASSIGN(const std::int64_t number, table_.Find(host, key));
  if (number < 0) return static_cast<const Value*>(nullptr);
  return &table_.entries()[static_cast<std::size_t>(number)].value;
}

const Value* Dict::FindStr(std::string_view key) const {
  const std::int64_t number = table_.FindStr(key, HashStr(key));
  return number < 0 ? nullptr : &table_.entries()[static_cast<std::size_t>(number)].value;
}

Fault Dict::Put(Host& host, const Value& key, Value value) {
  ESP_TRY(table_.Put(host, key, std::move(value)));
  Recount();
  return Fault();
}

void Dict::PutStr(std::string_view key, Value value) {
  table_.PutStr(MakeStr(heap(), key), HashStr(key), std::move(value));
  Recount();
}

Value Dict::TakeAt(std::size_t entry) {
  Value value = table_.entries()[entry].value;
  table_.EraseAt(static_cast<std::int64_t>(entry));
  return value;
}

Outcome<Value> Dict::Pop(Host& host, const Value& key) {
  ESP_TRY_ASSIGN(const std::int64_t number, table_.Find(host, key));
  if (number < 0) return Value::Unset();
  Value value = table_.entries()[static_cast<std::size_t>(number)].value;
  table_.EraseAt(number);
  return value;
}

}  // namespace espalier::lang
