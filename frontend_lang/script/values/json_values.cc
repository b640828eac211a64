#include "frontend_lang/script/values/json_values.h"

#include <limits>
#include <utility>
#include <vector>

#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/extension.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::lang {
namespace {

using Json = nlohmann::ordered_json;

Outcome<Value> FromArray(Host& host, const Json& json) {
  std::vector<Value> items;
  for (const Json& item : json) {
    ESP_TRY_ASSIGN(Value value, FromJson(host, item));
    items.push_back(std::move(value));
  }
  return host.heap().New<List>(std::move(items));
}

Outcome<Value> FromObject(Host& host, const Json& json) {
  const Value dict = host.heap().New<Dict>();
  for (const auto& [key, item] : json.items()) {
    ESP_TRY_ASSIGN(Value value, FromJson(host, item));
    dict.As<Dict>()->PutStr(key, std::move(value));
  }
  return dict;
}

Fault NotSerializable(const Value& value) {
  return TypeError("Object of type " + std::string(TypeName(value)) + " is not JSON serializable");
}

// A dict's key as JSON has it: a text.
Outcome<std::string> KeyText(Host& host, const Value& key) {
  switch (key.type()) {
    case Type::kStr: return std::string(TextOf(key));
    case Type::kNone: return std::string("null");
    case Type::kBool: return std::string(key.as_bool() ? "true" : "false");
    case Type::kInt:
    case Type::kFloat: return Text(host, key);
    default:
      return TypeError("keys must be str, int, float, bool or None, not " +
                       std::string(TypeName(key)));
  }
}

const std::vector<Value>* ItemsOf(const Value& value) {
  if (const List* list = value.If<List>()) return &list->items();
  if (const Tuple* tuple = value.If<Tuple>()) return &tuple->items();
  return nullptr;
}

Outcome<Json> ContainerToJson(Host& host, const Value& value) {
  NestedScope scope(host);
  ESP_TRY(scope.Check());
  if (const auto* items = ItemsOf(value)) {
    Json array = Json::array();
    for (const Value& item : *items) {
      ESP_TRY(host.Step());
      ESP_TRY_ASSIGN(Json part, ToJson(host, item));
      array.push_back(std::move(part));
    }
    return array;
  }
  const Dict* dict = value.If<Dict>();
  if (dict == nullptr) return NotSerializable(value);
  // Pairs first: an ordered object looks for each key it is given from its start.
  Json::object_t object;
  for (std::size_t at = 0; const HashTable::Entry* entry = dict->EntryAt(at); ++at) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(std::string key, KeyText(host, entry->key));
    ESP_TRY_ASSIGN(Json part, ToJson(host, entry->value));
    object.Container::emplace_back(std::move(key), std::move(part));
  }
  return Json(std::move(object));
}

}  // namespace

Outcome<Value> FromJson(Host& host, const Json& json) {
  NestedScope scope(host);
  ESP_TRY(scope.Check());
  ESP_TRY(host.Step());
  switch (json.type()) {
    case Json::value_t::boolean: return Value::Bool(*json.get_ptr<const bool*>());
    case Json::value_t::number_integer:
      return Value::Int(*json.get_ptr<const Json::number_integer_t*>());
    case Json::value_t::number_unsigned: {
      const std::uint64_t number = *json.get_ptr<const Json::number_unsigned_t*>();
      return MakeInteger(host.heap(), {MakeNatural(number), false});
    }
    case Json::value_t::number_float: return Value::Float(*json.get_ptr<const double*>());
    case Json::value_t::string: return MakeStr(host.heap(), *json.get_ptr<const std::string*>());
    case Json::value_t::array: return FromArray(host, json);
    case Json::value_t::object: return FromObject(host, json);
    default: return Value();
  }
}

Outcome<Json> ToJson(Host& host, const Value& given) {
  const Value value = PlainOf(given);
  switch (value.type()) {
    case Type::kNone: return Json();
    case Type::kBool: return Json(value.as_bool());
    case Type::kInt: return Json(value.as_int());
    case Type::kFloat: return Json(value.as_float());
    case Type::kStr: return Json(TextOf(value));
    default: return ContainerToJson(host, value);
  }
}

}  // namespace espalier::lang
