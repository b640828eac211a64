#include "frontend_lang/script/values/set.h"

#include <algorithm>

#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/hash.h"

namespace espalier::lang {

// The slots in which a member is looked for: the one that its hash names and nine more behind
// it, then such a run elsewhere; near the table's end a run is one slot.
class Set::Probe {
 public:
  Probe(std::uint64_t hash, std::size_t mask)
      : perturb_(hash), mask_(mask), start_(hash & mask), at_(start_), last_(LastOf(start_)) {}

  std::size_t at() const { return at_; }
  std::int64_t num_runs() const { return num_runs_; }
  void Advance() {
    if (at_ != last_) {
      ++at_;
      return;
    }
    perturb_ >>= 5;
    start_ = (start_ * 5 + 1 + perturb_) & mask_;
    at_ = start_;
    last_ = LastOf(start_);
    ++num_runs_;
  }

 private:
  std::size_t LastOf(std::size_t start) const {
    constexpr std::size_t kMore = 9;
    return start + kMore <= mask_ ? start + kMore : start;
  }

  std::uint64_t perturb_;
  const std::size_t mask_;
  std::size_t start_, at_, last_;
  std::int64_t num_runs_ = 0;
};

const Set::Entry* Set::EntryAt(std::size_t& slot) const {
  const bool from_start = slot <= first_;
  slot = std::max(slot, first_);
  while (slot < slots_.size() && slots_[slot].key.is_unset()) ++slot;
  if (from_start) first_ = slot;
  return slot < slots_.size() ? &slots_[slot] : nullptr;
}

Outcome<std::size_t> Set::Find(Host& host, const Entry& member) const {
  for (;;) {
    const Entry* const table = slots_.data();
    const std::size_t num_slots = slots_.size();
    std::size_t left = num_slots;  // the last slot passed that a member has left
    for (Probe probe(member.hash, num_slots - 1);; probe.Advance()) {
      const std::size_t at = probe.at();
      const Entry& entry = table[at];
      if (entry.key.is_unset()) {
        if (entry.hash == kNoHash) {
          left = at;
          continue;
        }
        ESP_TRY(host.Step(probe.num_runs() / 16));
        return left < num_slots ? left : at;
      }
      if (entry.hash != member.hash) continue;
      if (entry.key.Is(member.key)) return at;
      const Value candidate = entry.key;
      ESP_TRY(host.Step());
      ESP_TRY_ASSIGN(const bool equal, Equals(host, candidate, member.key));
      const bool changed =
          slots_.data() != table || slots_.size() != num_slots || !table[at].key.Is(candidate);
      if (changed) break;  // begin anew
      if (equal) return at;
    }
  }
}

Outcome<bool> Set::Contains(Host& host, const Value& key) const {
  const Value held = key;
  ESP_TRY_ASSIGN(const std::uint64_t hash, Hash(host, held));
  return Contains(host, Entry{held, hash});
}

Fault Set::Add(Host& host, const Value& key) {
  const Value held = key;
  ESP_TRY_ASSIGN(const std::uint64_t hash, Hash(host, held));
  return Add(host, Entry{held, hash});
}

Outcome<bool> Set::Erase(Host& host, const Value& key) {
  const Value held = key;
  ESP_TRY_ASSIGN(const std::uint64_t hash, Hash(host, held));
  return Erase(host, Entry{held, hash});
}

Outcome<bool> Set::Contains(Host& host, const Entry& member) const {
  if (slots_.empty()) return false;
  ESP_TRY_ASSIGN(const std::size_t at, Find(host, member));
  return !slots_[at].key.is_unset();
}

Fault Set::Add(Host& host, const Entry& member) {
  if (slots_.empty()) ESP_TRY(Rebuild(host, 0));
  ESP_TRY_ASSIGN(const std::size_t at, Find(host, member));
  Entry& entry = slots_[at];
  if (!entry.key.is_unset()) return Fault();
  const bool taken = entry.hash == kNoHash;
  entry = member;
  first_ = std::min(first_, at);
  ++num_members_;
  if (taken) return Fault();
  ++num_taken_;
  return num_taken_ * 5 < mask() * 3 ? Fault() : Shrink(host);
}

Outcome<bool> Set::Erase(Host& host, const Entry& member) {
  if (slots_.empty()) return false;
  ESP_TRY_ASSIGN(const std::size_t at, Find(host, member));
  if (slots_[at].key.is_unset()) return false;
  Leave(slots_[at]);
  return true;
}

void Set::Leave(Entry& entry) {
  const Value key = std::exchange(entry.key, Value::Unset());  // released at the end
  entry.hash = kNoHash;
  --num_members_;
}

Fault Set::Rebuild(Host& host, std::size_t wanted) {
  std::size_t num_slots = kMinSlots;
  while (num_slots <= wanted) num_slots *= 2;
  if (num_slots == kMinSlots && slots_.size() == kMinSlots && num_taken_ == num_members_) {
    return Fault();
  }
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(num_slots), sizeof(Entry)));
  std::vector<Entry> old(num_slots);
  old.swap(slots_);
  num_members_ = num_taken_ = first_ = 0;
  for (Entry& entry : old) {
    if (!entry.key.is_unset()) PutNew(std::move(entry));
  }
  Charge(static_cast<std::int64_t>(sizeof(Set) + slots_.capacity() * sizeof(Entry)));
  return host.Step(static_cast<std::int64_t>(old.size() / 64));
}

