// The part of Translator that reads parentheses: groups, lookaround, conditions, flags.
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/regex/escape.h"
#include "frontend_lang/script/regex/translator.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/unicode.h"

namespace espalier::script::regex {
namespace {

constexpr int kMostGroups = 10000;

int FlagOf(char32_t c) {
  switch (c) {
    case 'i': return kIgnoreCase;
    case 'L': return kLocale;
    case 'm': return kMultiline;
    case 's': return kDotAll;
    case 'x': return kVerbose;
    case 'a': return kAscii;
    case 'u': return kUnicode;
    default: return 0;
  }
}

}  // namespace

bool Translator::Closes(std::size_t start) {
  if (source_.failed()) return false;
  if (source_.Match(')')) return true;
  Fail("missing ), unterminated subpattern", source_.Tell() - start);
  return false;
}

std::optional<Item> Translator::Group(Scope& scope, bool at_start) {
  const std::size_t start = source_.Tell() - 1;
  if (source_.Match('?')) return Extension(scope, at_start, start);
  return Capture("", scope, start);
}

std::optional<Item> Translator::Extension(Scope& scope, bool at_start, std::size_t start) {
  const std::u32string_view item = source_.Get();
  if (source_.failed()) return std::nullopt;
  if (item.empty()) return Fail("unexpected end of pattern");
  switch (item[0]) {
    case 'P': return NamedExtension(scope, start);
    case ':': return Enclosed("(?:", scope, start);
    case '>': return Enclosed("(?>", scope, start);
    case '#': Comment(start); return std::nullopt;
    case '=':
    case '!':
    case '<': return Look(item[0], scope, start);
    case '(': return Conditional(scope, start);
    default: break;
  }
  if (item.size() == 1 && std::u32string_view(U"iLmsxau-").find(item[0]) != std::string::npos) {
    return FlagsExtension(item[0], scope, at_start, start);
  }
  return Fail("unknown extension ?" + ToUtf8(item), item.size() + 1);
}

bool Translator::Comment(std::size_t start) {
  for (;;) {
    const std::u32string_view item = source_.Get();
    if (source_.failed()) return false;
    if (item.empty()) {
      Fail("missing ), unterminated comment", source_.Tell() - start);
      return false;
    }
    if (Is(item, ')')) return true;
  }
}

std::optional<Item> Translator::Enclosed(std::string_view open, const Scope& scope,
                                         std::size_t start) {
  Text inner = Alternatives({scope.flags, scope.nesting + 1});
  if (!Closes(start)) return std::nullopt;
  return Item{.text = {std::string(open) + inner.pattern + ")", inner.width}, .body = open.size()};
}

std::optional<Item> Translator::Capture(const std::string& name, const Scope& scope,
                                        std::size_t start) {
  const int group = num_groups();
  if (group >= kMostGroups) return Fail("too many groups");
  if (const int other = name.empty() ? 0 : FindGroup(name); other > 0) {
    return Fail(fmt::format("redefinition of group name {} as group {}; was group {}",
                            lang::ReprStr(name), group, other),
                name.size() + 1);
  }
  group_widths_.emplace_back();
  if (!name.empty()) names_.emplace_back(name, group);
  std::optional<Item> item = Enclosed("(", scope, start);
  if (!item) return std::nullopt;
  group_widths_[static_cast<std::size_t>(group)] = item->text.width;
  close_order_.push_back(group);
  return item;
}

int Translator::FindGroup(const std::string& name) const {
  for (const auto& [known, group] : names_) {
    if (known == name) return group;
  }
  return 0;
}

bool Translator::CheckName(const std::u32string& name, std::size_t offset) {
  if (IsIdentifier(name)) return true;
  Fail("bad character in group name " + lang::ReprStr(ToUtf8(name)), name.size() + offset);
  return false;
}

std::optional<Item> Translator::NamedExtension(const Scope& scope, std::size_t start) {
  if (source_.Match('<')) {
    const auto name = source_.GetUntil('>', "group name");
    if (!name || !CheckName(*name, 1)) return std::nullopt;
    return Capture(ToUtf8(*name), scope, start);
  }
  if (source_.Match('=')) return NamedReference(scope);
  const std::u32string_view item = source_.Get();
  if (source_.failed()) return std::nullopt;
  if (item.empty()) return Fail("unexpected end of pattern");
  return Fail("unknown extension ?P" + ToUtf8(item), item.size() + 2);
}

std::optional<Item> Translator::NamedReference(const Scope& scope) {
  const auto name = source_.GetUntil(')', "group name");
  if (!name || !CheckName(*name, 1)) return std::nullopt;
  const int group = FindGroup(ToUtf8(*name));
  if (group == 0) {
    return Fail("unknown group name " + lang::ReprStr(ToUtf8(*name)), name->size() + 1);
  }
  if (!CheckReference(group, name->size() + 1)) return std::nullopt;
  return Reference(group, scope);
}

std::optional<Item> Translator::Look(char32_t c, const Scope& scope, std::size_t start) {
  const bool behind = c == '<';
  if (behind) {
    const std::u32string_view item = source_.Get();
    if (source_.failed()) return std::nullopt;
    if (item.empty()) return Fail("unexpected end of pattern");
    if (!Is(item, '=') && !Is(item, '!')) {
      return Fail("unknown extension ?<" + ToUtf8(item), item.size() + 2);
    }
    c = item[0];
  }
  const bool outermost = behind && !lookbehind_groups_;
  if (outermost) lookbehind_groups_ = num_groups();
  Text inner = Alternatives({scope.flags, scope.nesting + 1});
  if (outermost) lookbehind_groups_.reset();
  if (!Closes(start)) return std::nullopt;
  if (behind && !inner.width.fixed()) variable_lookbehind_ = true;
  const std::string open = behind ? "(?<" : "(?";
  return Item{.text = Atom(open + static_cast<char>(c) + inner.pattern + ")", 0)};
}

std::optional<Item> Translator::Conditional(const Scope& scope, std::size_t start) {
  const auto name = source_.GetUntil(')', "group name");
  if (!name) return std::nullopt;
  const std::string text = ToUtf8(*name), quoted = lang::ReprStr(text);
  int group = 0;
  if (IsIdentifier(*name)) {
    group = FindGroup(text);
    if (group == 0) return Fail("unknown group name " + quoted, name->size() + 1);
  } else {
    if (!std::all_of(name->begin(), name->end(), IsDigit)) {
      return Fail("bad character in group name " + quoted, name->size() + 1);
    }
    const std::size_t number = ToNumber(*name, 10);
    if (number == 0) return Fail("bad group number", name->size() + 1);
    if (number >= kMostGroups) {
      return Fail("invalid group reference " + text, name->size() + 1);
    }
    group = static_cast<int>(number);
    later_references_.emplace_back(group, source_.Tell() - name->size() - 1);
  }
  if (!CheckLookbehind(group)) return std::nullopt;
  Scope inner{scope.flags, scope.nesting + 1};
  const Text yes = Sequence(inner, false);
  Text no;
  const bool has_no = !source_.failed() && source_.Match('|');
  if (has_no) no = Sequence(inner, false);
  if (has_no && Is(source_.next(), '|')) {
    return Fail("conditional backref with more than two branches");
  }
  if (!Closes(start)) return std::nullopt;
  const std::string rest = has_no ? "|" + no.pattern : "";
  return Item{.text = {fmt::format("(?({}){}{})", group, yes.pattern, rest),
                       {std::min(yes.width.least, no.width.least),
                        std::max(yes.width.most, no.width.most)}}};
}

bool Translator::ReadFlags(char32_t c, int& added, int& removed, bool& global) {
  constexpr int kTypes = kAscii | kUnicode | kLocale;
  const auto fail = [this](std::string_view message, std::size_t back = 0) {
    Fail(std::string(message), back);
    return false;
  };
  const auto wrong = [&](std::u32string_view item, std::string_view missing) {
    if (item.empty()) return fail(missing);
    return fail(lang::IsAlpha(item[0]) ? "unknown flag" : missing, item.size());
  };
  while (c != '-') {
    const int flag = FlagOf(c);
    if (flag == kLocale) {
      return fail("bad inline flags: cannot use 'L' flag with a str pattern");
    }
    added |= flag;
    if ((flag & kTypes) != 0 && (added & kTypes) != flag) {
      return fail("bad inline flags: flags 'a', 'u' and 'L' are incompatible");
    }
    const std::u32string_view item = source_.Get();
    if (source_.failed()) return false;
    global = Is(item, ')');
    if (global) return true;
    if (Is(item, ':')) return true;
    if (!Is(item, '-') && (item.size() != 1 || FlagOf(item[0]) == 0)) {
      return wrong(item, "missing -, : or )");
    }
    c = item[0];
  }
  for (std::string_view missing = "missing flag";; missing = "missing :") {
    const std::u32string_view item = source_.Get();
    if (source_.failed()) return false;
    if (Is(item, ':') && removed != 0) break;
    const int flag = item.size() == 1 ? FlagOf(item[0]) : 0;
    if (flag == 0) return wrong(item, missing);
    if ((flag & kTypes) != 0) {
      return fail("bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
    }
    removed |= flag;
  }
  if ((added & removed) == 0) return true;
  return fail("bad inline flags: flag turned on and off", 1);
}

std::optional<Item> Translator::FlagsExtension(char32_t c, Scope& scope, bool at_start,
                                               std::size_t start) {
  int added = 0, removed = 0;
  bool global = false;
  if (!ReadFlags(c, added, removed, global)) return std::nullopt;
  if (global) {
    if (!at_start) {
      return Fail("global flags not at the start of the expression", source_.Tell() - start);
    }
    flags_ |= added;
    scope.flags |= added;
    return std::nullopt;
  }
  int inner = (scope.flags | added) & ~removed;
  if ((added & kAscii) != 0) inner &= ~kUnicode;
  if ((added & kUnicode) != 0) inner &= ~kAscii;
  const std::string_view open = Folds(inner) == Folds(scope.flags) ? "(?:"
                                : Folds(inner)                     ? "(?i:"
                                                                   : "(?-i:";
  return Enclosed(open, {inner, scope.nesting}, start);
}

}  // namespace espalier::script::regex
