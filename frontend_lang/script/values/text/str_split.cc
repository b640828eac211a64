// str methods that cut and join.
#include <algorithm>
#include <string>
#include <vector>

#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/str_methods.h"
#include "frontend_lang/script/values/text/text_search.h"
#include "frontend_lang/script/values/text/unicode.h"
#include "kernels/base/utf8.h"

namespace espalier::lang::str_methods {
namespace {

// What strip takes off: white space, or the code points of its argument.
class StripSet {
 public:
  explicit StripSet(const Value& chars) : white_space_(!chars.is_str()) {
    if (white_space_) return;
    const std::string_view text = TextOf(chars);
    for (std::size_t at = 0; at < text.size();) chars_.push_back(NextCodePoint(text, at));
    std::ranges::sort(chars_);
  }
  bool Has(char32_t c) const {
    return white_space_ ? lang::IsSpace(c) : std::ranges::binary_search(chars_, c);
  }

 private:
  bool white_space_;
  std::vector<char32_t> chars_;
};

std::string_view StripLeft(std::string_view text, const StripSet& set) {
  while (!text.empty()) {
    std::size_t at = 0;
    if (!set.Has(NextCodePoint(text, at))) break;
    text.remove_prefix(at);
  }
  return text;
}

std::string_view StripRight(std::string_view text, const StripSet& set) {
  while (!text.empty()) {
    std::size_t at = text.size();
    if (!set.Has(PreviousCodePoint(text, at))) break;
    text.remove_suffix(text.size() - at);
  }
  return text;
}

enum class Sides { kLeft, kRight, kBoth };

Outcome<Value> StripSides(Host& host, const Value& self, Arguments args, std::string_view name,
                          Sides sides) {
  if (!args[0].is_unset() && !args[0].is_none() && !args[0].is_str()) {
    return TypeError(std::string(name) + " arg must be None or str");
  }
  const StripSet set(args[0]);
  std::string_view text = TextOf(self);
  ESP_TRY(host.Step(static_cast<std::int64_t>(text.size()) / 256));
  if (sides != Sides::kRight) text = StripLeft(text, set);
  if (sides != Sides::kLeft) text = StripRight(text, set);
  if (text.size() == TextOf(self).size()) return self;
  return MakeValidStr(host.heap(), std::string(text));
}

// Collects pieces into a list, a step each.
class Pieces {
 public:
  explicit Pieces(Host& host) : host_(host) {}

  Fault Add(std::string_view piece) {
    pieces_.push_back(MakeValidStr(host_.heap(), std::string(piece)));
    return host_.Step();
  }
  std::int64_t size() const { return static_cast<std::int64_t>(pieces_.size()); }
  Value Take() { return host_.heap().New<List>(std::move(pieces_)); }
  Value TakeReversed() {
    std::ranges::reverse(pieces_);
    return Take();
  }

 private:
  Host& host_;
  std::vector<Value> pieces_;
};

std::size_t EndOfWord(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t next = at;
    if (lang::IsSpace(NextCodePoint(text, next))) break;
    at = next;
  }
  return at;
}

std::size_t StartOfLastWord(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0) {
    std::size_t previous = at;
    if (lang::IsSpace(PreviousCodePoint(text, previous))) break;
    at = previous;
  }
  return at;
}

const StripSet& WhiteSpace() {
  static const StripSet kWhiteSpace{Value()};
  return kWhiteSpace;
}

Outcome<Value> SplitWords(Host& host, std::string_view text, std::int64_t limit) {
  Pieces pieces(host);
  text = StripLeft(text, WhiteSpace());
  while (!text.empty()) {
    if (pieces.size() == limit) {
      ESP_TRY(pieces.Add(text));  // the blanks at its end are part of the rest
      break;
    }
    const std::size_t end = EndOfWord(text);
    ESP_TRY(pieces.Add(text.substr(0, end)));
    text = StripLeft(text.substr(end), WhiteSpace());
  }
  return pieces.Take();
}

Outcome<Value> SplitWordsFromEnd(Host& host, std::string_view text, std::int64_t limit) {
  Pieces pieces(host);
  text = StripRight(text, WhiteSpace());
  while (!text.empty()) {
    if (pieces.size() == limit) {
      ESP_TRY(pieces.Add(text));
      break;
    }
    const std::size_t start = StartOfLastWord(text);
    ESP_TRY(pieces.Add(text.substr(start)));
    text = StripRight(text.substr(0, start), WhiteSpace());
  }
  return pieces.TakeReversed();
}

