// Reads the part of Lark's notation that grammars for models use:
//
//   start: (word | NUMBER)+        // names in capitals are terminals
//   word: "a".."z" | /[A-Z]\w*/i
//   %import common.NUMBER
//   %ignore " "
//
// The language is the context-free one: %ignore may stand around every token of a rule,
// and a text is in the language if some way to cut it into tokens is. There is no lexer
// that would prefer a longer token or a keyword, so priorities change nothing. Terminals
// must be regular. Aliases and ?, !, _ before names only shape Lark's trees.
//
// From llguidance come & and ~ in terminals, tokens (token_reference.h), %json {...} for a value
// of a schema, and the attributes of a rule name[...] of terminals: lazy and suffix="...", where
// the rule ends as soon as it can; capture changes nothing.
//
// Refused by name: templates, other attributes, %declare, %extend, %override, imports other
// than common, references @..., and inline %regex, %lark.
#pragma once

#include <string_view>

#include "grammar/ebnf/ebnf.h"
#include "grammar/ebnf/rule_set.h"
#include "grammar/ebnf/token_text.h"
#include "kernels/base/status.h"

namespace espalier {

// REQUIRES: `text` is valid UTF-8
Result<ParsedGrammar> ParseLark(std::string_view text, TokenText& tokens,
                                const SchemaSection& schema_section);

}  // namespace espalier
