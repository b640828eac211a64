#include <string>

#include "grammar/ascii.h"
#include "grammar/regex/pattern_syntax.h"

namespace espalier {
namespace {

bool IsNameChar(char32_t c) {
  return IsLetter(c) || IsDigit(c) || c == '_' || c == '$' || c >= 0x80;
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
    if (reader_.Skip(U"P<")) return Named();
    if (reader_.Skip(U"P=")) return reader_.Unsupported(start_, "the back-reference (?P=");
    if (!mode_.python() && reader_.Skip(U"<")) return Named();
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

}  // namespace

Result<GroupHead> ReadGroupHead(PatternReader& reader, const PatternMode& mode) {
  return GroupHeadReader(reader, mode).Read();
}

}  // namespace espalier
