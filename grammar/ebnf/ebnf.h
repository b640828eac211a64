// Grammars as people write them, to networks: GBNF (xgrammar's and llama.cpp's notation,
// `root ::= ...`) and the part of Lark that grammars for models use (`start: ...`).
//
// Rules that do not recurse become regexes, so a whole number or string is one edge; left
// recursion, direct, indirect or hidden behind rules that may be empty, is rewritten by a
// left-corner transform of the network; useless rules and alternatives (those that can
// never be completed) are pruned, and a grammar without any text is refused.
//
// Thread safety: none.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "grammar/constraint.h"
#include "grammar/fuel.h"
#include "grammar/network.h"
#include "grammar/regex/regex_set.h"
#include "grammar/vocabulary.h"
#include "kernels/base/status.h"

namespace espalier {

// Makes the network of a JSON Schema, which takes no empty text.
using SchemaSection =
    std::function<Result<std::unique_ptr<Network>>(std::string_view schema, PropertyOrder order)>;

// What a grammar may hold beside its rules: tokens of a vocabulary, and schemas.
struct GrammarSources {
  const Vocabulary& vocabulary;
  const SchemaSection& schema_section;
};

// A text whose first rule has `::=` is GBNF, else Lark. kInvalidArgument has line, column
// and a caret under the place; kUnsupported names the construct; kLimit the limit. `set`
// and `fuel` must outlive the network.
Result<std::unique_ptr<Network>> MakeEbnfNetwork(std::string_view text,
                                                 const GrammarSources& sources, RegexSet& set,
                                                 Fuel& fuel);

}  // namespace espalier
