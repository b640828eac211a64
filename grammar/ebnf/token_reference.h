// References to tokens, as both notations write them:
//
//   <think>  <|python_tag|>      the token of that name, or with that text
//   <[128010]>  <[10-20,30]>     tokens by their ids
//   !<think>*  <[^128010]>*      any text and tokens but these; + for at least one
//   <[*]>*                       any text and tokens
//
// What is meant is what grammar/ebnf/token_text.h takes for the token: of a special one just that
// token, of another its text, however tokens cut it. So one token that is not among some could be
// any short text; only runs of such tokens have a meaning of their own.
//
// Thread safety: as TextRegex.
#pragma once

#include "grammar/ebnf/source_cursor.h"
#include "grammar/ebnf/token_text.h"
#include "kernels/base/status.h"

namespace espalier {

bool AtTokenReference(const SourceCursor& cursor);

// Takes a reference, and the * or + behind one of other tokens. kInvalidArgument: the vocabulary
// has no such token, or no output may hold it; kUnsupported: a count of other tokens.
// REQUIRES: AtTokenReference(cursor)
Result<RegexId> TakeTokenReference(SourceCursor& cursor, TokenText& tokens);

}  // namespace espalier
