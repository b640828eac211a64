// Structural tags: free text with sections that keep to a constraint, as tool calls and
// reasoning need them.
//
// The text is JSON, in either of the shapes that SGLang and xgrammar take:
//
//   {"type": "structural_tag", "triggers": ["<call="], "structures": [
//     {"begin": "<call=add>", "schema": {...}, "end": "</call>"}], "at_least_one": false}
//   {"type": "structural_tag", "format": FORMAT}
//
// The first, older one may leave "type" away. README.md lists the formats and what each means.
// Free text ends at the first place where a string that ends it is complete, however tokens cut
// it; so it is one edge of the network, whose masks do not depend on how long it is.
//
// Thread safety: none.
#pragma once

#include <memory>
#include <string_view>

#include "grammar/ebnf/ebnf.h"
#include "grammar/fuel.h"
#include "grammar/network.h"
#include "grammar/regex/regex_set.h"
#include "kernels/base/status.h"

namespace espalier {

// Errors begin with the JSON pointer of the format that they are about. kUnsupported names
// formats and fields that are not supported; kInvalidArgument tokens that the vocabulary lacks.
// `set` and `fuel` must outlive the network.
Result<std::unique_ptr<Network>> MakeTagsNetwork(std::string_view text,
                                                 const GrammarSources& sources, RegexSet& set,
                                                 Fuel& fuel);

}  // namespace espalier
