// Choices from raw bytes, one a line: compiling must answer with a Status, and a
// matcher driven by more raw bytes must keep its masks and Accept in agreement.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "grammar/matcher.h"
#include "kernels/base/check.h"

namespace {

using espalier::TokenId;

std::shared_ptr<const espalier::Vocabulary> MakeVocabulary() {
  std::vector<std::string> bytes = {"", "</s>", "ab", "abc", "\xc3\xa9", "aa", "b\xc3"};
  for (int b = 0; b < 256; ++b) bytes.emplace_back(1, static_cast<char>(b));
  return std::make_shared<const espalier::Vocabulary>(std::move(bytes), std::vector<TokenId>{1});
}

void Drive(espalier::GrammarMatcher& matcher, std::size_t vocab_size, std::string_view moves) {
  espalier::TokenMask mask(vocab_size);
  for (char move : moves) {
    const auto token = static_cast<TokenId>(static_cast<std::uint8_t>(move));
    ESP_CHECK(matcher.FillMask(mask).ok());
    const bool allowed = static_cast<std::size_t>(token) < vocab_size && mask.Allows(token);
    ESP_CHECK(matcher.Accept(token) == allowed);
    ESP_CHECK(!matcher.finished() || matcher.done());
    if (!allowed && matcher.num_accepted() > 0) matcher.Rollback(1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::shared_ptr<const espalier::Vocabulary> vocabulary = MakeVocabulary();
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  espalier::ConstraintSpec spec{
      .kind = espalier::ConstraintKind::kChoice, .text = {}, .choices = {}};
  for (std::size_t at = 0; at < size;) {
    const std::size_t end = std::min(input.find('\n', at), size);
    spec.choices.emplace_back(input.substr(at, end - at));
    at = end + 1;
  }
  auto grammar = espalier::CompileGrammar(spec, vocabulary);
  if (!grammar.ok()) return 0;
  espalier::GrammarMatcher matcher(*grammar);
  Drive(matcher, vocabulary->size(), input);
  return 0;
}
