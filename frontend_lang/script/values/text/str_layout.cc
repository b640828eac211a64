// str methods that pad.
#include <string>

#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/str_methods.h"
#include "kernels/base/utf8.h"

namespace espalier::lang::str_methods {
namespace {

std::string Filled(std::string_view fill, std::int64_t count) {
  std::string text;
  text.reserve(fill.size() * static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) text += fill;
  return text;
}

// Where the padding of a text narrower than the width goes.
enum class Place { kLeft, kRight, kCenter };

Outcome<Value> Pad(Host& host, const Value& self, Arguments args, Place place) {
  ESP_TRY_ASSIGN(const std::int64_t width, IntArgument(args[0], 0));
  std::string_view fill = " ";
  if (!args[1].is_unset()) {
    if (!args[1].is_str()) {
      return TypeError("The fill character must be a unicode character, not " +
                       std::string(TypeName(args[1])));
    }
    if (args[1].As<Str>()->length() != 1) {
      return TypeError("The fill character must be exactly one character long");
    }
    fill = TextOf(args[1]);
  }
  const std::int64_t missing = width - self.As<Str>()->length();
  if (width <= self.As<Str>()->length()) return self;
  ESP_TRY(host.Reserve(missing, static_cast<std::int64_t>(fill.size())));
  ESP_TRY(host.Step(missing / 256));
  // CPython's rule for an odd rest: it goes left when the width is odd.
  const std::int64_t left = place == Place::kRight  ? 0
                            : place == Place::kLeft ? missing
                                                    : missing / 2 + (missing & width & 1);
  std::string text = Filled(fill, left);
  text += TextOf(self);
  text += Filled(fill, missing - left);
  return MakeValidStr(host.heap(), std::move(text));
}

}  // namespace

Outcome<Value> Center(Host& host, const Value& self, Arguments args) {
  return Pad(host, self, args, Place::kCenter);
}
Outcome<Value> LJust(Host& host, const Value& self, Arguments args) {
  return Pad(host, self, args, Place::kRight);
}
Outcome<Value> RJust(Host& host, const Value& self, Arguments args) {
  return Pad(host, self, args, Place::kLeft);
}

Outcome<Value> ZFill(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const std::int64_t width, IntArgument(args[0], 0));
  const std::int64_t length = self.As<Str>()->length();
  if (width <= length) return self;
  ESP_TRY(host.Reserve(width));
  const std::string_view text = TextOf(self);
  const bool has_sign = text.starts_with('+') || text.starts_with('-');
  std::string padded(text.substr(0, has_sign ? 1 : 0));
  padded.append(static_cast<std::size_t>(width - length), '0');
  padded.append(text.substr(has_sign ? 1 : 0));
  return MakeValidStr(host.heap(), std::move(padded));
}

Outcome<Value> ExpandTabs(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const std::int64_t tab_size, IntArgument(args[0], 8));
  std::string text;
  std::int64_t column = 0;
  const std::string_view source = TextOf(self);
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t start = at;
    const char32_t c = NextCodePoint(source, at);
    if (c == '\t') {
      const std::int64_t blanks = tab_size > 0 ? tab_size - column % tab_size : 0;
      ESP_TRY(host.Reserve(static_cast<std::int64_t>(text.size())));
      ESP_TRY(host.Reserve(blanks));
      ESP_TRY(host.Step(1 + blanks / 256));
      text.append(static_cast<std::size_t>(blanks), ' ');
      column += blanks;
      continue;
    }
    text.append(source.substr(start, at - start));
    column = c == '\n' || c == '\r' ? 0 : column + 1;
  }
  return MakeValidStr(host.heap(), std::move(text));
}

}  // namespace espalier::lang::str_methods
