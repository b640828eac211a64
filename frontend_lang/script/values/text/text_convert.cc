#include "frontend_lang/script/values/text/text_convert.h"

#include <cstdio>

#include "frontend_lang/script/values/repr.h"
#include "kernels/base/utf8.h"

namespace espalier::lang {

std::string EscapeNonAscii(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = NextCodePoint(text, at);
    if (c < 0x80) {
      out += static_cast<char>(c);
      continue;
    }
    char escape[16];
    const char* form = c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x";
    std::snprintf(escape, sizeof escape, form, static_cast<unsigned>(c));
    out += escape;
  }
  return out;
}

Outcome<std::string> ConvertText(Host& host, const Value& value, char conversion) {
  if (conversion == 's') return Text(host, value);
  if (conversion != 'r' && conversion != 'a') {
    return ValueError("Unknown conversion specifier " + std::string(1, conversion));
  }
  Outcome<std::string> text = Repr(host, value);
  if (text.ok() && conversion == 'a') return EscapeNonAscii(*text);
  return text;
}

}  // namespace espalier::lang
