// The front end of `ebnf`.
#include "grammar/ebnf/ebnf.h"

#include <string>

#include "grammar/frontends.h"

namespace espalier {

NetworkResult MakeGrammarNetwork(const ConstraintSpec& spec, const GrammarLimits& limits,
                                 const Vocabulary& vocabulary, RegexSet& set, Fuel& fuel) {
  if (spec.text.size() > limits.max_text_bytes) {
    return Status(Code::kLimit,
                  "ebnf: longer than " + std::to_string(limits.max_text_bytes) + " bytes");
  }
  const SchemaSection schemas = SchemasWithin(spec, limits, set, fuel);
  return MakeEbnfNetwork(spec.text, {vocabulary, schemas}, set, fuel);
}

}  // namespace espalier
