#include "frontend_lang/script/values/set_operations.h"

#include <string>
#include <vector>

#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/extension.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"

namespace espalier::lang {
namespace {

// Adds to `result` the members of `from` that are in `other` exactly when `wanted`.
enum class Keep { kCommon, kOther };
Fault AddFiltered(Host& host, Set& result, const Set& from, const Set& other, Keep keep) {
  for (std::size_t at = 0; const HashTable::Entry* entry = from.EntryAt(at); ++at) {
    ESP_TRY(host.Step());
    const Value key = entry->key;
    ESP_TRY_ASSIGN(const bool common, other.Contains(host, key));
    if (common == (keep == Keep::kCommon)) ESP_TRY(result.Add(host, key));
  }
  return Fault();
}

// The result is of the left one's kind.
Outcome<Value> CombineSets(Host& host, BinaryOp op, const Value& left, const Value& right) {
  const Value result = host.heap().New<Set>(left.As<Set>()->kind());
  Set& set = *result.As<Set>();
  const Set &a = *left.As<Set>(), &b = *right.As<Set>();
  switch (op) {
    case BinaryOp::kOr:
      ESP_TRY(AddAll(host, set, left));
      ESP_TRY(AddAll(host, set, right));
      return result;
    case BinaryOp::kAnd: ESP_TRY(AddFiltered(host, set, a, b, Keep::kCommon)); return result;
    case BinaryOp::kSub: ESP_TRY(AddFiltered(host, set, a, b, Keep::kOther)); return result;
    case BinaryOp::kXor:
      ESP_TRY(AddFiltered(host, set, b, a, Keep::kOther));  // in CPython's order
      ESP_TRY(AddFiltered(host, set, a, b, Keep::kOther));
      return result;
    default: return Value::Unset();
  }
}

Fault PutPair(Host& host, Dict& dict, const Value& pair, std::int64_t index) {
  Outcome<std::vector<Value>> items = Collect(host, pair);
  if (!items.ok()) {
    if (items.error().type != "TypeError") return items.TakeFault();
    return TypeError("cannot convert dictionary update sequence element #" + std::to_string(index) +
                     " to a sequence");
  }
  if (items->size() != 2) {
    return ValueError("dictionary update sequence element #" + std::to_string(index) +
                      " has length " + std::to_string(items->size()) + "; 2 is required");
  }
  return dict.Put(host, (*items)[0], (*items)[1]);
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
  if (op == BinaryOp::kOr) {
    ESP_TRY(AddAll(host, *set, right));
    return true;
  }
  ESP_TRY_ASSIGN(const Value result, CombineSets(host, op, target, right));
  if (result.is_unset()) return false;
  set->EraseAll();
  ESP_TRY(AddAll(host, *set, result));
  return true;
}

Fault AddAll(Host& host, Set& set, const Value& iterable) {
  if (iterable.on_heap() && iterable.object() == &set) return Fault();
  return ForEach(host, iterable, [&](const Value& item) { return set.Add(host, item); });
}

Outcome<Value> AsMapping(Host& host, const Value& given) {
  const Value source = given, plain = PlainOf(source);
  if (plain.If<Dict>() != nullptr) return plain;
  if (!source.is_extension() || source.type() == Type::kIterator) return Value::Unset();
  Outcome<Value> keys = GetAttr(host, source, "keys");
  if (!keys.ok()) {
    if (keys.error().type == "AttributeError") return Value::Unset();
    return keys.TakeFault();
  }
  ESP_TRY_ASSIGN(const Value names, host.Call(*keys, {}));
  const Value made = host.heap().New<Dict>();
  ESP_TRY(ForEach(host, names, [&](const Value& key) -> Fault {
    const Value held = key;
    ESP_TRY_ASSIGN(Value item, GetItem(host, source, held));
    return made.As<Dict>()->Put(host, held, std::move(item));
  }));
  return made;
}

Fault UpdateDict(Host& host, Dict& dict, const Value& given) {
  ESP_TRY_ASSIGN(const Value mapping, AsMapping(host, given));
  const Value source = mapping.is_unset() ? given : mapping;
  if (const Dict* other = source.If<Dict>()) {
    if (other == &dict) return Fault();
    for (std::size_t at = 0; const HashTable::Entry* entry = other->EntryAt(at); ++at) {
      ESP_TRY(host.Step());
      const HashTable::Entry held = *entry;
      ESP_TRY(dict.Put(host, held.key, held.value));
    }
    return Fault();
  }
  std::int64_t index = 0;
  return ForEach(host, source,
                 [&](const Value& pair) { return PutPair(host, dict, pair, index++); });
}

Outcome<Value> MakeSet(Host& host, const Value& iterable, Set::Kind kind) {
  const Value set = host.heap().New<Set>(kind);
  ESP_TRY(AddAll(host, *set.As<Set>(), iterable));
  return set;
}

Outcome<Value> CopyDict(Host& host, const Value& dict) {
  const Dict& from = *dict.As<Dict>();
  const Value copy = host.heap().New<Dict>(from.kind());
  copy.As<Dict>()->set_default_factory(from.default_factory());
  ESP_TRY(UpdateDict(host, *copy.As<Dict>(), dict));
  return copy;
}

}  // namespace espalier::lang
