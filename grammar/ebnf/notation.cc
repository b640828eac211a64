#include "grammar/ebnf/notation.h"

#include <array>

#include "grammar/ascii.h"
#include "kernels/base/check.h"
#include "kernels/base/utf8.h"

namespace espalier {
namespace {

constexpr std::uint32_t kMaxCount = 1'000'000'000;

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

struct ShortEscape {
  char letter;
  char32_t code_point;
};
constexpr ShortEscape kShortEscapes[] = {
    {'n', '\n'}, {'t', '\t'}, {'r', '\r'},  {'f', '\f'}, {'v', '\v'},  {'a', '\a'}, {'b', '\b'},
    {'0', '\0'}, {'e', 0x1B}, {'\\', '\\'}, {'"', '"'},  {'\'', '\''}, {'/', '/'},  {'?', '?'},
};

Result<char32_t> TakeHex(SourceCursor& cursor, int num_digits, std::size_t begin) {
  char32_t value = 0;
  for (int i = 0; i < num_digits; ++i) {
    const std::optional<unsigned> digit = HexValue(cursor.Peek());
    if (!digit) {
      return cursor.Error("this escape needs " + std::to_string(num_digits) +
                          " hexadecimal digits: \\xHH, \\uHHHH or \\UHHHHHHHH");
    }
    value = value << 4 | *digit;
    cursor.MoveTo(cursor.at() + 1);
  }
  if (value > 0x10FFFF) return cursor.ErrorAt(begin, "no character is above \\U0010FFFF");
  if (value >= 0xD800 && value <= 0xDFFF) {
    return cursor.ErrorAt(begin,
                          "a surrogate is half a character; write the whole one as \\UHHHHHHHH");
  }
  return value;
}

}  // namespace

bool IsNameChar(char c) { return IsLetter(c) || IsDigit(c) || c == '_' || c == '-'; }

Result<char32_t> TakeEscape(SourceCursor& cursor, std::string_view also) {
  const std::size_t begin = cursor.at() - 1;
  if (cursor.at_end()) return cursor.ErrorAt(begin, "the text ends in an escape");
  const char letter = cursor.Peek();
  for (const ShortEscape& row : kShortEscapes) {
    if (row.letter != letter) continue;
    cursor.MoveTo(cursor.at() + 1);
    return row.code_point;
  }
  for (const auto& [name, num_digits] : {std::pair('x', 2), std::pair('u', 4), std::pair('U', 8)}) {
    if (name != letter) continue;
    cursor.MoveTo(cursor.at() + 1);
    return TakeHex(cursor, num_digits, begin);
  }
  if (also.find(letter) != std::string_view::npos) {
    cursor.MoveTo(cursor.at() + 1);
    return static_cast<char32_t>(letter);
  }
  return cursor.ErrorAt(begin, "unknown escape; write \\\\ for a backslash");
}

Result<std::string> TakeQuoted(SourceCursor& cursor, std::size_t begin) {
  std::string text;
  while (!cursor.Take("\"")) {
    if (cursor.at_end() || cursor.Peek() == '\n' || cursor.Peek() == '\r') {
      return cursor.ErrorAt(begin,
                            "this literal is not closed on its line; end it with \", and write "
                            "\\n for a line end");
    }
    if (cursor.Take("\\")) {
      ESP_ASSIGN_OR_RETURN(const char32_t escaped, TakeEscape(cursor, ""));
      AppendCodePoint(text, escaped);
    } else {
      AppendCodePoint(text, cursor.TakeCodePoint());
    }
  }
  return text;
}

Result<std::uint32_t> TakeCount(SourceCursor& cursor) {
  const std::size_t begin = cursor.at();
  const std::string_view digits = cursor.TakeWhile(IsDigit);
  if (digits.empty()) return cursor.Error("a count is missing here");
  std::uint64_t value = 0;
  for (const char digit : digits) {
    value = value * 10 + static_cast<std::uint64_t>(digit - '0');
    if (value > kMaxCount) {
      return cursor.ErrorAt(begin, "counts go up to " + std::to_string(kMaxCount), Code::kLimit);
    }
  }
  return static_cast<std::uint32_t>(value);
}

Result<Counts> TakeBraces(SourceCursor& cursor, std::size_t begin) {
  Counts counts = {0, RegexSet::kUnbounded};
  cursor.TakeWhile(IsBlank);
  const bool has_min = cursor.Peek() != ',';
  if (has_min) {
    ESP_ASSIGN_OR_RETURN(counts.min, TakeCount(cursor));
    counts.max = counts.min;
    cursor.TakeWhile(IsBlank);
  }
  if (cursor.Take(",")) {
    cursor.TakeWhile(IsBlank);
    counts.max = RegexSet::kUnbounded;
    if (!has_min || IsDigit(cursor.Peek())) {
      ESP_ASSIGN_OR_RETURN(counts.max, TakeCount(cursor));
    }
    cursor.TakeWhile(IsBlank);
  }
  if (!cursor.Take("}")) {
    return cursor.Error("a repeat is written {n}, {n,} or {n,m}; } is missing here");
  }
  ESP_RETURN_IF_ERROR(CheckOrder(cursor, counts, begin));
  return counts;
}

Status CheckOrder(const SourceCursor& cursor, Counts counts, std::size_t begin) {
  if (counts.min <= counts.max) return Status();
  return cursor.ErrorAt(begin, "at least " + std::to_string(counts.min) + " and at most " +
                                   std::to_string(counts.max) +
                                   " times is never; put the smaller count first");
}

Status CheckDefined(const RuleSet& rules, const SourceCursor& cursor) {
  for (RuleId id = 0; id < rules.num_rules(); ++id) {
    const Rule& rule = rules.rule(id);
    if (rule.body != kNoExpr) continue;
    std::string message = "rule \"" + rule.name + "\" is not defined; ";
    const std::string_view like = rules.MostLike(rule.name);
    message += like.empty() ? "define it, or correct the name"
                            : "did you mean \"" + std::string(like) + "\"?";
    return cursor.ErrorAt(rule.offset, message);
  }
  return Status();
}

}  // namespace espalier
