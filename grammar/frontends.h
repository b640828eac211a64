// The front ends: what turns each kind of constraint into a network. A new kind is a
// function of its own file and its row in frontends.cc.
#pragma once

#include <memory>

#include "grammar/constraint.h"
#include "grammar/ebnf/ebnf.h"
#include "grammar/fuel.h"
#include "grammar/limits.h"
#include "grammar/network.h"
#include "grammar/regex/regex_set.h"
#include "grammar/vocabulary.h"
#include "kernels/base/status.h"

namespace espalier {

using NetworkResult = Result<std::unique_ptr<Network>>;

// kChoice: the output is one of spec.choices, byte for byte. Duplicates count once.
// kInvalidArgument: no choice, an empty one, or one that is not UTF-8. kLimit: too many.
NetworkResult MakeChoiceNetwork(const ConstraintSpec& spec, const GrammarLimits& limits,
                                RegexSet& set, Fuel& fuel);

// kRegex: the whole output matches the pattern spec.text, of the Python dialect.
NetworkResult MakeRegexNetwork(const ConstraintSpec& spec, const GrammarLimits& limits,
                               RegexSet& set, Fuel& fuel);

// kJsonSchema: the output is a JSON text that satisfies the schema spec.text. The message
// of an error lists every problem of the schema with its JSON pointer.
NetworkResult MakeJsonSchemaNetwork(const ConstraintSpec& spec, const GrammarLimits& limits,
                                    RegexSet& set, Fuel& fuel);

// kEbnf: the output follows the grammar spec.text; schemas in it are read with the other fields
// of spec, and its tokens are those of `vocabulary`.
NetworkResult MakeGrammarNetwork(const ConstraintSpec& spec, const GrammarLimits& limits,
                                 const Vocabulary& vocabulary, RegexSet& set, Fuel& fuel);

// kStructuralTag: free text with sections, as the JSON text spec.text says
// (tags/structural_tags.h); schemas in it are read with the other fields of spec.
// `vocabulary` says what its tokens are.
NetworkResult MakeStructuralTagNetwork(const ConstraintSpec& spec, const GrammarLimits& limits,
                                       const Vocabulary& vocabulary, RegexSet& set, Fuel& fuel);

// What reads the schemas in grammars and structural tags. All arguments must outlive it.
SchemaSection SchemasWithin(const ConstraintSpec& spec, const GrammarLimits& limits, RegexSet& set,
                            Fuel& fuel);

}  // namespace espalier
