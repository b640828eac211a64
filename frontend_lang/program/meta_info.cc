#include "frontend_lang/program/meta_info.h"

#include <fmt/format.h>

#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::program {
namespace {

using lang::Host;
using lang::Value;

// Whether the log-probabilities name the text of their tokens.
enum class TokenTexts : bool { kLeftOut, kGiven };

Value ListOf(Host& host, std::vector<Value> items) {
  return host.heap().New<lang::List>(std::move(items));
}

Value Floats(Host& host, const std::vector<double>& numbers) {
  std::vector<Value> values;
  for (const double number : numbers) values.push_back(Value::Float(number));
  return ListOf(host, std::move(values));
}

// [[logprob or None, token, text or None], ...]
Value Scored(Host& host, const std::vector<ScoredToken>& tokens, TokenTexts texts) {
  std::vector<Value> items;
  for (const ScoredToken& token : tokens) {
    items.push_back(ListOf(
        host, {token.logprob ? Value::Float(*token.logprob) : Value(), Value::Int(token.token),
               texts == TokenTexts::kGiven ? lang::MakeStr(host.heap(), token.text) : Value()}));
  }
  return ListOf(host, std::move(items));
}

Value ScoredLists(Host& host, const std::vector<std::vector<ScoredToken>>& lists,
                  TokenTexts texts) {
  std::vector<Value> items;
  for (const auto& tokens : lists) items.push_back(Scored(host, tokens, texts));
  return ListOf(host, std::move(items));
}

Value UsageDict(Host& host, const CallEvent& event) {
  Value made = host.heap().New<lang::Dict>();
  auto& dict = *made.As<lang::Dict>();
  dict.PutStr(
      "id", lang::MakeStr(host.heap(), fmt::format("{}", static_cast<std::uint64_t>(event.call))));
  dict.PutStr("prompt_tokens", Value::Int(event.usage.prompt_tokens));
  dict.PutStr("completion_tokens", Value::Int(event.usage.completion_tokens));
  dict.PutStr("cached_tokens", Value::Int(event.usage.cached_tokens));
  return made;
}

Value FinishReason(Host& host, const GenOutput& output, const CallEvent& event) {
  Value made = host.heap().New<lang::Dict>();
  auto& dict = *made.As<lang::Dict>();
  dict.PutStr("type", lang::MakeStr(host.heap(), output.finish_reason));
  if (output.finish_reason == "length") {
    dict.PutStr("length", Value::Int(event.usage.completion_tokens));
  } else if (output.matched_token) {
    dict.PutStr("matched", Value::Int(*output.matched_token));
  } else if (!output.matched_stop.empty()) {
    dict.PutStr("matched", lang::MakeStr(host.heap(), output.matched_stop));
  }
  return made;
}

Value OutputMeta(Host& host, const GenSegment& gen, const CallEvent& event,
                 const GenOutput& output) {
  Value made = UsageDict(host, event);
  auto& dict = *made.As<lang::Dict>();
  dict.PutStr("finish_reason", FinishReason(host, output, event));
  if (!gen.options.return_logprob.value_or(false)) return made;
  const TokenTexts texts = gen.options.return_text_in_logprobs.value_or(false)
                               ? TokenTexts::kGiven
                               : TokenTexts::kLeftOut;
  dict.PutStr("input_token_logprobs", Scored(host, event.prompt_logprobs, texts));
  dict.PutStr("output_token_logprobs", Scored(host, output.logprobs, texts));
  if (gen.options.top_logprobs_num.value_or(0) > 0) {
    dict.PutStr("output_top_logprobs", ScoredLists(host, output.top_logprobs, texts));
  }
  return made;
}

}  // namespace

Value GenMeta(Host& host, const GenSegment& gen, const CallEvent& event) {
  if (gen.options.n.value_or(1) <= 1) return OutputMeta(host, gen, event, event.outputs[0]);
  std::vector<Value> metas;
  for (const GenOutput& output : event.outputs) {
    metas.push_back(OutputMeta(host, gen, event, output));
  }
  return ListOf(host, std::move(metas));
}

Value SelectMeta(Host& host, const SelectSegment& select, const CallEvent& event,
                 const Decision& decision) {
  Value made = UsageDict(host, event);
  auto& dict = *made.As<lang::Dict>();
  dict.PutStr("normalized_prompt_logprobs", Floats(host, decision.means));
  dict.PutStr("input_token_logprobs", ScoredLists(host, event.choice_logprobs, TokenTexts::kGiven));
  const std::vector<std::vector<ScoredToken>> nothing(select.choices.size());
  dict.PutStr("output_token_logprobs", ScoredLists(host, nothing, TokenTexts::kGiven));
  if (select.method == ChoicesMethod::kGreedyTokenSelection) {
    std::vector<Value> rows;
    for (const auto& row : decision.greedy_matrix) rows.push_back(Floats(host, row));
    dict.PutStr("greedy_logprob_matrix", ListOf(host, std::move(rows)));
  }
  if (select.method == ChoicesMethod::kUnconditional) {
    dict.PutStr("unconditional_token_logprobs",
                ScoredLists(host, event.unconditional_logprobs, TokenTexts::kGiven));
    dict.PutStr("normalized_unconditional_prompt_logprobs", Floats(host, decision.scores));
  }
  dict.PutStr("scores", Floats(host, decision.scores));
  dict.PutStr("choices_method", lang::MakeStr(host.heap(), MethodName(select.method)));
  return made;
}

}  // namespace espalier::program
