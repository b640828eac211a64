#include "grammar/frontends.h"

#include <string>
#include <string_view>
#include <utility>

#include "grammar/compiled_grammar.h"
#include "grammar/matcher.h"
#include "grammar/vocabulary_check.h"
#include "kernels/base/check.h"

namespace espalier {
namespace {

using FrontEnd = NetworkResult (*)(const ConstraintSpec& spec, const GrammarLimits& limits,
                                   const Vocabulary& vocabulary, RegexSet& set, Fuel& fuel);

// A front end of texts, which are the same whatever the tokens.
template <auto kMake>
NetworkResult OfText(const ConstraintSpec& spec, const GrammarLimits& limits,
                     const Vocabulary& /*vocabulary*/, RegexSet& set, Fuel& fuel) {
  return kMake(spec, limits, set, fuel);
}

struct Row {
  ConstraintKind kind;
  FrontEnd make;
};

constexpr Row kFrontEnds[] = {
    {ConstraintKind::kChoice, OfText<MakeChoiceNetwork>},
    {ConstraintKind::kRegex, OfText<MakeRegexNetwork>},
    {ConstraintKind::kJsonSchema, OfText<MakeJsonSchemaNetwork>},
    {ConstraintKind::kEbnf, MakeGrammarNetwork},
    {ConstraintKind::kStructuralTag, MakeStructuralTagNetwork},
};

}  // namespace

SchemaSection SchemasWithin(const ConstraintSpec& spec, const GrammarLimits& limits, RegexSet& set,
                            Fuel& fuel) {
  return [&](std::string_view schema, PropertyOrder order) {
    ConstraintSpec inner = spec;
    inner.text = std::string(schema);
    inner.order = order;
    return MakeJsonSchemaNetwork(inner, limits, set, fuel);
  };
}

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
        [spec, limits, make, vocabulary](RegexSet& set, Fuel& fuel) {
          return make(spec, limits, *vocabulary, set, fuel);
        },
        vocabulary, limits, stop);
  }
  ESP_CHECK(spec.kind != ConstraintKind::kNone);
  return Status(Code::kInternal, "a constraint of no kind");
}

}  // namespace espalier