// Into a table that fits the members: four times as large, or twice where they are many.
Fault Set::Shrink(Host& host) {
  constexpr std::size_t kMany = 50000;
  return Rebuild(host, num_members_ * (num_members_ > kMany ? 2 : 4));
}

void Set::PutNew(Entry entry) {
  Probe probe(entry.hash, mask());
  while (!slots_[probe.at()].key.is_unset()) probe.Advance();
  slots_[probe.at()] = std::move(entry);
  ++num_members_;
  ++num_taken_;
}

Fault Set::Expect(Host& host, std::size_t num_members) {
  if ((num_taken_ + num_members) * 5 < mask() * 3) return Fault();
  return Rebuild(host, (num_members_ + num_members) * 2);
}

Fault Set::AddAll(Host& host, const Set& other) {
  if (&other == this || other.size() == 0) return Fault();
  ESP_TRY(Expect(host, other.num_members_));
  if (num_taken_ == 0) return CopyOf(host, other);
  for (std::size_t at = 0; const Entry* entry = other.EntryAt(at); ++at) {
    ESP_TRY(host.Step());
    const Entry held = *entry;
    ESP_TRY(Add(host, held));
  }
  return Fault();
}

// Into an empty set nothing needs to be compared.
Fault Set::CopyOf(Host& host, const Set& other) {
  if (slots_.empty()) ESP_TRY(Rebuild(host, 0));
  ESP_TRY(host.Step(static_cast<std::int64_t>(other.slots_.size() / 64)));
  first_ = 0;
  if (mask() == other.mask() && other.num_taken_ == other.num_members_) {
    std::ranges::copy(other.slots_, slots_.begin());
    num_members_ = num_taken_ = other.num_members_;
    return Fault();
  }
  for (const Entry& entry : other.slots_) {
    if (!entry.key.is_unset()) PutNew(entry);
  }
  return Fault();
}

Outcome<Value> Set::Pop(Host& host) {
  std::size_t at = next_pop_ & mask(), num_passed = 0;
  for (; slots_[at].key.is_unset(); ++num_passed) at = at == mask() ? 0 : at + 1;
  next_pop_ = at + 1;
  const Value key = slots_[at].key;
  Leave(slots_[at]);
  ESP_TRY(host.Step(static_cast<std::int64_t>(num_passed / 64)));
  return key;
}

Fault Set::Tidy(Host& host) {
  return num_taken_ - num_members_ <= mask() / 4 ? Fault() : Shrink(host);
}

void Set::EraseAll() {
  std::vector<Entry> old(slots_.empty() ? 0 : kMinSlots);  // what it held is released at the end
  old.swap(slots_);
  num_members_ = num_taken_ = first_ = 0;
  Charge(static_cast<std::int64_t>(sizeof(Set) + slots_.capacity() * sizeof(Entry)));
}

void Set::Clear() {
  std::vector<Entry> old;
  old.swap(slots_);
  num_members_ = num_taken_ = first_ = 0;
}

void Set::SwapMembers(Set& other) {
  slots_.swap(other.slots_);
  std::swap(num_members_, other.num_members_);
  std::swap(num_taken_, other.num_taken_);
  std::swap(first_, other.first_);
  for (Set* set : {this, &other}) {
    if (set->slots_.empty()) set->slots_.resize(kMinSlots);
    set->Charge(static_cast<std::int64_t>(sizeof(Set) + set->slots_.capacity() * sizeof(Entry)));
  }
}

// As CPython's frozenset does it, which takes left and free slots out of the sum again.
std::uint64_t Set::HashOfMembers() const {
  std::uint64_t hash = 0;
  for (const Entry& entry : slots_) {
    if (entry.key.is_unset()) continue;
    hash ^= (entry.hash ^ 89869747 ^ entry.hash << 16) * 3644798167;
  }
  hash ^= (num_members_ + 1) * 1927868237;
  hash ^= (hash >> 11) ^ (hash >> 25);
  hash = hash * 69069 + 907133923;
  return hash == kNoHash ? 590923713 : hash;
}

}  // namespace espalier::lang
