// The two halves of ebnf.h, for who builds more around rules: text to rules, and rules to
// a network.
//
// Thread safety: none.
#pragma once

#include <memory>
#include <string_view>

#include "grammar/ebnf/ebnf.h"
#include "grammar/ebnf/rule_set.h"
#include "grammar/fuel.h"
#include "grammar/regex/regex_set.h"
#include "kernels/base/status.h"

namespace espalier {

// Errors as MakeEbnfNetwork. The rules have no lookahead left.
Result<ParsedGrammar> ReadGrammar(std::string_view text, const GrammarSources& sources,
                                  RegexSet& set, Fuel& fuel);

// Takes the networks of the grammar. kInvalidArgument: no text matches; kLimit: too much work.
Result<std::unique_ptr<Network>> MakeNetworkOf(ParsedGrammar grammar, RegexSet& set, Fuel& fuel);

}  // namespace espalier
