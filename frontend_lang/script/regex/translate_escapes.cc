// The part of Translator that reads escapes and sets.
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/regex/escape.h"
#include "frontend_lang/script/regex/translator.h"

namespace espalier::script::regex {

std::optional<Item> Translator::Escape(std::u32string_view escape, const Scope& scope) {
  const char32_t letter = escape[1];
  if (std::optional<Item> category = CategoryEscape(letter, scope)) return category;
  if (const auto simple = SimpleEscape(letter)) return Literal(*simple, scope);
  if (const auto point = HexEscape(source_, letter)) return Literal(*point, scope);
  if (source_.failed()) return std::nullopt;
  if (IsDigit(letter)) return NumberEscape(letter, scope);
  if (letter == 'N') return Fail("undefined character name", 2);
  if (IsAsciiLetter(letter)) return Fail("bad escape " + ToUtf8(escape), 2);
  return Literal(letter, scope);
}

std::optional<Item> Translator::CategoryEscape(char32_t letter, const Scope& scope) {
  const bool ascii = (scope.flags & kAscii) != 0;
  switch (letter) {
    case 'A': return Position("\\A");
    case 'Z': return Position("\\z");
    case 'b': return Position(WordBoundary(ascii));
    case 'B': return Position(NoWordBoundary(ascii));
    case 'd':
    case 'D':
    case 's':
    case 'S':
    case 'w':
    case 'W': {
      CharClass set(CasingOf(scope.flags), ascii);
      set.AddCategory(letter);
      return Item{.text = Atom(set.Pattern(), 1)};
    }
    default: return std::nullopt;
  }
}

// \0 and three octal digits are a character; other numbers refer to a group.
std::optional<Item> Translator::NumberEscape(char32_t first, const Scope& scope) {
  constexpr std::u32string_view kOctal = U"01234567";
  std::u32string digits(1, first);
  if (first == '0') {
    digits += source_.GetWhile(2, kOctal);
    return Literal(static_cast<char32_t>(ToNumber(digits, 8)), scope);
  }
  digits += source_.GetWhile(1, U"0123456789");
  const bool octal = digits.size() == 2 && IsOctal(digits[0]) && IsOctal(digits[1]);
  const std::u32string third = octal ? source_.GetWhile(1, kOctal) : std::u32string();
  if (!third.empty()) {
    digits += third;
    const std::size_t point = ToNumber(digits, 8);
    if (point <= 0377) return Literal(static_cast<char32_t>(point), scope);
    return Fail("octal escape value \\" + ToUtf8(digits) + " outside of range 0-0o377", 4);
  }
  const auto group = static_cast<int>(ToNumber(digits, 10));
  if (group >= num_groups()) {
    return Fail(fmt::format("invalid group reference {}", group), digits.size());
  }
  if (!CheckReference(group, digits.size() + 1)) return std::nullopt;
  return Reference(group, scope);
}

Item Translator::Reference(int group, const Scope& scope) {
  const bool folded_ascii = CasingOf(scope.flags) == Casing::kFoldedAscii;
  const std::string reference = fmt::format("\\g{{{}}}", group);
  return {.text = {folded_ascii ? "(?i:" + reference + ")" : reference,
                   *group_widths_[static_cast<std::size_t>(group)]}};
}

bool Translator::CheckReference(int group, std::size_t back) {
  if (!group_widths_[static_cast<std::size_t>(group)]) {
    Fail("cannot refer to an open group", back);
    return false;
  }
  return CheckLookbehind(group);
}

bool Translator::CheckLookbehind(int group) {
  if (!lookbehind_groups_) return true;
  if (group >= num_groups() || !group_widths_[static_cast<std::size_t>(group)]) {
    Fail("cannot refer to an open group");
  } else if (group >= *lookbehind_groups_) {
    Fail("cannot refer to group defined in the same lookbehind subpattern");
  }
  return !source_.failed();
}

// ---- Sets.

std::optional<Item> Translator::Set(const Scope& scope) {
  const std::size_t here = source_.Tell() - 1;
  CharClass set(CasingOf(scope.flags), (scope.flags & kAscii) != 0);
  if (source_.Match('^')) set.Negate();
  for (bool first = true;; first = false) {
    const std::u32string_view item = source_.Get();
    if (source_.failed()) return std::nullopt;
    if (item.empty()) return Fail("unterminated character set", source_.Tell() - here);
    if (Is(item, ']') && !first) break;
    const std::u32string_view text = item;
    const std::optional<Member> member = SetMember(item);
    if (!member) return std::nullopt;
    if (!source_.Match('-')) {
      member->category ? set.AddCategory(member->c) : set.Add(member->c);
      continue;
    }
    if (source_.at_end() && !source_.failed()) {
      return Fail("unterminated character set", source_.Tell() - here);
    }
    if (source_.Match(']')) {
      member->category ? set.AddCategory(member->c) : set.Add(member->c);
      set.Add('-');
      break;
    }
    if (!SetRange(set, *member, text)) return std::nullopt;
  }
  return Item{.text = Atom(set.Pattern(), 1)};
}

std::optional<Translator::Member> Translator::SetMember(std::u32string_view item) {
  if (item.size() == 2) return SetEscape(item);
  return Member{item[0], false};
}

// The rest of low-high, from behind the "-".
bool Translator::SetRange(CharClass& set, const Member& low, std::u32string_view low_text) {
  const std::u32string_view item = source_.Get();
  if (source_.failed() || item.empty()) return false;
  const std::optional<Member> high = SetMember(item);
  if (!high) return false;
  if (!low.category && !high->category && low.c <= high->c) {
    set.AddRange(low.c, high->c);
    return true;
  }
  const std::u32string range = std::u32string(low_text) + U"-" + std::u32string(item);
  source_.Fail("bad character range " + ToUtf8(range), range.size());
  return false;
}

std::optional<Translator::Member> Translator::SetEscape(std::u32string_view escape) {
  const char32_t letter = escape[1];
  if (std::u32string_view(U"dDsSwW").find(letter) != std::u32string_view::npos) {
    return Member{letter, true};
  }
  if (const auto simple = SimpleEscape(letter)) return Member{*simple, false};
  if (const auto point = HexEscape(source_, letter)) return Member{*point, false};
  if (source_.failed()) return std::nullopt;
  if (letter == 'N') return Fail("undefined character name", 2);
  if (IsOctal(letter)) {
    const std::u32string digits = std::u32string(1, letter) + source_.GetWhile(2, U"01234567");
    const std::size_t point = ToNumber(digits, 8);
    if (point <= 0377) return Member{static_cast<char32_t>(point), false};
    return Fail("octal escape value \\" + ToUtf8(digits) + " outside of range 0-0o377",
                digits.size() + 1);
  }
  if (IsAsciiLetter(letter) || IsDigit(letter)) return Fail("bad escape " + ToUtf8(escape), 2);
  return Member{letter, false};
}

}  // namespace espalier::script::regex
