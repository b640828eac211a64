// str methods that change case.
#include <string>

#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/str_methods.h"
#include "frontend_lang/script/values/text/unicode.h"
#include "kernels/base/utf8.h"

namespace espalier::lang::str_methods {
namespace {

// Case-ignorable code points hide between the letters of a word (Unicode, 3.13).
bool IsIgnorable(char32_t c) {
  return c == '\'' || c == '.' || c == ':' || c == '^' || c == '`' || c == 0xA8 || c == 0xAD ||
         c == 0xAF || c == 0xB4 || c == 0xB7 || c == 0xB8 || c == 0x2019 ||
         (c >= 0x300 && c <= 0x36F);
}

// Whether the sigma in [start, end) stands after a cased letter and before none.
SigmaPlace PlaceOfSigma(std::string_view text, std::size_t start, std::size_t end) {
  bool cased_before = false;
  while (start > 0) {
    const char32_t c = PreviousCodePoint(text, start);
    if (IsIgnorable(c)) continue;
    cased_before = IsCased(c);
    break;
  }
  if (!cased_before) return SigmaPlace::kInside;
  while (end < text.size()) {
    const char32_t c = NextCodePoint(text, end);
    if (IsIgnorable(c)) continue;
    return IsCased(c) ? SigmaPlace::kInside : SigmaPlace::kFinal;
  }
  return SigmaPlace::kFinal;
}

enum class Form { kUpper, kLower, kTitle, kSame };

void AppendInForm(std::string& out, std::string_view text, std::size_t start, std::size_t end,
                  Form form) {
  std::size_t at = start;
  const char32_t c = NextCodePoint(text, at);
  if (form == Form::kUpper) return AppendUpper(out, c);
  if (form == Form::kTitle) return AppendTitle(out, c);
  if (form == Form::kSame) return AppendCodePoint(out, c);
  constexpr char32_t kCapitalSigma = 0x3A3;
  AppendLower(out, c, c == kCapitalSigma ? PlaceOfSigma(text, start, end) : SigmaPlace::kInside);
}

// The text with each code point in the form that `choose(c, place in text)` names.
template <typename Choose>
Outcome<Value> MapCase(Host& host, const Value& self, Choose choose) {
  const std::string_view text = TextOf(self);
  ESP_TRY(host.Step(static_cast<std::int64_t>(text.size()) / 128));
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(text.size()), 3));
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const char32_t c = NextCodePoint(text, at);
    AppendInForm(out, text, start, at, choose(c, start));
  }
  return MakeValidStr(host.heap(), std::move(out));
}

}  // namespace

Outcome<Value> Upper(Host& host, const Value& self, Arguments) {
  return MapCase(host, self, [](char32_t, std::size_t) { return Form::kUpper; });
}
Outcome<Value> Lower(Host& host, const Value& self, Arguments) {
  return MapCase(host, self, [](char32_t, std::size_t) { return Form::kLower; });
}
Outcome<Value> SwapCase(Host& host, const Value& self, Arguments) {
  return MapCase(host, self, [](char32_t c, std::size_t) {
    return lang::IsUpper(c) ? Form::kLower : lang::IsLower(c) ? Form::kUpper : Form::kSame;
  });
}
Outcome<Value> Capitalize(Host& host, const Value& self, Arguments) {
  return MapCase(host, self,
                 [](char32_t, std::size_t at) { return at == 0 ? Form::kTitle : Form::kLower; });
}
Outcome<Value> Title(Host& host, const Value& self, Arguments) {
  bool in_word = false;
  return MapCase(host, self, [&](char32_t c, std::size_t) {
    const Form form = in_word ? Form::kLower : Form::kTitle;
    in_word = IsCased(c);
    return form;
  });
}

Outcome<Value> CaseFold(Host& host, const Value& self, Arguments) {
  ESP_TRY(host.Step(static_cast<std::int64_t>(TextOf(self).size()) / 128));
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(TextOf(self).size()), 3));
  return MakeValidStr(host.heap(), CaseFolded(TextOf(self)));
}

}  // namespace espalier::lang::str_methods
