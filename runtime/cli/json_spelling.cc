#include "runtime/cli/json_spelling.h"

#include <algorithm>
#include <random>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/base/utf8.h"
#include "runtime/cli/json_parts.h"

namespace espalier {
namespace {

class Speller {
 public:
  explicit Speller(const JsonSpelling& spelling) : spelling_(spelling), random_(spelling.seed) {}

  std::string Spell(std::string_view json) {
    for (std::size_t i = 0; i < json.size();) {
      const std::size_t end = EndOfToken(json, i);
      const std::string_view token = json.substr(i, end - i);
      i = end;
      if (token == " " || token == "\t" || token == "\r" || token == "\n") continue;
      AddWhitespace(token[0]);
      if (token[0] == '"') {
        AddString(token);
      } else {
        out_ += token;
      }
    }
    return std::move(out_);
  }

 private:
  static std::size_t EndOfToken(std::string_view json, std::size_t begin) {
    constexpr std::string_view kSingle = " \t\r\n,:{}[]";
    if (json[begin] == '"') return std::min(EndOfJsonString(json, begin), json.size());
    if (kSingle.find(json[begin]) != std::string_view::npos) return begin + 1;
    return std::min(json.find_first_of(" \t\r\n,:{}[]\"", begin), json.size());
  }

  bool Draw(unsigned one_in) { return random_() % one_in == 0; }

  // Between the last token and one that begins with `next`.
  void AddWhitespace(char next) {
    if (out_.empty()) return;
    if (spelling_.whitespace == JsonSpelling::Whitespace::kAfterSeparators) {
      if (last_ == ',' || last_ == ':') out_ += ' ';
    } else if (spelling_.whitespace == JsonSpelling::Whitespace::kRandom && Draw(2)) {
      if (Draw(3)) out_ += '\n';
      out_.append(Draw(4) ? 20 : random_() % 4, ' ');
    }
    last_ = next;
  }

  void AddString(std::string_view token) {
    const nlohmann::json value = nlohmann::json::parse(token, nullptr, false);
    if (!value.is_string()) {
      out_ += token;
      return;
    }
    if (spelling_.escapes == JsonSpelling::Escapes::kFewest) {
      out_ += value.dump();
      return;
    }
    const auto& text = value.get_ref<const std::string&>();
    out_ += '"';
    for (std::size_t i = 0; i < text.size();) {
      const Utf8Char c = ReadUtf8(text, i);
      AddCharacter(c.code);
      i += c.size;
    }
    out_ += '"';
  }

  void AddCharacter(char32_t c) {
    constexpr std::u32string_view kShort = U"\"\\/\b\f\n\r\t";
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    const std::size_t found = kShort.find(c);
    const bool must = c < 0x20 || c == '"' || c == '\\';
    if (found != std::u32string_view::npos && Draw(2)) {
      out_ += '\\';
      out_ += kLetters[found];
    } else if (must || Draw(3)) {
      AddUnits(c);
    } else {
      AppendCodePoint(out_, c);
    }
  }

  void AddUnits(char32_t c) {
    if (c < 0x10000) return AddUnit(c);
    AddUnit(0xD800 + ((c - 0x10000) >> 10));
    AddUnit(0xDC00 + ((c - 0x10000) & 0x3FF));
  }

  void AddUnit(char32_t unit) {
    const auto value = static_cast<unsigned>(unit);
    out_ += Draw(2) ? fmt::format("\\u{:04x}", value) : fmt::format("\\u{:04X}", value);
  }

  const JsonSpelling& spelling_;
  std::mt19937_64 random_;
  std::string out_;
  char last_ = 0;  // the first byte of the last token
};

}  // namespace

std::string Respell(std::string_view json, const JsonSpelling& spelling) {
  return Speller(spelling).Spell(json);
}

}  // namespace espalier
