// str methods that ask about all characters.
#include <utility>

#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/str_methods.h"
#include "frontend_lang/script/values/text/unicode.h"
#include "kernels/base/utf8.h"

namespace espalier::lang::str_methods {
namespace {

template <typename Test>
Outcome<Value> AllAre(Host& host, const Value& self, Test test) {
  const std::string_view text = TextOf(self);
  ESP_TRY(host.Step(static_cast<std::int64_t>(text.size()) / 128));
  for (std::size_t at = 0; at < text.size();) {
    if (!test(NextCodePoint(text, at))) return Value::Bool(false);
  }
  return Value::Bool(!text.empty());
}

// At least one cased character, and none of the other case.
template <typename Wanted, typename Other>
Outcome<Value> AllCasedAre(Host& host, const Value& self, Wanted wanted, Other other) {
  const std::string_view text = TextOf(self);
  ESP_TRY(host.Step(static_cast<std::int64_t>(text.size()) / 128));
  bool found = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = NextCodePoint(text, at);
    if (other(c) || lang::IsTitle(c)) return Value::Bool(false);
    found = found || wanted(c);
  }
  return Value::Bool(found);
}

}  // namespace

Outcome<Value> IsAlnum(Host& host, const Value& self, Arguments) {
  return AllAre(host, self, [](char32_t c) { return lang::IsAlpha(c) || lang::IsNumeric(c); });
}
Outcome<Value> IsAlpha(Host& host, const Value& self, Arguments) {
  return AllAre(host, self, lang::IsAlpha);
}
Outcome<Value> IsAscii(Host&, const Value& self, Arguments) {
  return Value::Bool(self.As<Str>()->ascii());
}
Outcome<Value> IsDecimal(Host& host, const Value& self, Arguments) {
  return AllAre(host, self, lang::IsDecimal);
}
Outcome<Value> IsDigit(Host& host, const Value& self, Arguments) {
  return AllAre(host, self, lang::IsDigit);
}
Outcome<Value> IsIdentifier(Host& host, const Value& self, Arguments) {
  bool first = true;
  return AllAre(host, self, [&](char32_t c) {
    return std::exchange(first, false) ? IsIdentifierStart(c) : IsIdentifierPart(c);
  });
}
Outcome<Value> IsLower(Host& host, const Value& self, Arguments) {
  return AllCasedAre(host, self, lang::IsLower, lang::IsUpper);
}
Outcome<Value> IsNumeric(Host& host, const Value& self, Arguments) {
  return AllAre(host, self, lang::IsNumeric);
}
Outcome<Value> IsPrintable(Host& host, const Value& self, Arguments) {
  if (TextOf(self).empty()) return Value::Bool(true);
  return AllAre(host, self, lang::IsPrintable);
}
Outcome<Value> IsSpace(Host& host, const Value& self, Arguments) {
  return AllAre(host, self, lang::IsSpace);
}
Outcome<Value> IsUpper(Host& host, const Value& self, Arguments) {
  return AllCasedAre(host, self, lang::IsUpper, lang::IsLower);
}

Outcome<Value> IsTitle(Host& host, const Value& self, Arguments) {
  const std::string_view text = TextOf(self);
  ESP_TRY(host.Step(static_cast<std::int64_t>(text.size()) / 128));
  bool found = false, in_word = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = NextCodePoint(text, at);
    const bool upper = lang::IsUpper(c) || lang::IsTitle(c), lower = lang::IsLower(c);
    if ((upper && in_word) || (lower && !in_word)) return Value::Bool(false);
    found = found || upper;
    in_word = upper || lower;
  }
  return Value::Bool(found);
}

}  // namespace espalier::lang::str_methods
