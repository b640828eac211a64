// The parser behind Translate: shared by the files that are its parts.
//
//   translate.cc          sequences, quantifiers
//   translate_escapes.cc  escapes, sets
//   translate_groups.cc   parentheses, flags
//
// Thread safety: none.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "frontend_lang/script/regex/char_class.h"
#include "frontend_lang/script/regex/translate.h"

namespace espalier::script::regex {

inline constexpr std::size_t kUnbounded = std::size_t{1} << 32;  // Python's MAXREPEAT

inline std::size_t Plus(std::size_t a, std::size_t b) { return std::min(kUnbounded, a + b); }
inline std::size_t Times(std::size_t a, std::size_t b) {
  if (a == 0 || b == 0) return 0;
  return a >= kUnbounded || b >= kUnbounded ? kUnbounded : std::min(kUnbounded, a * b);
}

// What an expression can match, in code points.
struct Width {
  std::size_t least = 0, most = 0;

  bool fixed() const { return least == most && most < kUnbounded; }
};

struct Text {
  std::string pattern;
  Width width;

  void Append(const Text& other) {
    pattern += other.pattern;
    width = {Plus(width.least, other.width.least), Plus(width.most, other.width.most)};
  }
};

// One item of a sequence: an atom, so a quantifier behind it means all of it.
struct Item {
  enum class Kind : unsigned char { kAtom, kPosition, kRepeat };

  Text text;
  Kind kind = Kind::kAtom;
  std::size_t body = 0;  // of a group: where its content begins in text.pattern
};

struct Repeat {
  std::size_t least = 0, most = kUnbounded;
};

// Reads a pattern once from left to right and writes as it goes; flags hold in scopes.
// The functions return nothing at a problem, which then stands in source_.
class Translator {
 public:
  Translator(std::string_view pattern, int flags) : source_(pattern), flags_(flags) {
    group_widths_.push_back(Width{});  // group 0
  }

  std::variant<Translation, Problem> Run();

 private:
  // Flags that hold where the parser stands.
  struct Scope {
    int flags;
    int nesting;
  };

  Text Alternatives(const Scope& scope);
  Text Sequence(Scope& scope, bool is_first);
  std::optional<Item> Element(Scope& scope, bool at_start);
  std::optional<Item> Quantified(std::vector<Item>& items, char32_t mark);
  std::optional<Repeat> Braces();
  void ApplyRepeat(Item& item, const Repeat& repeat);

  Item Literal(char32_t c, const Scope& scope);
  std::optional<Item> Escape(std::u32string_view escape, const Scope& scope);
  std::optional<Item> NumberEscape(char32_t first, const Scope& scope);
  std::optional<Item> CategoryEscape(char32_t letter, const Scope& scope);
  std::optional<Item> Set(const Scope& scope);
  struct Member {  // of a set: a code point or a category
    char32_t c = 0;
    bool category = false;
  };
  std::optional<Member> SetMember(std::u32string_view item);
  std::optional<Member> SetEscape(std::u32string_view escape);
  bool SetRange(CharClass& set, const Member& low, std::u32string_view low_text);

  std::optional<Item> Group(Scope& scope, bool at_start);
  std::optional<Item> Extension(Scope& scope, bool at_start, std::size_t start);
  std::optional<Item> NamedExtension(const Scope& scope, std::size_t start);
  std::optional<Item> NamedReference(const Scope& scope);
  std::optional<Item> Look(char32_t c, const Scope& scope, std::size_t start);
  std::optional<Item> Conditional(const Scope& scope, std::size_t start);
  std::optional<Item> FlagsExtension(char32_t c, Scope& scope, bool at_start, std::size_t start);
  std::optional<Item> Capture(const std::string& name, const Scope& scope, std::size_t start);
  std::optional<Item> Enclosed(std::string_view open, const Scope& scope, std::size_t start);
  bool Comment(std::size_t start);
  bool ReadFlags(char32_t c, int& added, int& removed, bool& global);

  Item Reference(int group, const Scope& scope);
  bool CheckReference(int group, std::size_t back);
  bool CheckLookbehind(int group);
  bool CheckName(const std::u32string& name, std::size_t offset);
  int FindGroup(const std::string& name) const;
  int num_groups() const { return static_cast<int>(group_widths_.size()); }  // with group 0
  bool Closes(std::size_t start);

  std::nullopt_t Fail(std::string message, std::size_t back = 0) {
    source_.Fail(std::move(message), back);
    return std::nullopt;
  }

  PatternSource source_;
  int flags_;
  std::vector<std::optional<Width>> group_widths_;  // unset: open
  std::vector<std::pair<std::string, int>> names_;
  std::vector<int> close_order_;
  std::vector<std::pair<int, std::size_t>> later_references_;  // of (?(2)...), and where
  std::optional<int> lookbehind_groups_;  // num_groups() when the outermost began
  bool variable_lookbehind_ = false;
};

inline Casing CasingOf(int flags) {
  if ((flags & kIgnoreCase) == 0) return Casing::kExact;
  return (flags & kAscii) != 0 ? Casing::kFoldedAscii : Casing::kFolded;
}
inline bool Folds(int flags) { return CasingOf(flags) == Casing::kFolded; }

inline bool Is(std::u32string_view item, char32_t c) { return item.size() == 1 && item[0] == c; }

inline Text Atom(std::string pattern, std::size_t width) {
  return {std::move(pattern), {width, width}};
}
inline Item Position(std::string pattern) {
  return {.text = Atom(std::move(pattern), 0), .kind = Item::Kind::kPosition};
}

}  // namespace espalier::script::regex
