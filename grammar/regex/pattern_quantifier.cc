#include <algorithm>
#include <optional>
#include <string>

#include "grammar/ascii.h"
#include "grammar/regex/pattern_syntax.h"

namespace espalier {
namespace {

// Digits as a number, at most 2^32.
std::uint64_t ReadNumber(PatternReader& reader) {
  constexpr std::uint64_t kCap = std::uint64_t{1} << 32;
  std::uint64_t value = 0;
  while (IsDigit(reader.Peek())) value = std::min(kCap, value * 10 + (reader.Take() - '0'));
  return value;
}

// {n}, {n,}, {n,m}; and {,m} and {,} in Python. Anything else stands for itself.
Result<std::optional<Quantifier>> ReadBraces(PatternReader& reader, const PatternMode& mode) {
  const std::size_t start = reader.at();
  const auto none = [&]() -> Result<std::optional<Quantifier>> {
    reader.Seek(start);
    return std::optional<Quantifier>();
  };
  reader.Take();
  const bool has_min = IsDigit(reader.Peek());
  const std::uint64_t min = ReadNumber(reader);
  const bool has_comma = reader.Skip(U",");
  const bool has_max = has_comma && IsDigit(reader.Peek());
  const std::uint64_t max = has_comma ? ReadNumber(reader) : min;
  if (!reader.Skip(U"}")) return none();
  if (!has_min && !(mode.python() && has_comma)) return none();
  if (has_max && max < min) return reader.Wrong(start, "the quantifier's bounds are out of order");
  if (min >= RegexSet::kUnbounded || (has_max && max >= RegexSet::kUnbounded)) {
    return Status(Code::kLimit, "pattern, character " + std::to_string(start + 1) +
                                    ": a repeat count is over 4294967294");
  }
  const bool bounded = has_max || !has_comma;
  return std::optional(
      Quantifier{static_cast<std::uint32_t>(min),
                 bounded ? static_cast<std::uint32_t>(max) : RegexSet::kUnbounded});
}

}  // namespace

Result<std::optional<Quantifier>> ReadQuantifier(PatternReader& reader, const PatternMode& mode) {
  const std::size_t start = reader.at();
  std::optional<Quantifier> quantifier;
  if (reader.Skip(U"*")) {
    quantifier = Quantifier{0, RegexSet::kUnbounded};
  } else if (reader.Skip(U"+")) {
    quantifier = Quantifier{1, RegexSet::kUnbounded};
  } else if (reader.Skip(U"?")) {
    quantifier = Quantifier{0, 1};
  } else if (reader.Peek() == '{') {
    ESP_ASSIGN_OR_RETURN(quantifier, ReadBraces(reader, mode));
  }
  if (!quantifier) return quantifier;
  if (mode.python() && reader.Peek() == '+') {
    return reader.Unsupported(start, "a possessive quantifier");
  }
  reader.Skip(U"?");
  return quantifier;
}

}  // namespace espalier
