#include "frontend_lang/script/regex/replacement.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend_lang/script/regex/escape.h"
#include "frontend_lang/script/values/repr.h"

namespace espalier::script::regex {

// Follows sre_parse's parse_template.
class ReplacementParser {
 public:
  ReplacementParser(std::string_view text, const Pattern& pattern)
      : source_(text), pattern_(pattern) {}

  const PatternSource& source() const { return source_; }

  std::vector<Replacement::Piece> Run() {
    while (!source_.failed()) {
      const std::u32string_view item = source_.Get();
      if (item.empty()) break;
      if (item.size() == 1) {
        text_ += item;
      } else {
        Escape(item);
      }
    }
    pieces_.push_back({ToUtf8(text_), -1});
    return std::move(pieces_);
  }

 private:
  void Escape(std::u32string_view item) {
    const char32_t letter = item[1];
    if (letter == 'g') return Named();
    if (IsDigit(letter)) return Number(letter);
    if (const auto simple = SimpleEscape(letter)) {
      text_ += *simple;
    } else if (IsAsciiLetter(letter)) {
      source_.Fail("bad escape " + ToUtf8(item), item.size());
    } else {
      text_ += item;
    }
  }

  void Named() {
    if (!source_.Match('<')) return source_.Fail("missing <");
    const auto name = source_.GetUntil('>', "group name");
    if (!name) return;
    const std::string text = ToUtf8(*name), quoted = lang::ReprStr(text);
    if (IsIdentifier(*name)) {
      for (const auto& [known, group] : pattern_.names()) {
        if (known == text) return AddGroup(static_cast<std::size_t>(group), name->size() + 1);
      }
      return source_.Fail("unknown group name " + quoted, 0, Problem::Kind::kIndex);
    }
    if (!std::all_of(name->begin(), name->end(), IsDigit)) {
      return source_.Fail("bad character in group name " + quoted, name->size() + 1);
    }
    AddGroup(ToNumber(*name, 10), name->size() + 1);
  }

  void Number(char32_t first) {
    constexpr std::u32string_view kOctal = U"01234567";
    std::u32string digits(1, first);
    if (first == '0') {
      digits += source_.GetWhile(2, kOctal);
      text_ += static_cast<char32_t>(ToNumber(digits, 8) & 0xFF);
      return;
    }
    digits += source_.GetWhile(1, U"0123456789");
    const bool octal = digits.size() == 2 && IsOctal(digits[0]) && IsOctal(digits[1]);
    const std::u32string third = octal ? source_.GetWhile(1, kOctal) : std::u32string();
    if (third.empty()) return AddGroup(ToNumber(digits, 10), digits.size());
    digits += third;
    const std::size_t point = ToNumber(digits, 8);
    if (point <= 0377) {
      text_ += static_cast<char32_t>(point);
      return;
    }
    source_.Fail("octal escape value \\" + ToUtf8(digits) + " outside of range 0-0o377", 4);
  }

  void AddGroup(std::size_t group, std::size_t back) {
    if (group > static_cast<std::size_t>(pattern_.num_groups())) {
      return source_.Fail(fmt::format("invalid group reference {}", group), back);
    }
    pieces_.push_back({ToUtf8(text_), static_cast<int>(group)});
    text_.clear();
  }

  PatternSource source_;
  const Pattern& pattern_;
  std::u32string text_;
  std::vector<Replacement::Piece> pieces_;
};

Outcome<Replacement> Replacement::Parse(Host& host, const Value& text, const Pattern& pattern) {
  Replacement replacement;
  const std::string_view bytes = lang::TextOf(text);
  ESP_TRY(host.Step(static_cast<std::int64_t>(bytes.size()) / 64));
  if (bytes.find('\\') == std::string_view::npos) {
    replacement.pieces_.push_back({std::string(bytes), -1});
    return replacement;
  }
  ReplacementParser parser(bytes, pattern);
  replacement.pieces_ = parser.Run();
  if (parser.source().failed()) return Raise(host, parser.source().problem(), text);
  return replacement;
}

Fault Replacement::AppendTo(Host& host, std::string& out, const lang::Str& subject,
                            const Spans& spans) const {
  for (const Piece& piece : pieces_) {
    ESP_TRY(host.Step());
    ESP_TRY(host.Reserve(static_cast<std::int64_t>(out.size() + subject.bytes().size())));
    out += piece.text;
    if (piece.group < 0) continue;
    const ByteSpan span = spans[static_cast<std::size_t>(piece.group)];
    if (!span.matched()) continue;
    out.append(subject.bytes(), static_cast<std::size_t>(span.begin),
               static_cast<std::size_t>(span.end - span.begin));
  }
  return Fault();
}

}  // namespace espalier::script::regex
