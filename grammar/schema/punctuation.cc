#include "grammar/schema/punctuation.h"

#include <array>

namespace espalier {
namespace {

// At most one newline and 20 blanks, in any order.
RegexId FlexibleBlanks(RegexSet& set) {
  constexpr std::uint32_t kMaxBlanks = 20;
  const RegexId blank = set.Bytes(ByteSet::Of(' ') | ByteSet::Of('\t'));
  const RegexId lines[] = {set.Literal("\n"), set.Literal("\r\n"), set.Literal("\r")};
  const RegexId newline = set.Optional(set.Or(lines));
  const RegexId once[] = {set.Star(blank), newline, set.Star(blank)};
  const RegexId bounded =
      set.Concat(set.Repeat(set.Concat(newline, blank), 0, kMaxBlanks), newline);
  return set.And(set.Concat(once), bounded);
}

}  // namespace

Punctuation::Punctuation(JsonWhitespace whitespace, RegexSet& set) {
  const bool flexible = whitespace == JsonWhitespace::kFlexible;
  const RegexId blanks = flexible ? FlexibleBlanks(set) : RegexSet::kEmpty;
  const RegexId gap = whitespace == JsonWhitespace::kFixed ? set.Literal(" ") : blanks;
  const auto before = [&](std::string_view mark) { return set.Concat(blanks, set.Literal(mark)); };
  const auto after = [&](std::string_view mark) { return set.Concat(set.Literal(mark), blanks); };
  open_object = after("{");
  close_object = before("}");
  close_empty_object = set.Literal("}");
  open_array = after("[");
  close_array = before("]");
  close_empty_array = set.Literal("]");
  comma = set.Concat(before(","), gap);
  colon = set.Concat(before(":"), gap);
  comma_bytes = colon_bytes = whitespace == JsonWhitespace::kFixed ? 2 : 1;
}

}  // namespace espalier
