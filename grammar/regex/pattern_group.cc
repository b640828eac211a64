#include <string>

#include "grammar/regex/pattern_syntax.h"

namespace espalier {
namespace {

bool IsNameChar(char32_t c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || c == '_' || c == '$' || c >= 0x80;
}

class GroupHeadReader {
 public:
  GroupHeadReader(PatternReader& reader, const PatternMode& mode)
      : reader_(reader), mode_(mode), start_(reader.at() - 1) {
    head_.flags = mode.flags;
  }

  Result<GroupHead> Read() {
    if (!reader_.Skip(U"?") || reader_.Skip(U":")) return head_;
    if (reader_.Skip(U"=")) return Lookaround(GroupKind::kAhead);
    if (reader_.Skip(U"!")) return Lookaround(GroupKind::kNotAhead);
    if (reader_.Skip(U"<=")) return Lookaround(GroupKind::kBehind);
    if (reader_.Skip(U"<!")) return Lookaround(GroupKind::kNotBehind);
    if (reader_.Skip(U">")) return reader_.Unsupported(start_, "an atomic group");
    if (reader_.Skip(U"(")) return reader_.Unsupported(start_, "a conditional group");
    if (mode_.python()) {
      if (reader_.Skip(U"P<")) return Named();
      if (reader_.Skip(U"P=")) return reader_.Unsupported(start_, "the back-reference (?P=");
    } else if (reader_.Skip(U"<")) {
      return Named();
    }
    return Flags();
  }

 private:
  Result<GroupHead> Lookaround(GroupKind kind) {
    head_.kind = kind;
    return head_;
  }

  Result<GroupHead> Named() {
    std::u32string_view name;
    if (!reader_.TakeUntil('>', name) || name.empty()) {
      return reader_.Wrong(start_, "the group's name is missing, or the > behind it");
    }
    for (const char32_t c : name) {
      if (!IsNameChar(c)) return reader_.Wrong(start_, "the group's name is not an identifier");
    }
    if (name[0] >= '0' && name[0] <= '9') {
      return reader_.Wrong(start_, "the group's name begins with a digit");
    }
    head_.name = name;
    return head_;
  }

  bool* FlagOf(char32_t letter) {
    switch (letter) {
      case 'i': return &head_.flags.ignore_case;
      case 's': return &head_.flags.dot_all;
      case 'm': return &head_.flags.multi_line;
      case 'x': return mode_.python() ? &head_.flags.verbose : nullptr;
      case 'a': return mode_.python() ? &head_.flags.ascii : nullptr;
      default: return nullptr;
    }
  }

  Result<GroupHead> Flags() {
    bool value = true;
    std::size_t num_letters = 0;
    for (;; ++num_letters) {
      const char32_t letter = reader_.Peek();
      if (letter == '-' && value) {
        value = false;
      } else if (letter == 'u' && mode_.python() && value) {
        head_.flags.ascii = false;
      } else if (bool* flag = FlagOf(letter); flag != nullptr && (value || letter != 'a')) {
        *flag = value;
      } else {
        break;
      }
      reader_.Take();
    }
    if (num_letters > 0 && reader_.Skip(U":")) return head_;
    if (num_letters > 0 && value && reader_.Peek() == ')') {
      if (!mode_.python()) {
        return reader_.Unsupported(start_,
                                   "a flag for the rest of the pattern; (?i:...) is, but (?i)");
      }
      reader_.Take();
      head_.kind = GroupKind::kFlags;
      return head_;
    }
    return reader_.Wrong(start_, "this group begins with a (? that has no meaning");
  }

  PatternReader& reader_;
  const PatternMode& mode_;
  const std::size_t start_;  // of the (
  GroupHead head_;
};

bool IsDigit(char32_t c) { return c >= '0' && c <= '9'; }

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

Result<GroupHead> ReadGroupHead(PatternReader& reader, const PatternMode& mode) {
  return GroupHeadReader(reader, mode).Read();
}

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
