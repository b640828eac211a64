#include "grammar/frontends.h"

#include <cstdint>
#include <string>
#include <utility>

#include "grammar/compiled_grammar.h"
#include "grammar/matcher.h"
#include "grammar/token_trie.h"
#include "kernels/base/check.h"

namespace espalier {
namespace {

struct Row {
  ConstraintKind kind;
  FrontEnd make;
};

constexpr Row kFrontEnds[] = {
    {ConstraintKind::kChoice, MakeChoiceNetwork},
    {ConstraintKind::kRegex, MakeRegexNetwork},
    {ConstraintKind::kJsonSchema, MakeJsonSchemaNetwork},
    {ConstraintKind::kEbnf, MakeGrammarNetwork},
    {ConstraintKind::kStructuralTag, MakeStructuralTagNetwork},
};

// Bytes that a vocabulary may have no token for: most control characters, and the first
// bytes of characters that no standard assigns (planes 4 to 11); C0 and C1 are in no UTF-8
// text. Byte-level vocabularies lack those that their training text had none of.
bool MayBeMissing(unsigned byte) {
  const bool is_control = byte < 0x20 || byte == 0x7F;
  const bool is_blank = byte == '\t' || byte == '\n' || byte == '\r';
  return (is_control && !is_blank) || byte == 0xC0 || byte == 0xC1 || byte == 0xF1 || byte == 0xF2;
}

// Whatever text a grammar wants must be within reach of tokens, byte by byte, so that no
// output can get stuck. A grammar that demands a byte that is missing gets an empty mask
// there, which ends the request.
Status CheckVocabulary(const Vocabulary& vocabulary) {
  for (TokenId token : vocabulary.end_tokens()) {
    if (token < 0 || static_cast<std::size_t>(token) >= vocabulary.size()) {
      return Status(Code::kInvalidArgument, "end token " + std::to_string(token) +
                                                " is outside the vocabulary of " +
                                                std::to_string(vocabulary.size()) + " tokens");
    }
  }
  for (unsigned byte = 0; byte <= 0xF4; ++byte) {
    if (MayBeMissing(byte) || vocabulary.trie().has_byte(static_cast<std::uint8_t>(byte))) continue;
    return Status(Code::kUnsupported,
                  "constraints need a vocabulary with a token for each byte; "
                  "this one has none for byte " +
                      std::to_string(byte));
  }
  return Status();
}

}  // namespace

Result<std::shared_ptr<const CompiledGrammar>> CompileGrammar(
    const ConstraintSpec& spec, std::shared_ptr<const Vocabulary> vocabulary) {
  return CompileGrammar(spec, std::move(vocabulary), nullptr);
}

Result<std::shared_ptr<const CompiledGrammar>> CompileGrammar(
    const ConstraintSpec& spec, std::shared_ptr<const Vocabulary> vocabulary,
    const std::atomic<bool>* stop) {
  ESP_RETURN_IF_ERROR(CheckVocabulary(*vocabulary));
  const GrammarLimits limits;
  for (const Row& row : kFrontEnds) {
    if (row.kind != spec.kind) continue;
    const FrontEnd make = row.make;
    return CompiledGrammar::Make(
        [spec, limits, make](RegexSet& set, Fuel& fuel) { return make(spec, limits, set, fuel); },
        std::move(vocabulary), limits, stop);
  }
  ESP_CHECK(spec.kind != ConstraintKind::kNone);
  return Status(Code::kInternal, "a constraint of no kind");
}

}  // namespace espalier
