#include "runtime/cli/text_judge.h"

#include <string>
#include <utility>
#include <vector>

#include "kernels/base/token_mask.h"

namespace espalier {
namespace {

constexpr int kNumBytes = 256;

}  // namespace

std::shared_ptr<const Vocabulary> ByteVocabulary() {
  std::vector<std::string> bytes;
  for (int byte = 0; byte < kNumBytes; ++byte) bytes.emplace_back(1, static_cast<char>(byte));
  bytes.emplace_back();
  return std::make_shared<Vocabulary>(std::move(bytes), std::vector<TokenId>{kNumBytes});
}

TextJudge::TextJudge(std::shared_ptr<const CompiledGrammar> grammar)
    : grammar_(std::move(grammar)) {}

Result<TextJudge> TextJudge::Make(const ConstraintSpec& spec,
                                  std::shared_ptr<const Vocabulary> bytes) {
  ESP_ASSIGN_OR_RETURN(auto grammar, CompileGrammar(spec, std::move(bytes)));
  return TextJudge(std::move(grammar));
}

Result<bool> TextJudge::Accepts(std::string_view text) const {
  GrammarMatcher matcher(grammar_);
  for (const char byte : text) {
    if (matcher.Accept(static_cast<unsigned char>(byte))) continue;
    TokenMask mask(kNumBytes + 1);
    ESP_RETURN_IF_ERROR(matcher.FillMask(mask));  // refused, or not decided?
    return false;
  }
  return matcher.done();
}

ConstraintSpec SchemaToJudge(std::string_view schema) {
  ConstraintSpec spec;
  spec.kind = ConstraintKind::kJsonSchema;
  spec.text = schema;
  spec.whitespace = JsonWhitespace::kFlexible;
  spec.forms = JsonForms::kAny;
  spec.order = PropertyOrder::kAny;
  return spec;
}

}  // namespace espalier
