// The front end of `structural_tag`.
#include <string>

#include "grammar/frontends.h"
#include "grammar/tags/structural_tags.h"

namespace espalier {

NetworkResult MakeStructuralTagNetwork(const ConstraintSpec& spec, const GrammarLimits& limits,
                                       const Vocabulary& vocabulary, RegexSet& set, Fuel& fuel) {
  if (spec.text.size() > limits.max_text_bytes) {
    return Status(Code::kLimit, "structural_tag: longer than " +
                                    std::to_string(limits.max_text_bytes) + " bytes");
  }
  const SchemaSection schemas = SchemasWithin(spec, limits, set, fuel);
  return MakeTagsNetwork(spec.text, {vocabulary, schemas}, set, fuel);
}

}  // namespace espalier
