#include "frontend_lang/script/pydantic/decorators.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/pydantic/model.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

// What the decorator was told: @field_validator("name", mode="after").
struct Marking {
  std::vector<std::string> fields;  // empty: of the model
  When when = When::kAfter;
  bool for_json_only = false, unless_none = false;
};

Value MarkValidator(Heap& heap, const Marking& marking, const Value& function) {
  Value made = heap.New<Validator>();
  auto& validator = *Exactly<Validator>(made);
  validator.function = function;
  validator.fields = marking.fields;
  validator.when = marking.when;
  const bool bound =
      Exactly<ClassMethod>(function) != nullptr || Exactly<StaticMethod>(function) != nullptr;
  const bool of_class = !marking.fields.empty() || marking.when != When::kAfter;
  if (!bound && of_class) validator.function = heap.New<ClassMethod>(function);
  return made;
}

Value MarkSerializer(Heap& heap, const Marking& marking, const Value& function) {
  Value made = heap.New<Serializer>();
  auto& serializer = *Exactly<Serializer>(made);
  serializer.function = function;
  serializer.fields = marking.fields;
  serializer.when = marking.when;
  serializer.for_json_only = marking.for_json_only;
  serializer.unless_none = marking.unless_none;
  return made;
}

using Mark = Value (*)(Heap& heap, const Marking& marking, const Value& function);

class MarkingDecorator final : public lang::Extension {
 public:
  MarkingDecorator(Heap& heap, Mark mark, Marking marking)
      : Extension(heap, lang::Type::kExtension), mark_(mark), marking_(std::move(marking)) {}
  std::string_view TypeName() const override { return "function"; }
  Outcome<Value> Call(Host& host, const Args& args) override {
    ESP_TRY(CheckPositional("decorator", args, 1, 1));
    return mark_(host.heap(), marking_, args.positional[0]);
  }

 private:
  const Mark mark_;
  const Marking marking_;
};

Fault ReadMode(std::string_view text, Marking& to) {
  constexpr std::pair<std::string_view, When> kModes[] = {{"before", When::kBefore},
                                                          {"after", When::kAfter},
                                                          {"wrap", When::kWrap},
                                                          {"plain", When::kPlain}};
  for (const auto& [name, when] : kModes) {
    if (name == text) to.when = when;
  }
  return Fault();
}

Fault ReadKeywords(std::span<const lang::Keyword> keywords, Marking& to) {
  for (const lang::Keyword& keyword : keywords) {
    const std::string_view text =
        keyword.value.is_str() ? lang::TextOf(keyword.value) : std::string_view();
    if (keyword.name == "mode") {
      ESP_TRY(ReadMode(text, to));
    } else if (keyword.name == "when_used") {
      to.for_json_only = text.starts_with("json");
      to.unless_none = text.ends_with("unless-none");
    } else if (keyword.name == "pre" && keyword.value.is_bool() && keyword.value.as_bool()) {
      to.when = When::kBefore;
    }
  }
  return Fault();
}

// A decorator of functions of the fields that are named.
template <Mark mark, When usual>
Outcome<Value> OfFields(Host& host, const Value&, const Args& args) {
  constexpr std::string_view kName = usual == When::kAfter ? "field_validator" : "field_serializer";
  Marking marking;
  marking.when = usual;
  for (const Value& field : args.positional) {
    if (!field.is_str()) return TypeError(fmt::format("{}() takes names of fields", kName));
    marking.fields.emplace_back(lang::TextOf(field));
  }
  if (marking.fields.empty()) return TypeError(fmt::format("{}() takes names of fields", kName));
  ESP_TRY(ReadKeywords(args.keywords, marking));
  return host.heap().New<MarkingDecorator>(mark, std::move(marking));
}

Outcome<Value> ModelValidator(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("model_validator", {args.positional, {}}, 0, 0));
  Marking marking;
  ESP_TRY(ReadKeywords(args.keywords, marking));
  return host.heap().New<MarkingDecorator>(MarkValidator, std::move(marking));
}

// With arguments, or itself above the def.
Outcome<Value> ModelSerializer(Host& host, const Value&, const Args& args) {
  Marking marking;
  marking.when = When::kPlain;
  ESP_TRY(ReadKeywords(args.keywords, marking));
  if (!args.positional.empty()) return MarkSerializer(host.heap(), marking, args.positional[0]);
  return host.heap().New<MarkingDecorator>(MarkSerializer, std::move(marking));
}

Outcome<Value> ComputedField(Host& host, const Value&, const Args& args) {
  if (args.positional.empty()) {
    return host.heap().New<lang::NativeFunction>("computed_field", ComputedField);
  }
  Value made = args.positional[0];
  if (Exactly<Property>(made) == nullptr) made = host.heap().New<Property>(made);
  Exactly<Property>(made)->computed = true;
  return made;
}

// AfterValidator(f)
template <When when>
Outcome<Value> Around(Host& host, const Value&, const Args& args) {
  Value function = args.positional.empty() ? Value::Unset() : args.positional[0];
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name == "func") function = keyword.value;
  }
  if (function.is_unset()) return TypeError("a validator takes a function");
  Value made = host.heap().New<FunctionValidator>();
  Exactly<FunctionValidator>(made)->function = std::move(function);
  Exactly<FunctionValidator>(made)->when = when;
  return made;
}

}  // namespace

void AddDecorators(Module& pydantic) {
  constexpr std::pair<std::string_view, lang::NativeCode> kFunctions[] = {
      {"field_validator", OfFields<MarkValidator, When::kAfter>},
      {"validator", OfFields<MarkValidator, When::kAfter>},
      {"model_validator", ModelValidator},
      {"field_serializer", OfFields<MarkSerializer, When::kPlain>},
      {"model_serializer", ModelSerializer},
      {"computed_field", ComputedField},
      {"AfterValidator", Around<When::kAfter>},
      {"BeforeValidator", Around<When::kBefore>},
      {"PlainValidator", Around<When::kPlain>},
      {"WrapValidator", Around<When::kWrap>},
  };
  for (const auto& [name, code] : kFunctions) pydantic.AddFunction(name, code);
}

}  // namespace espalier::script
