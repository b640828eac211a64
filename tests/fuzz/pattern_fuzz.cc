// Patterns from raw bytes: the first byte chooses dialect and spelling, the rest up to a
// newline is the pattern, and what follows is text. Compiling must answer with a language or
// a Status, and in both spellings the language must hold the same texts.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "grammar/fuel.h"
#include "grammar/regex/pattern.h"
#include "kernels/base/check.h"
#include "kernels/base/utf8.h"

namespace {

using espalier::PatternDialect;
using espalier::RegexSet;
using espalier::Spelling;
using espalier::TextRegex;

enum class Verdict { kRefused, kNoFuel, kMatch, kNoMatch };

Verdict Judge(std::string_view pattern, PatternDialect dialect, std::string_view text,
              Spelling spelling) {
  espalier::Fuel fuel(300'000);
  RegexSet set(fuel);
  TextRegex texts(set, spelling);
  const auto regex = espalier::CompilePattern(pattern, dialect, texts);
  if (!regex.ok()) return Verdict::kRefused;
  std::string spelled;
  for (const char32_t c : espalier::DecodeUtf8(text)) {
    spelled += espalier::SpellShortest(c, spelling);
  }
  const bool matches = set.Matches(*regex, spelled);
  if (fuel.exhausted()) return Verdict::kNoFuel;
  ESP_CHECK(!matches || !set.IsNothing(*regex)) << pattern;
  return matches ? Verdict::kMatch : Verdict::kNoMatch;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto dialect = data[0] % 2 == 0 ? PatternDialect::kEcma : PatternDialect::kPython;
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::string_view pattern = input.substr(0, end);
  std::string_view text = input.substr(std::min(end + 1, input.size()));
  text = text.substr(0, espalier::ValidUtf8Prefix(text));
  const Verdict raw = Judge(pattern, dialect, text, Spelling::kUtf8);
  const Verdict json = Judge(pattern, dialect, text, Spelling::kJsonString);
  const bool judged = raw != Verdict::kNoFuel && json != Verdict::kNoFuel;
  const bool refused = raw == Verdict::kRefused || json == Verdict::kRefused;
  ESP_CHECK(!judged || refused || raw == json) << pattern;
  return 0;
}
