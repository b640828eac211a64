#include "frontend_lang/script/values/dict_operations.h"

#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/script/values/extension.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"

namespace espalier::lang {
namespace {

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

Outcome<Value> CopyDict(Host& host, const Value& dict) {
  const Dict& from = *dict.As<Dict>();
  const Value copy = host.heap().New<Dict>(from.kind());
  copy.As<Dict>()->set_default_factory(from.default_factory());
  ESP_TRY(UpdateDict(host, *copy.As<Dict>(), dict));
  return copy;
}

}  // namespace espalier::lang
