#include "frontend_lang/script/values/set_operations.h"

#include <string>
#include <utility>

#include "frontend_lang/script/values/dict_operations.h"
#include "frontend_lang/script/values/extension.h"
#include "frontend_lang/script/values/hash.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"

namespace espalier::lang {
namespace {

// Calls `visit` with a held copy of each member, or of each key of a dict.
template <typename Visit>
Fault ForEachEntry(Host& host, const Set& set, const Visit& visit) {
  for (std::size_t at = 0; const Set::Entry* entry = set.EntryAt(at); ++at) {
    ESP_TRY(host.Step());
    const Set::Entry held = *entry;
    ESP_TRY(visit(held));
  }
  return Fault();
}
template <typename Visit>
Fault ForEachEntry(Host& host, const Dict& dict, const Visit& visit) {
  for (std::size_t at = 0; const HashTable::Entry* entry = dict.EntryAt(at); ++at) {
    ESP_TRY(host.Step());
    ESP_TRY(visit(Set::Entry{entry->key, entry->hash}));
  }
  return Fault();
}

// The same of any iterable: a set gives its members as they are, and hashes them no more.
template <typename Visit>
Fault ForEachMember(Host& host, const Value& iterable, const Visit& visit) {
  const Value plain = PlainOf(iterable);
  if (const Set* other = plain.If<Set>()) return ForEachEntry(host, *other, visit);
  return ForEach(host, iterable, [&](const Value& item) -> Fault {
    ESP_TRY_ASSIGN(const std::uint64_t hash, Hash(host, item));
    return visit(Set::Entry{item, hash});
  });
}

Value EmptyLike(Host& host, const Value& set) {
  return host.heap().New<Set>(set.As<Set>()->kind());
}

Fault Toggle(Host& host, Set& set, const Set::Entry& member) {
  ESP_TRY_ASSIGN(const bool erased, set.Erase(host, member));
  return erased ? Fault() : set.Add(host, member);
}

Outcome<Value> CopyAndErase(Host& host, const Value& set, const Value& iterable) {
  ESP_TRY_ASSIGN(const Value copy, MakeSet(host, set, set.As<Set>()->kind()));
  ESP_TRY(EraseAll(host, *copy.As<Set>(), iterable));
  return copy;
}

// The result is of the left one's kind.
Outcome<Value> CombineSets(Host& host, BinaryOp op, const Value& left, const Value& right) {
  switch (op) {
    case BinaryOp::kOr: {
      ESP_TRY_ASSIGN(const Value result, MakeSet(host, left, left.As<Set>()->kind()));
      if (!right.Is(left)) ESP_TRY(AddAll(host, *result.As<Set>(), right));
      return result;
    }
    case BinaryOp::kAnd: return Intersection(host, left, right);
    case BinaryOp::kSub: return Difference(host, left, right);
    case BinaryOp::kXor: {
      ESP_TRY_ASSIGN(const Value result, MakeSet(host, right, left.As<Set>()->kind()));
      ESP_TRY(ToggleAll(host, *result.As<Set>(), left));
      return result;
    }
    default: return Value::Unset();
  }
}

}  // namespace

Outcome<Value> SetBinary(Host& host, BinaryOp op, const Value& left, const Value& right) {
  if (left.If<Set>() != nullptr && right.If<Set>() != nullptr) {
    return CombineSets(host, op, left, right);
  }
  for (const Value* side : {&left, &right}) {
    const Dict* dict = side->If<Dict>();
    if (dict == nullptr || dict->kind() == nullptr || dict->kind()->binary == nullptr) continue;
    return dict->kind()->binary(host, op, left, right);
  }
  if (op == BinaryOp::kOr && left.If<Dict>() != nullptr && right.If<Dict>() != nullptr) {
    ESP_TRY_ASSIGN(const Value result, CopyDict(host, left));
    ESP_TRY(UpdateDict(host, *result.As<Dict>(), right));
    return result;
  }
  return Value::Unset();
}

Outcome<bool> UpdateInPlace(Host& host, BinaryOp op, Value& target, const Value& right) {
  if (Dict* dict = target.If<Dict>(); dict != nullptr && op == BinaryOp::kOr) {
    const bool special = dict->kind() != nullptr && dict->kind()->binary != nullptr;
    if (special && right.If<Dict>() != nullptr) return false;
    ESP_TRY(UpdateDict(host, *dict, right));
    return true;
  }
  Set* set = target.If<Set>();
  if (set == nullptr || set->frozen() || right.If<Set>() == nullptr) return false;
  switch (op) {
    case BinaryOp::kOr: ESP_TRY(AddAll(host, *set, right)); return true;
    case BinaryOp::kSub: ESP_TRY(EraseAll(host, *set, right)); return true;
    case BinaryOp::kXor: ESP_TRY(ToggleAll(host, *set, right)); return true;
    case BinaryOp::kAnd: {
      ESP_TRY_ASSIGN(const Value common, Intersection(host, target, right));
      set->SwapMembers(*common.As<Set>());
      return true;
    }
    default: return false;
  }
}

Outcome<Value> MakeSet(Host& host, const Value& iterable, Set::Kind kind) {
  const Value set = host.heap().New<Set>(kind);
  ESP_TRY(AddAll(host, *set.As<Set>(), iterable));
  return set;
}

Fault AddAll(Host& host, Set& set, const Value& iterable) {
  const Value plain = PlainOf(iterable);
  if (const Set* other = plain.If<Set>()) return set.AddAll(host, *other);
  const auto add = [&](const Set::Entry& member) { return set.Add(host, member); };
  const Dict* dict = iterable.If<Dict>();
  if (dict == nullptr || dict->kind() != nullptr) return ForEachMember(host, iterable, add);
  ESP_TRY(set.Expect(host, static_cast<std::size_t>(dict->size())));
  return ForEachEntry(host, *dict, add);
}

Fault EraseAll(Host& host, Set& set, const Value& iterable) {
  Value from = iterable;
  if (const Set* other = PlainOf(iterable).If<Set>()) {
    if (other == &set) {
      set.EraseAll();
      return Fault();
    }
    if (other->size() / 8 > set.size()) {
      ESP_TRY_ASSIGN(from, Intersection(host, Value(&set), iterable));
    }
  }
  ESP_TRY(ForEachMember(host, from, [&](const Set::Entry& member) -> Fault {
    return set.Erase(host, member).TakeFault();
  }));
  return set.Tidy(host);
}

Fault ToggleAll(Host& host, Set& set, const Value& iterable) {
  const auto toggle = [&](const Set::Entry& member) { return Toggle(host, set, member); };
  if (const Dict* dict = iterable.If<Dict>(); dict != nullptr && dict->kind() == nullptr) {
    return ForEachEntry(host, *dict, toggle);
  }
  Value others = PlainOf(iterable);
  if (others.If<Set>() == &set) {
    set.EraseAll();
    return Fault();
  }
  if (others.If<Set>() == nullptr) {
    ESP_TRY_ASSIGN(others, MakeSet(host, iterable));  // each item counts once
  }
  return ForEachEntry(host, *others.As<Set>(), toggle);
}

Outcome<Value> Intersection(Host& host, const Value& set, const Value& iterable) {
  Value in = set, from = iterable;
  if (const Set* other = PlainOf(iterable).If<Set>()) {
    from = PlainOf(iterable);
    if (from.Is(set)) return MakeSet(host, set, set.As<Set>()->kind());
    if (other->size() > set.As<Set>()->size()) in.swap(from);
  }
  const Value result = EmptyLike(host, set);
  ESP_TRY(ForEachMember(host, from, [&](const Set::Entry& member) -> Fault {
    ESP_TRY_ASSIGN(const bool common, in.As<Set>()->Contains(host, member));
    return common ? result.As<Set>()->Add(host, member) : Fault();
  }));
  return result;
}

Outcome<Value> Difference(Host& host, const Value& set, const Value& iterable) {
  const Value others = PlainOf(iterable);
  const Set* set_of_others = others.If<Set>();
  const Dict* dict = iterable.If<Dict>();
  if (dict != nullptr && dict->kind() != nullptr) dict = nullptr;
  if (set_of_others == nullptr && dict == nullptr) return CopyAndErase(host, set, iterable);
  const std::int64_t num_others = set_of_others != nullptr ? set_of_others->size() : dict->size();
  if (set.As<Set>()->size() / 4 > num_others) return CopyAndErase(host, set, iterable);
  const Value result = EmptyLike(host, set);
  ESP_TRY(ForEachEntry(host, *set.As<Set>(), [&](const Set::Entry& member) -> Fault {
    auto common = set_of_others != nullptr ? set_of_others->Contains(host, member)
                                           : dict->Contains(host, member.key);
    if (!common.ok()) return common.TakeFault();
    return *common ? Fault() : result.As<Set>()->Add(host, member);
  }));
  return result;
}

Outcome<bool> AreDisjoint(Host& host, const Value& container, const Value& iterable) {
  ESP_TRY_ASSIGN(const Value iterator, Iterate(host, iterable));
  for (Value item;;) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const bool more, Next(host, iterator, item));
    if (!more) return true;
    ESP_TRY_ASSIGN(const bool found, Contains(host, container, item));
    if (found) return false;
  }
}

}  // namespace espalier::lang
