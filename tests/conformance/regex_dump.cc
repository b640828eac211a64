// Compiles patterns and matches texts, for regex_python.py and regex_ecma.mjs.
//
// Each line of the input is a dialect (e or p), a pattern and texts, all but the first in
// hex; each line of the output is the verdicts (1 or 0 a text), or "refused CODE: why".
// With --json the texts are matched as JSON strings, each spelled in a way of its own.
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include "grammar/fuel.h"
#include "grammar/regex/pattern.h"
#include "kernels/base/utf8.h"

namespace {

std::string FromHex(std::string_view hex) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(value(hex[i]) * 16 + value(hex[i + 1]));
  }
  return bytes;
}

std::string Unit(char32_t unit, bool upper) {
  const char* digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  std::string text = "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) text += digits[(unit >> shift) & 15];
  return text;
}

// Every other character as \u, in either case of its digits.
std::string SpellMixed(const std::string& utf8) {
  std::string spelled;
  std::uint32_t turn = 0;
  for (const char32_t c : espalier::DecodeUtf8(utf8)) {
    if (++turn % 2 == 0) {
      spelled += espalier::SpellShortest(c, espalier::Spelling::kJsonString);
    } else if (c < 0x10000) {
      spelled += Unit(c, turn % 4 == 1);
    } else {
      spelled += Unit(0xD800 + ((c - 0x10000) >> 10), true) + Unit(0xDC00 + (c & 0x3FF), false);
    }
  }
  return spelled;
}

void Answer(const std::string& line, espalier::Spelling spelling) {
  std::istringstream words(line);
  std::string dialect, pattern, text;
  words >> dialect >> pattern;
  espalier::Fuel fuel(5'000'000);
  espalier::RegexSet set(fuel);
  espalier::TextRegex texts(set, spelling);
  const auto regex = espalier::CompilePattern(
      FromHex(pattern.substr(1)),
      dialect == "p" ? espalier::PatternDialect::kPython : espalier::PatternDialect::kEcma, texts);
  if (!regex.ok()) {
    std::cout << "refused " << espalier::CodeName(regex.status().code()) << ": "
              << regex.status().message() << '\n';
    return;
  }
  while (words >> text) {
    const std::string utf8 = FromHex(text.substr(1));
    const std::string spelled = spelling == espalier::Spelling::kUtf8 ? utf8 : SpellMixed(utf8);
    std::cout << (set.Matches(*regex, spelled) ? '1' : '0');
  }
  std::cout << (fuel.exhausted() ? " refused limit: fuel" : "") << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const bool json = argc > 1 && std::string_view(argv[1]) == "--json";
  std::string line;
  while (std::getline(std::cin, line)) {
    Answer(line, json ? espalier::Spelling::kJsonString : espalier::Spelling::kUtf8);
  }
  return 0;
}
