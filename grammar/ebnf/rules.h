// The two halves of ebnf.h, for who builds more around rules: text to rules, and rules to
// a network.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "grammar/ebnf/rule_network.h"
#include "grammar/ebnf/rule_set.h"
#include "grammar/fuel.h"
#include "grammar/regex/regex_set.h"
#include "kernels/base/status.h"

namespace espalier {

// Errors as MakeEbnfNetwork. The rules have no lookahead left, and refer to no network.
Result<ParsedGrammar> ReadGrammar(std::string_view text, RegexSet& set, Fuel& fuel);

// kInvalidArgument: no text matches; kLimit: too much work.
Result<std::unique_ptr<RuleNetwork>> MakeRuleNetwork(const ParsedGrammar& grammar, RegexSet& set,
                                                     Fuel& fuel,
                                                     std::span<const std::uint64_t> network_costs);

}  // namespace espalier
