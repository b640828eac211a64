#include "frontend_lang/program/returned_json.h"

#include <algorithm>
#include <string>
#include <utility>

#include "frontend_lang/program/state_object.h"
#include "frontend_lang/script/modules/json_text.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/repr.h"

namespace espalier::program {

using lang::Fault;
using lang::Outcome;
using lang::Value;

namespace {

// operator[] would search all members, one after another.
void Add(nlohmann::ordered_json& object, std::string name, nlohmann::ordered_json member) {
  object.get_ref<nlohmann::ordered_json::object_t&>().emplace_back(std::move(name),
                                                                   std::move(member));
}

}  // namespace

Fault ReturnedJson::Count(std::size_t size_bytes) {
  ESP_TRY(host_.Step());
  size_bytes_ += static_cast<std::int64_t>(sizeof(Json) + size_bytes);
  return host_.Reserve(size_bytes_);
}

Outcome<nlohmann::ordered_json> ReturnedJson::Of(const Value& value) {
  const bool has_parts = value.If<lang::List>() != nullptr || value.If<lang::Tuple>() != nullptr ||
                         value.If<lang::Dict>() != nullptr ||
                         script::Exactly<StateObject>(value) != nullptr;
  if (!has_parts) return OfLeaf(value);
  const lang::Object* object = value.object();
  if (above_.size() == kMaxDepth || std::find(above_.begin(), above_.end(), object) != above_.end())
    return ReprOf(value);
  above_.push_back(object);
  Outcome<Json> made = OfParts(value);
  above_.pop_back();
  return made;
}

Outcome<nlohmann::ordered_json> ReturnedJson::OfParts(const Value& value) {
  ESP_TRY(Count(0));
  if (auto* object = script::Exactly<StateObject>(value)) {
    std::string text = object->state().text();
    ESP_TRY(Count(text.size()));
    ESP_TRY_ASSIGN(Json variables, VariablesOf(object->state()));
    return Json{{"variables", std::move(variables)}, {"text", std::move(text)}};
  }
  if (value.If<lang::Dict>() != nullptr) return OfDict(value);
  // By index: a __repr__ of the program may change what is being read.
  const auto* list = value.If<lang::List>();
  const auto& items = list != nullptr ? list->items() : value.As<lang::Tuple>()->items();
  Json array = Json::array();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Value item = items[i];
    ESP_TRY_ASSIGN(Json made, Of(item));
    array.push_back(std::move(made));
  }
  return array;
}

Outcome<nlohmann::ordered_json> ReturnedJson::OfDict(const Value& dict) {
  Json members = Json::object();
  std::size_t position = 0;
  for (const auto* entry = dict.As<lang::Dict>()->EntryAt(position); entry != nullptr;
       entry = dict.As<lang::Dict>()->EntryAt(++position)) {
    const Value key = entry->key, held = entry->value;
    ESP_TRY_ASSIGN(std::string name, lang::Text(host_, key));
    ESP_TRY(Count(name.size()));
    ESP_TRY_ASSIGN(Json made, Of(held));
    Add(members, std::move(name), std::move(made));
  }
  return members;
}

Outcome<nlohmann::ordered_json> ReturnedJson::VariablesOf(const PromptState& state) {
  Json variables = Json::object();
  for (std::size_t i = 0; i < state.names().size(); ++i) {
    const std::string name = state.names()[i];
    ESP_TRY(Count(name.size()));
    const Value value = *state.Find(name);
    Json made;
    if (!value.is_unset()) {
      ESP_TRY_ASSIGN(made, Of(value));
    }
    Add(variables, name, std::move(made));
  }
  return variables;
}

Outcome<nlohmann::ordered_json> ReturnedJson::OfLeaf(const Value& value) {
  Outcome<std::string> text = script::WriteJson(host_, value, {});
  if (text.ok()) {
    ESP_TRY(Count(text->size()));
    Json parsed = Json::parse(*text, nullptr, false);
    if (!parsed.is_discarded()) return parsed;  // NaN has no JSON form
  }
  return ReprOf(value);
}

Outcome<nlohmann::ordered_json> ReturnedJson::ReprOf(const Value& value) {
  ESP_TRY_ASSIGN(std::string repr, lang::Repr(host_, value));
  ESP_TRY(Count(repr.size()));
  return Json(std::move(repr));
}

}  // namespace espalier::program
