#include "frontend_lang/script/regex/translate.h"

#include <limits>
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/regex/escape.h"
#include "frontend_lang/script/regex/translator.h"

namespace espalier::script::regex {
namespace {

constexpr std::size_t kMostRepeats = 65535;  // PCRE2's
constexpr int kMaxNesting = 150;
constexpr std::string_view kCallout = "(?C1)";

bool IsBlank(std::u32string_view item) {
  return item.size() == 1 && std::u32string_view(U" \t\n\r\v\f").find(item[0]) != std::string::npos;
}

}  // namespace

Text Translator::Alternatives(const Scope& scope) {
  Text all;
  if (scope.nesting > kMaxNesting) {
    source_.Fail("the pattern is nested too deeply");
    return all;
  }
  for (bool first = true;; first = false) {
    Scope inner = scope;
    if (scope.nesting == 0) inner.flags = flags_;  // global flags may have come
    const Text branch = Sequence(inner, first && scope.nesting == 0);
    if (first) {
      all = branch;
    } else {
      all.pattern += "|" + branch.pattern;
      all.width = {std::min(all.width.least, branch.width.least),
                   std::max(all.width.most, branch.width.most)};
    }
    if (source_.failed() || !source_.Match('|')) return all;
  }
}

Text Translator::Sequence(Scope& scope, bool is_first) {
  std::vector<Item> items;
  while (!source_.failed() && !source_.at_end()) {
    const std::u32string_view next = source_.next();
    if (Is(next, '|') || Is(next, ')')) break;
    if ((scope.flags & kVerbose) != 0 && (IsBlank(next) || Is(next, '#'))) {
      const bool comment = Is(source_.Get(), '#');
      while (comment && !source_.at_end() && !Is(source_.Get(), '\n')) {
      }
      continue;
    }
    const bool is_mark =
        next.size() == 1 && std::u32string_view(U"*+?{").find(next[0]) != std::u32string_view::npos;
    std::optional<Item> item =
        is_mark ? Quantified(items, source_.Get()[0]) : Element(scope, is_first && items.empty());
    if (item) items.push_back(*std::move(item));
  }
  Text text;
  for (const Item& item : items) text.Append(item.text);
  return text;
}

// Puts a quantifier on the last item; an item of its own where the mark means itself.
std::optional<Item> Translator::Quantified(std::vector<Item>& items, char32_t mark) {
  const std::size_t here = source_.Tell();
  Repeat repeat;
  if (mark == '?') repeat.most = 1;
  if (mark == '+') repeat.least = 1;
  if (mark == '{') {
    const bool empty = Is(source_.next(), '}');
    const std::optional<Repeat> counts = empty ? std::nullopt : Braces();
    if (source_.failed()) return std::nullopt;
    if (!counts) {
      if (!empty) source_.Seek(here);
      return Item{.text = Atom("\\{", 1)};
    }
    repeat = *counts;
  }
  const std::size_t length = source_.Tell() - here + 1;
  if (items.empty() || items.back().kind == Item::Kind::kPosition) {
    return Fail("nothing to repeat", length);
  }
  if (items.back().kind == Item::Kind::kRepeat) return Fail("multiple repeat", length);
  ApplyRepeat(items.back(), repeat);
  return std::nullopt;
}

// The counts behind "{"; nothing when it is no quantifier.
std::optional<Repeat> Translator::Braces() {
  const std::size_t here = source_.Tell();
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  const std::u32string low = source_.GetWhile(most, U"0123456789");
  const bool comma = source_.Match(',');
  const std::u32string high = comma ? source_.GetWhile(most, U"0123456789") : low;
  if (!source_.Match('}')) return std::nullopt;
  Repeat repeat;
  if (!low.empty()) repeat.least = ToNumber(low, 10);
  if (!high.empty()) repeat.most = ToNumber(high, 10);
  const bool too_many =
      repeat.least > kMostRepeats || (!high.empty() && repeat.most > kMostRepeats);
  if (too_many) {
    source_.Fail("the repetition number is too large", 0, Problem::Kind::kOverflow);
    return std::nullopt;
  }
  if (repeat.most < repeat.least) {
    return Fail("min repeat greater than max repeat", source_.Tell() - here);
  }
  return repeat;
}

void Translator::ApplyRepeat(Item& item, const Repeat& repeat) {
  Text& text = item.text;
  if (item.body > 0 && repeat.most > 1) text.pattern.insert(item.body, kCallout);
  const bool open = repeat.most >= kUnbounded;
  if (repeat.least == 0 && open) {
    text.pattern += '*';
  } else if (repeat.least == 1 && open) {
    text.pattern += '+';
  } else if (repeat.least == 0 && repeat.most == 1) {
    text.pattern += '?';
  } else {
    text.pattern += fmt::format("{{{},{}}}", repeat.least, open ? "" : std::to_string(repeat.most));
  }
  if (source_.Match('?')) {
    text.pattern += '?';
  } else if (source_.Match('+')) {
    text.pattern += '+';
  }
  text.width = {Times(text.width.least, repeat.least), Times(text.width.most, repeat.most)};
  item.kind = Item::Kind::kRepeat;
}

std::optional<Item> Translator::Element(Scope& scope, bool at_start) {
  const std::u32string_view item = source_.Get();
  if (item.size() == 2) return Escape(item, scope);
  switch (item[0]) {
    case '[': return Set(scope);
    case '(': return Group(scope, at_start);
    case '.': return Item{.text = Atom((scope.flags & kDotAll) != 0 ? "." : "[^\\n]", 1)};
    case '^': return Position((scope.flags & kMultiline) != 0 ? "(?<![^\\n])" : "\\A");
    case '$': return Position((scope.flags & kMultiline) != 0 ? "(?![^\\n])" : "(?=\\n?\\z)");
    default: return Literal(item[0], scope);
  }
}

Item Translator::Literal(char32_t c, const Scope& scope) {
  return {.text = Atom(LiteralPattern(c, CasingOf(scope.flags)), 1)};
}

std::variant<Translation, Problem> Translator::Run() {
  if ((flags_ & kLocale) != 0) {
    return Problem{"cannot use LOCALE flag with a str pattern", {}, Problem::Kind::kValue};
  }
  Text text = Alternatives({flags_, 0});
  if (!source_.failed() && !source_.at_end()) Fail("unbalanced parenthesis");
  for (const auto& [group, at] : later_references_) {
    if (group >= num_groups()) {
      source_.FailAt(fmt::format("invalid group reference {}", group), at);
    }
  }
  if (variable_lookbehind_) source_.FailAt("look-behind requires fixed-width pattern", {});
  if (source_.failed()) return source_.problem();
  if ((flags_ & kAscii) != 0 && (flags_ & kUnicode) != 0) {
    return Problem{"ASCII and UNICODE flags are incompatible", {}, Problem::Kind::kValue};
  }
  if ((flags_ & kAscii) == 0) flags_ |= kUnicode;
  const std::string fold = Folds(flags_) ? "(?i)" : "";
  return Translation{.pattern = fold + std::string(kCallout) + "(?:" + text.pattern + ")",
                     .flags = flags_,
                     .num_groups = num_groups() - 1,
                     .names = std::move(names_),
                     .close_order = std::move(close_order_)};
}

std::variant<Translation, Problem> Translate(std::string_view pattern, int flags) {
  return Translator(pattern, flags).Run();
}

}  // namespace espalier::script::regex
