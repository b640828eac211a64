// What both notations of grammars share below the level of rules: escapes, counts, names.
//
// Thread safety: functions of values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "grammar/ebnf/rule_set.h"
#include "grammar/ebnf/source_cursor.h"
#include "kernels/base/status.h"

namespace espalier {

inline constexpr std::size_t kMaxGrammarBytes = std::size_t{1} << 20;
inline constexpr int kMaxNesting = 256;  // of parentheses

bool IsNameChar(char c);  // letters, digits, '_' and '-'

// The character behind a backslash that has been taken: \n \t \r \f \v \a \b \0 \e \\ \" \' \/ \?
// \xHH \uHHHH \UHHHHHHHH, and any of `also`, which stand for themselves.
Result<char32_t> TakeEscape(SourceCursor& cursor, std::string_view also);

// The inside of a literal and its closing quote; the opening one has been taken.
Result<std::string> TakeQuoted(SourceCursor& cursor, std::size_t begin);

Result<std::uint32_t> TakeCount(SourceCursor& cursor);

struct Counts {
  std::uint32_t min, max;
};
// {n} {n,} {,m} {n,m}, with blanks where people put them; the opening brace has been taken.
Result<Counts> TakeBraces(SourceCursor& cursor, std::size_t begin);

Status CheckOrder(const SourceCursor& cursor, Counts counts, std::size_t begin);

// Refuses the first rule that is used and has no body.
Status CheckDefined(const RuleSet& rules, const SourceCursor& cursor);

}  // namespace espalier
