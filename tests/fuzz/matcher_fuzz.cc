// Constraints of every kind from raw bytes: compiling must answer with a Status, and a matcher
// driven by more raw bytes must keep its masks, Accept, Rollback and Fork in agreement.
// Input: the kind ('0' + its number), a text (of choices: one a line), a zero byte, tokens.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/matcher.h"
#include "kernels/base/check.h"

namespace {

using espalier::ConstraintKind;
using espalier::ConstraintSpec;
using espalier::TokenId;

constexpr std::size_t kMaxMoves = 64;

std::shared_ptr<const espalier::Vocabulary> MakeVocabulary() {
  std::vector<std::string> bytes = {"",     "</s>",  "ab",       "abc",  "\xc3\xa9",
                                    "aa",   "b\xc3", "\", \"",   "\": ", "true",
                                    "null", "{\"",   "<tool>{\""};
  for (int b = 0; b < 256; ++b) bytes.emplace_back(1, static_cast<char>(b));
  return std::make_shared<const espalier::Vocabulary>(std::move(bytes), std::vector<TokenId>{1});
}

ConstraintSpec ReadSpec(char kind, std::string_view text) {
  constexpr ConstraintKind kKinds[] = {ConstraintKind::kChoice, ConstraintKind::kRegex,
                                       ConstraintKind::kJsonSchema, ConstraintKind::kEbnf,
                                       ConstraintKind::kStructuralTag};
  ConstraintSpec spec;
  spec.kind = kKinds[static_cast<std::uint8_t>(kind - '0') % std::size(kKinds)];
  if (spec.kind != ConstraintKind::kChoice) spec.text = text;
  for (std::size_t at = 0; spec.kind == ConstraintKind::kChoice && at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    spec.choices.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return spec;
}

// A token that the mask allows, picked by the move where there is one: else most walks end at
// their first step.
TokenId Pick(const espalier::TokenMask& mask, std::size_t vocab_size, std::uint8_t move) {
  for (std::size_t i = 0; move % 8 != 0 && i < vocab_size; ++i) {
    const auto token = static_cast<TokenId>((i + move) % vocab_size);
    if (mask.Allows(token)) return token;
  }
  return static_cast<TokenId>(move);
}

void Drive(espalier::GrammarMatcher& matcher, std::size_t vocab_size, std::string_view moves) {
  espalier::TokenMask mask(vocab_size);
  for (const char byte : moves.substr(0, kMaxMoves)) {
    const auto move = static_cast<std::uint8_t>(byte);
    if (!matcher.FillMask(mask).ok()) return;  // over a limit
    const TokenId token = Pick(mask, vocab_size, move);
    const bool allowed = static_cast<std::size_t>(token) < vocab_size && mask.Allows(token);
    espalier::GrammarMatcher fork = matcher.Fork();
    ESP_CHECK(matcher.Accept(token) == allowed);
    ESP_CHECK(fork.Accept(token) == allowed && fork.done() == matcher.done());
    ESP_CHECK(!matcher.finished() || matcher.done());
    if (!allowed && matcher.num_accepted() > 0) matcher.Rollback(1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::shared_ptr<const espalier::Vocabulary> vocabulary = MakeVocabulary();
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find('\0', 1), size);
  const ConstraintSpec spec = ReadSpec(input[0], input.substr(1, end - 1));
  const auto grammar = espalier::CompileGrammar(spec, vocabulary);
  if (!grammar.ok()) return 0;
  espalier::GrammarMatcher matcher(*grammar);
  Drive(matcher, vocabulary->size(), input.substr(std::min(end + 1, size)));
  return 0;
}
