// The part of ModelChecker that checks unions whose options a discriminator tells apart.
#include <fmt/format.h>

#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/pydantic/model_checker.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

// As errors name the discriminator: 'kind', or choose().
Outcome<std::string> DiscriminatorText(Host& host, const Tagged& tagged) {
  if (tagged.function.is_unset()) return lang::ReprStr(tagged.field);
  ESP_TRY_ASSIGN(const Value name, lang::GetAttr(host, tagged.function, "__name__"));
  ESP_TRY_ASSIGN(const std::string text, lang::Text(host, name));
  return text + "()";
}

}  // namespace

// None: there is no tag. Unset: the input can have none.
Outcome<Value> ModelChecker::TagOf(const FieldType& type, const Value& input) {
  const Tagged& tagged = type.tagged;
  if (!tagged.function.is_unset()) return host_.Call(tagged.function, Args{{&input, 1}, {}});
  if (const auto* dict = input.If<lang::Dict>()) {
    const Value* found = dict->FindStr(tagged.field);
    return found == nullptr ? Value() : *found;
  }
  if (input.If<Instance>() != nullptr) {
    auto found = lang::GetAttr(host_, input, tagged.field);
    if (found.ok() || found.error().type != "AttributeError") return found;
    return Value();
  }
  if (source_ == Source::kJson) return Wrong("dict_type", "Input should be an object", input);
  return Wrong("model_attributes_type",
               "Input should be a valid dictionary or object to extract fields from", input);
}

Outcome<Value> ModelChecker::CheckTagged(const FieldType& type, const Value& input) {
  ESP_TRY_ASSIGN(const Value tag, TagOf(type, input));
  if (tag.is_unset()) return tag;
  ESP_TRY_ASSIGN(const std::string by, DiscriminatorText(host_, type.tagged));
  const Value by_text = lang::MakeStr(host_.heap(), by);
  if (tag.is_none()) {
    return Wrong("union_tag_not_found", "Unable to extract tag using discriminator " + by, input,
                 {{"discriminator", by_text}});
  }
  std::string expected;
  for (const Tagged::Option& option : type.tagged.options) {
    ESP_TRY_ASSIGN(const bool same, lang::Equals(host_, option.tag, tag));
    if (same) {
      const Step step(*this, option.tag);
      return Check(type.parts[option.part], input);
    }
    ESP_TRY_ASSIGN(const std::string text, lang::Repr(host_, option.tag));
    expected += (expected.empty() ? "" : ", ") + text;
  }
  ESP_TRY_ASSIGN(const std::string text, lang::Text(host_, tag));
  return Wrong("union_tag_invalid",
               fmt::format("Input tag '{}' found using {} does not match any of the expected tags: "
                           "{}",
                           text, by, expected),
               input,
               {{"discriminator", by_text},
                {"tag", lang::MakeStr(host_.heap(), text)},
                {"expected_tags", lang::MakeStr(host_.heap(), expected)}});
}

}  // namespace espalier::script
