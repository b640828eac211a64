#include "runtime/cli/text_judge.h"

#include <string>
#include <utility>
#include <vector>

#include "kernels/base/token_mask.h"

namespace espalier {
namespace {

constexpr int kNumBytes = 256;

}  // namespace

std::shared_ptr<const Vocabulary> ByteVocabulary(std::vector<std::string> special) {
  std::vector<std::string> bytes;
  for (int byte = 0; byte < kNumBytes; ++byte) bytes.emplace_back(1, static_cast<char>(byte));
  bytes.emplace_back();
  std::vector<NamedToken> named;
  for (std::string& name : special) {
    named.push_back({static_cast<TokenId>(bytes.size()), std::move(name)});
    bytes.emplace_back();
  }
  return std::make_shared<Vocabulary>(std::move(bytes), std::vector<TokenId>{kNumBytes},
                                      std::move(named));
}

TextJudge::TextJudge(std::shared_ptr<const CompiledGrammar> grammar,
                     std::shared_ptr<const Vocabulary> tokens)
    : grammar_(std::move(grammar)), tokens_(std::move(tokens)) {}

Result<TextJudge> TextJudge::Make(const ConstraintSpec& spec,
                                  std::shared_ptr<const Vocabulary> bytes) {
  ESP_ASSIGN_OR_RETURN(auto grammar, CompileGrammar(spec, bytes));
  return TextJudge(std::move(grammar), std::move(bytes));
}

Result<bool> TextJudge::Accepts(std::string_view text) const {
  GrammarMatcher matcher(grammar_);
  const NamedTokens& special = tokens_->special();
  while (!text.empty()) {
    TokenId token = static_cast<unsigned char>(text.front());
    std::size_t size = 1;
    if (const std::string_view name = special.LongestNameAt(text); !name.empty()) {
      token = special.FirstIn(special.CodeOf(name))->token;
      size = name.size();
    }
    text.remove_prefix(size);
    if (matcher.Accept(token)) continue;
    TokenMask mask(tokens_->size());
    ESP_RETURN_IF_ERROR(matcher.FillMask(mask));  // refused, or not decided?
    if (!mask.Allows(token)) return false;
    return Status(Code::kLimit, "what follows takes more steps than the limits allow");
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