Outcome<Value> SplitAt(Host& host, std::string_view text, std::string_view separator,
                       std::int64_t limit) {
  Pieces pieces(host);
  std::size_t start = 0;
  while (limit < 0 || pieces.size() < limit) {
    const std::size_t at = FindText(text, separator, start);
    if (at == kNotFound) break;
    ESP_TRY(pieces.Add(text.substr(start, at - start)));
    start = at + separator.size();
  }
  ESP_TRY(pieces.Add(text.substr(start)));
  return pieces.Take();
}

Outcome<Value> SplitAtFromEnd(Host& host, std::string_view text, std::string_view separator,
                              std::int64_t limit) {
  Pieces pieces(host);
  while (limit < 0 || pieces.size() < limit) {
    const std::size_t at = FindLastText(text, separator);
    if (at == kNotFound) break;
    ESP_TRY(pieces.Add(text.substr(at + separator.size())));
    text = text.substr(0, at);
  }
  ESP_TRY(pieces.Add(text));
  return pieces.TakeReversed();
}

Fault CheckSeparator(const Value& separator) {
  if (!separator.is_str()) {
    return TypeError("must be str or None, not " + std::string(TypeName(separator)));
  }
  return TextOf(separator).empty() ? ValueError("empty separator") : Fault();
}

}  // namespace

Outcome<Value> Strip(Host& host, const Value& self, Arguments args) {
  return StripSides(host, self, args, "strip", Sides::kBoth);
}
Outcome<Value> LStrip(Host& host, const Value& self, Arguments args) {
  return StripSides(host, self, args, "lstrip", Sides::kLeft);
}
Outcome<Value> RStrip(Host& host, const Value& self, Arguments args) {
  return StripSides(host, self, args, "rstrip", Sides::kRight);
}

Outcome<Value> Split(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const std::int64_t limit, IntArgument(args[1], -1));
  if (args[0].is_unset() || args[0].is_none()) return SplitWords(host, TextOf(self), limit);
  ESP_TRY(CheckSeparator(args[0]));
  return SplitAt(host, TextOf(self), TextOf(args[0]), limit);
}

Outcome<Value> RSplit(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const std::int64_t limit, IntArgument(args[1], -1));
  if (args[0].is_unset() || args[0].is_none()) return SplitWordsFromEnd(host, TextOf(self), limit);
  ESP_TRY(CheckSeparator(args[0]));
  return SplitAtFromEnd(host, TextOf(self), TextOf(args[0]), limit);
}

Outcome<Value> SplitLines(Host& host, const Value& self, Arguments args) {
  bool keep_ends = false;
  if (!args[0].is_unset()) {
    ESP_TRY_ASSIGN(keep_ends, Truth(host, args[0]));
  }
  const std::string_view text = TextOf(self);
  Pieces pieces(host);
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = at;
    const char32_t c = NextCodePoint(text, at);
    if (!IsLineBreak(c)) continue;
    if (c == '\r' && at < text.size() && text[at] == '\n') ++at;
    ESP_TRY(pieces.Add(text.substr(start, (keep_ends ? at : end) - start)));
    start = at;
  }
  if (start < text.size()) ESP_TRY(pieces.Add(text.substr(start)));
  return pieces.Take();
}

Outcome<Value> Join(Host& host, const Value& self, Arguments args) {
  Outcome<std::vector<Value>> items = Collect(host, args[0]);
  if (!items.ok()) {
    if (items.error().type != "TypeError") return items.TakeFault();
    return TypeError("can only join an iterable");
  }
  const std::string_view separator = TextOf(self);
  std::size_t size = 0;
  for (std::size_t i = 0; i < items->size(); ++i) {
    Value& item = (*items)[i];
    if (item.type() == Type::kInstance) item = Value(PlainOf(item));
    if (!item.is_str()) {
      return TypeError("sequence item " + std::to_string(i) + ": expected str instance, " +
                       std::string(TypeName(item)) + " found");
    }
    size += TextOf(item).size() + (i > 0 ? separator.size() : 0);
  }
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(size)));
  ESP_TRY(host.Step(static_cast<std::int64_t>(items->size() / 64 + size / 1024)));
  if (items->size() == 1) return (*items)[0];
  std::string text;
  text.reserve(size);
  for (std::size_t i = 0; i < items->size(); ++i) {
    if (i > 0) text += separator;
    text += TextOf((*items)[i]);
  }
  return MakeValidStr(host.heap(), std::move(text));
}

}  // namespace espalier::lang::str_methods
