// sgl.gen, gen_int, gen_string and select as expressions (gen_parameters.h).
#include <optional>
#include <string>

#include <fmt/format.h>

#include "frontend_lang/program/choices.h"
#include "frontend_lang/program/gen_parameters.h"
#include "frontend_lang/program/prompt_expression.h"
#include "frontend_lang/program/schema_pattern.h"
#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/json_text.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::program {
namespace {

using lang::Fault;
using lang::Host;
using lang::Outcome;
using lang::Value;

// What gen(...) was called with, before it is known whether it is a select.
struct Request {
  std::string name;
  GenOptions options;
  std::vector<std::string> choices;
  ChoicesMethod method = ChoicesMethod::kTokenLengthNormalized;
  std::string dtype;
  bool has_choices = false;
};

Outcome<ChoicesMethod> ReadMethod(const Value& value) {
  for (const auto method : {ChoicesMethod::kTokenLengthNormalized,
                            ChoicesMethod::kGreedyTokenSelection, ChoicesMethod::kUnconditional}) {
    if (value.is_str() && lang::TextOf(value) == MethodName(method)) return method;
  }
  return lang::ValueError(
      "choices_method must be sgl.token_length_normalized, sgl.greedy_token_selection or "
      "sgl.unconditional_likelihood_normalized");
}

Fault ReadChoices(Host& host, const Value& value, Request& to) {
  if (value.type() != lang::Type::kList && value.type() != lang::Type::kTuple) {
    return lang::TypeError("choices must be a list of str, not '" +
                           std::string(lang::TypeName(value)) + "'");
  }
  ESP_TRY_ASSIGN(const auto items, lang::Collect(host, value));
  if (items.empty()) return lang::ValueError("choices must not be empty");
  for (const Value& item : items) {
    if (!item.is_str() || lang::TextOf(item).empty()) {
      return lang::ValueError("each choice must be a str that is not empty");
    }
    to.choices.emplace_back(lang::TextOf(item));
  }
  to.has_choices = true;
  return Fault();
}

Outcome<std::string> ReadDtype(const Value& value) {
  std::string name;
  if (value.is_str()) name = lang::TextOf(value);
  if (const auto* type = script::Exactly<script::TypeObject>(value)) name = type->name();
  for (const std::string_view known : {"int", "float", "str", "bool"}) {
    if (name == known) return name;
  }
  return lang::ValueError("dtype must be int, float, str or bool");
}

Fault ReadConstraint(Host& host, const lang::Keyword& keyword, GenOptions& to) {
  const auto* pattern = script::Exactly<SchemaPattern>(keyword.value);
  if (keyword.name == "regex" && pattern != nullptr) {
    to.json_schema = pattern->schema();
    return Fault();
  }
  if (keyword.name == "regex" || keyword.name == "ebnf") {
    if (!keyword.value.is_str()) {
      return lang::TypeError(fmt::format("{} must be a str", keyword.name));
    }
    (keyword.name == "regex" ? to.regex : to.ebnf) = lang::TextOf(keyword.value);
    return Fault();
  }
  if (keyword.value.is_str()) {
    to.json_schema = lang::TextOf(keyword.value);
    ESP_TRY_ASSIGN(const Value parsed, script::ReadJson(host, *to.json_schema));
    (void)parsed;
    return Fault();
  }
  Value schema = keyword.value;
  if (schema.is_extension()) {  // a model class tells its schema
    ESP_TRY_ASSIGN(const Value method,
                   lang::ExtensionOf(schema).GetAttr(host, "model_json_schema"));
    if (!method.is_unset()) {
      ESP_TRY_ASSIGN(schema, host.Call(method, lang::Args{}));
    }
  }
  if (schema.type() != lang::Type::kDict) {
    return lang::TypeError("json_schema must be a dict, a str of JSON or a model class");
  }
  script::JsonStyle style;
  style.ensure_ascii = false;
  ESP_TRY_ASSIGN(to.json_schema, script::WriteJson(host, schema, style));
  return Fault();
}

Fault ReadKeyword(Host& host, const lang::Keyword& keyword, Request& to) {
  if (keyword.name == "name") {
    if (keyword.value.is_none()) return Fault();
    if (!keyword.value.is_str()) return lang::TypeError("name must be a str");
    to.name = lang::TextOf(keyword.value);
    return Fault();
  }
  const GenParameter* parameter = FindGenParameter(keyword.name);
  const bool extra = keyword.name == "choices" || keyword.name == "choices_method" ||
                     keyword.name == "dtype" || keyword.name == "regex" || keyword.name == "ebnf" ||
                     keyword.name == "json_schema";
  if ((parameter == nullptr && !extra) || keyword.name == "max_new_tokens") {
    return lang::TypeError(
        fmt::format("gen() got an unexpected keyword argument '{}'", keyword.name));
  }
  if (keyword.value.is_none()) return Fault();
  if (parameter != nullptr) {
    return parameter->set(host, keyword.name, keyword.value, to.options);
  }
  if (keyword.name == "choices") return ReadChoices(host, keyword.value, to);
  if (keyword.name == "choices_method") {
    ESP_TRY_ASSIGN(to.method, ReadMethod(keyword.value));
    return Fault();
  }
  if (keyword.name == "dtype") {
    ESP_TRY_ASSIGN(to.dtype, ReadDtype(keyword.value));
    return Fault();
  }
  return ReadConstraint(host, keyword, to.options);
}

// A dtype is a regex, and stops where a number ends. It wins over a regex that is given too.
void ApplyDtype(Request& request) {
  GenOptions& options = request.options;
  if (request.dtype == "int") options.regex = "[-+]?[0-9]+[ \\n]*";
  if (request.dtype == "float") options.regex = "[-+]?[0-9]*\\.?[0-9]+[ \\n]*";
  if (request.dtype == "bool") options.regex = "(True|False)";
  if (request.dtype == "str") options.regex = "\\\"[\\w\\d\\s]*\\\"";
  if (request.dtype == "int" || request.dtype == "float") {
    options.stop.insert(options.stop.end(), {" ", "\n"});
  }
}

Outcome<Value> Finish(Host& host, Request request) {
  if (request.has_choices) {
    if (request.options.temperature.value_or(0) > 1e-5) {
      return lang::ValueError("choices are scored, not sampled: temperature must be 0");
    }
    return host.heap().New<PromptExpression>(std::vector<Segment>{
        SelectSegment{std::move(request.name), std::move(request.choices), request.method}});
  }
  ApplyDtype(request);
  const GenOptions& options = request.options;
  const int num_constraints =
      (options.regex ? 1 : 0) + (options.json_schema ? 1 : 0) + (options.ebnf ? 1 : 0);
  if (num_constraints > 1) {
    return lang::ValueError("a gen takes one of regex, json_schema and ebnf");
  }
  return host.heap().New<PromptExpression>(
      std::vector<Segment>{GenSegment{std::move(request.name), std::move(request.options), ""}});
}

// Positional arguments in SGLang's order.
Fault ReadPositional(Host& host, std::span<const Value> values,
                     std::initializer_list<std::string_view> names, std::string_view function,
                     Request& to) {
  if (values.size() > names.size()) {
    return lang::TypeError(fmt::format("{}() takes at most {} positional arguments ({} given)",
                                       function, names.size(), values.size()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    ESP_TRY(ReadKeyword(host, {names.begin()[i], values[i]}, to));
  }
  return Fault();
}

}  // namespace

Outcome<Value> MakeGen(Host& host, const lang::Args& args) {
  Request request;
  ESP_TRY(ReadPositional(host, args.positional,
                         {"name",
                          "max_tokens",
                          "min_tokens",
                          "n",
                          "stop",
                          "stop_token_ids",
                          "stop_regex",
                          "temperature",
                          "top_p",
                          "top_k",
                          "min_p",
                          "frequency_penalty",
                          "presence_penalty",
                          "ignore_eos",
                          "return_logprob",
                          "logprob_start_len",
                          "top_logprobs_num",
                          "return_text_in_logprobs",
                          "dtype",
                          "choices",
                          "choices_method",
                          "regex",
                          "json_schema"},
                         "gen", request));
  for (const lang::Keyword& keyword : args.keywords) ESP_TRY(ReadKeyword(host, keyword, request));
  return Finish(host, std::move(request));
}

Outcome<Value> MakeSchemaPattern(Host& host, const lang::Args& args) {
  ESP_TRY_ASSIGN(const auto bound, script::BindArguments("build_regex_from_object", args,
                                                         {"object", "whitespace_pattern"}, 1));
  GenOptions options;
  ESP_TRY(ReadConstraint(host, {"json_schema", bound[0]}, options));
  return host.heap().New<SchemaPattern>(*options.json_schema);
}

Outcome<Value> MakeTypedGen(Host& host, const lang::Args& args, std::string_view dtype) {
  Request request;
  ESP_TRY(ReadPositional(
      host, args.positional,
      {"name", "max_tokens", "n", "stop", "stop_token_ids", "stop_regex", "temperature", "top_p",
       "top_k", "min_p", "frequency_penalty", "presence_penalty", "ignore_eos", "return_logprob",
       "logprob_start_len", "top_logprobs_num", "return_text_in_logprobs"},
      dtype == "int" ? "gen_int" : "gen_string", request));
  for (const lang::Keyword& keyword : args.keywords) {
    for (const std::string_view fixed :
         {"choices", "regex", "json_schema", "min_tokens", "dtype"}) {
      if (keyword.name == fixed) {
        return lang::TypeError(fmt::format("gen_{}() got an unexpected keyword argument '{}'",
                                           dtype == "int" ? "int" : "string", fixed));
      }
    }
    ESP_TRY(ReadKeyword(host, keyword, request));
  }
  request.dtype = dtype;
  return Finish(host, std::move(request));
}

Outcome<Value> MakeSelect(Host& host, const lang::Args& args) {
  Request request;
  ESP_TRY(ReadPositional(host, args.positional,
                         {"name", "choices", "temperature", "choices_method"}, "select", request));
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name != "name" && keyword.name != "choices" && keyword.name != "temperature" &&
        keyword.name != "choices_method") {
      return lang::TypeError(
          fmt::format("select() got an unexpected keyword argument '{}'", keyword.name));
    }
    ESP_TRY(ReadKeyword(host, keyword, request));
  }
  if (!request.has_choices) {
    return lang::TypeError("select() missing 1 required positional argument: 'choices'");
  }
  return Finish(host, std::move(request));
}

}  // namespace espalier::program
