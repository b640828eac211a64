#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grammar/schema/digit_chain.h"
#include "grammar/schema/magnitude_regex.h"

namespace espalier {
namespace {

// Texts that end with a whole number, and those that end with a fraction: the first may
// be followed by a point and zeros, the others by zeros.
struct Texts {
  std::vector<std::string> whole, fraction;
};

RegexId WithZeros(Texts texts, RegexSet& set) {
  const RegexId zeros = set.Star(set.Literal("0"));
  return set.Or(set.Concat(set.Literals(std::move(texts.whole)), FreeFraction(0, set)),
                set.Concat(set.Literals(std::move(texts.fraction)), zeros));
}

// The digits of a value with `num_whole` of them before the point.
void AddText(const std::string& digits, int num_whole, Texts& texts) {
  const int length = static_cast<int>(digits.size());
  if (num_whole >= length) {
    const auto zeros = static_cast<std::size_t>(num_whole - length);
    texts.whole.push_back(digits + std::string(zeros, '0'));
  } else if (num_whole > 0) {
    const auto point = static_cast<std::size_t>(num_whole);
    texts.fraction.push_back(digits.substr(0, point) + "." + digits.substr(point));
  } else {
    const auto zeros = static_cast<std::size_t>(-num_whole);
    texts.fraction.push_back("0." + std::string(zeros, '0') + digits);
  }
}

}  // namespace

RegexId SpellingsOf(std::span<const Decimal> values, RegexSet& set) {
  Texts plain;
  std::map<int, Texts> mantissas;  // by exponent
  std::vector<RegexId> parts;
  for (const Decimal& value : values) {
    if (value.is_zero()) {
      plain.whole.emplace_back("0");
      parts.push_back(ScientificZeros(set));
      continue;
    }
    AddText(value.digits(), value.magnitude(), plain);
    AddText(value.digits(), 1, mantissas[value.magnitude() - 1]);
  }
  parts.push_back(WithZeros(std::move(plain), set));
  for (auto& [exponent, texts] : mantissas) {
    parts.push_back(
        set.Concat(WithZeros(std::move(texts), set), Exponents(exponent, exponent, set)));
  }
  return set.Or(parts);
}

}  // namespace espalier
