#include "grammar/schema/number_regex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace espalier {
namespace {

using Integrality = NumberConstraint::Integrality;

constexpr std::uint64_t kFuel = std::uint64_t{1} << 40;

Decimal Number(const std::string& text) { return Decimal::Parse(text).value(); }

NumberBound Inclusive(const std::string& text) { return {Number(text)}; }
NumberBound Exclusive(const std::string& text) {
  return {Number(text), NumberBound::Kind::kExclusive};
}

// The definition that the language is held to.
bool Satisfies(const NumberConstraint& constraint, const Decimal& value) {
  if (constraint.lower) {
    const auto order = value <=> constraint.lower->value;
    if (order < 0) return false;
    if (order == 0 && constraint.lower->kind == NumberBound::Kind::kExclusive) return false;
  }
  if (constraint.upper) {
    const auto order = value <=> constraint.upper->value;
    if (order > 0) return false;
    if (order == 0 && constraint.upper->kind == NumberBound::Kind::kExclusive) return false;
  }
  const auto divides = [&](const Decimal& divisor) { return value.IsMultipleOf(divisor); };
  if (!std::ranges::all_of(constraint.multiple_of, divides)) return false;
  if (std::ranges::any_of(constraint.not_multiple_of, divides)) return false;
  if (constraint.integrality == Integrality::kInteger) return value.is_integer();
  return constraint.integrality == Integrality::kAny || !value.is_integer();
}

class Language {
 public:
  explicit Language(const NumberConstraint& constraint) {
    Result<RegexId> regex = NumberRegex(constraint, set_);
    EXPECT_TRUE(regex.ok()) << regex.status().message();
    if (regex.ok()) regex_ = *regex;
  }
  bool Matches(const std::string& text) { return set_.Matches(regex_, text); }
  RegexId regex() const { return regex_; }
  RegexSet& set() { return set_; }

 private:
  Fuel fuel_{kFuel};
  RegexSet set_{fuel_};
  RegexId regex_ = RegexSet::kNothing;
};

// Numbers that are near each other, in plain and scientific notation.
class Spellings {
 public:
  explicit Spellings(unsigned seed) : random_(seed) {}

  unsigned Below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  std::string Digits(unsigned count) {
    std::string digits;
    for (unsigned i = 0; i < count; ++i) {
      digits += static_cast<char>('0' + (Below(3) == 0 ? Below(10) : Below(2) * 5));
    }
    return digits;
  }
  std::string Plain() {
    std::string whole = Below(3) == 0 ? "0" : std::to_string(1 + Below(9)) + Digits(Below(4));
    if (Below(2) == 0) whole += "." + Digits(1 + Below(4));
    return Sign() + whole;
  }
  std::string Scientific() {
    std::string text = Sign() + std::to_string(1 + Below(9));
    if (Below(2) == 0) text += "." + Digits(1 + Below(4));
    text += Below(2) == 0 ? "e" : "E";
    const char* signs[] = {"", "+", "-", "-0", "+00"};
    return text + signs[Below(5)] + std::to_string(Below(6));
  }

 private:
  std::string Sign() { return Below(2) == 0 ? "" : "-"; }

  std::mt19937 random_;
};

NumberConstraint RandomConstraint(Spellings& spellings) {
  NumberConstraint constraint;
  const auto kind = [&] {
    return spellings.Below(2) == 0 ? NumberBound::Kind::kInclusive : NumberBound::Kind::kExclusive;
  };
  if (spellings.Below(2) == 0) constraint.lower = {Number(spellings.Plain()), kind()};
  if (spellings.Below(2) == 0) constraint.upper = {Number(spellings.Plain()), kind()};
  const char* divisors[] = {"1",    "2",   "3",    "5",  "7",   "10",    "100", "0.1", "0.5",
                            "0.25", "2.5", "0.03", "12", "1.5", "0.001", "60",  "125"};
  while (spellings.Below(3) == 0) {
    constraint.multiple_of.push_back(Number(divisors[spellings.Below(17)]));
  }
  while (spellings.Below(4) == 0) {
    constraint.not_multiple_of.push_back(Number(divisors[spellings.Below(17)]));
  }
  if (spellings.Below(3) == 0) constraint.integrality = Integrality::kInteger;
  if (spellings.Below(6) == 0) constraint.integrality = Integrality::kNotInteger;
  return constraint;
}

std::string Describe(const NumberConstraint& constraint) {
  std::string text;
  const auto end = [&](const char* name, const std::optional<NumberBound>& bound) {
    if (!bound) return;
    text += std::string(name) + (bound->kind == NumberBound::Kind::kExclusive ? "! " : " ") +
            bound->value.ToString() + " ";
  };
  end("from", constraint.lower);
  end("to", constraint.upper);
  for (const Decimal& divisor : constraint.multiple_of)
    text += "multiple " + divisor.ToString() + " ";
  for (const Decimal& divisor : constraint.not_multiple_of)
    text += "not " + divisor.ToString() + " ";
  return text + "integrality " + std::to_string(static_cast<int>(constraint.integrality));
}

TEST(NumberRegex, PlainSpellingsAreExactForRandomConstraints) {
  Spellings spellings(1);
  std::size_t num_inside = 0;
  for (int i = 0; i < 1500; ++i) {
    const NumberConstraint constraint = RandomConstraint(spellings);
    Language language(constraint);
    for (int k = 0; k < 100; ++k) {
      const std::string text = spellings.Plain();
      const bool inside = Satisfies(constraint, Number(text));
      num_inside += inside ? 1 : 0;
      ASSERT_EQ(language.Matches(text), inside) << text << ": " << Describe(constraint);
    }
  }
  EXPECT_GT(num_inside, 10'000u);
}

TEST(NumberRegex, ScientificSpellingsAreNeverOutside) {
  Spellings spellings(2);
  std::size_t num_matched = 0;
  for (int i = 0; i < 1500; ++i) {
    const NumberConstraint constraint = RandomConstraint(spellings);
    Language language(constraint);
    for (int k = 0; k < 100; ++k) {
      const std::string text = spellings.Scientific();
      if (!language.Matches(text)) continue;
      ++num_matched;
      ASSERT_TRUE(Satisfies(constraint, Number(text))) << text << ": " << Describe(constraint);
    }
  }
  EXPECT_GT(num_matched, 10'000u);
}

// Without divisors, or with such as only limit the places, they are exact as well.
TEST(NumberRegex, ScientificSpellingsAreExactForBounds) {
  Spellings spellings(3);
  for (int i = 0; i < 1500; ++i) {
    NumberConstraint constraint = RandomConstraint(spellings);
    constraint.not_multiple_of.clear();
    constraint.multiple_of.clear();
    if (spellings.Below(3) == 0) constraint.multiple_of = {Number("0.01")};
    if (constraint.integrality == Integrality::kNotInteger) continue;
    Language language(constraint);
    for (int k = 0; k < 100; ++k) {
      const std::string text = spellings.Scientific();
      ASSERT_EQ(language.Matches(text), Satisfies(constraint, Number(text)))
          << text << ": " << Describe(constraint);
    }
  }
}

// From any beginning that can be walked the end can be reached: a random walk along
// FirstBytes never stops short, and all it spells is inside.
TEST(NumberRegex, WalksEndInsideTheConstraint) {
  Spellings spellings(4);
  for (int i = 0; i < 300; ++i) {
    const NumberConstraint constraint = RandomConstraint(spellings);
    Language language(constraint);
    RegexSet& set = language.set();
    if (set.IsNothing(language.regex())) continue;
    RegexId rest = language.regex();
    std::string text;
    while (!set.nullable(rest) || (text.size() < 12 && spellings.Below(4) != 0)) {
      std::vector<std::uint8_t> bytes;
      const ByteSet first = set.FirstBytes(rest);
      for (unsigned b = 0; b < 256; ++b) {
        if (first.contains(static_cast<std::uint8_t>(b)))
          bytes.push_back(static_cast<std::uint8_t>(b));
      }
      if (set.nullable(rest) && bytes.empty()) break;
      ASSERT_FALSE(bytes.empty()) << text << ": " << Describe(constraint);
      const std::uint8_t byte = bytes[spellings.Below(static_cast<unsigned>(bytes.size()))];
      text += static_cast<char>(byte);
      rest = set.Derive(rest, byte);
      ASSERT_LT(text.size(), 2000u) << Describe(constraint);
    }
    ASSERT_TRUE(Satisfies(constraint, Number(text))) << text << ": " << Describe(constraint);
  }
}

struct Case {
  NumberConstraint constraint;
  std::vector<const char*> inside, outside;
};

void Check(const Case& test) {
  Language language(test.constraint);
  for (const char* text : test.inside) {
    EXPECT_TRUE(language.Matches(text)) << text << ": " << Describe(test.constraint);
  }
  for (const char* text : test.outside) {
    EXPECT_FALSE(language.Matches(text)) << text << ": " << Describe(test.constraint);
  }
}

TEST(NumberRegex, AnyNumberIsAJsonNumberThatADoubleHolds) {
  Check({.constraint = {},
         .inside = {"0", "-0", "-0.0", "1.5", "0e0", "12.25E-3", "1e307", "1.7976931348623157e308",
                    "-1.7976931348623157e+308", "5e-323", "100e1"},
         .outside = {"", "-", "+1", "01", "1.", ".5", "1e", "1e309", "1.8e308", "1e400", "0x1",
                     "1e-400", "NaN", " 1", "1 "}});
}

TEST(NumberRegex, IntegersMayHaveAZeroFractionOrAnExponent) {
  Check({.constraint = {.integrality = Integrality::kInteger},
         .inside = {"0", "-0", "7", "1.0", "-12.000", "1e2", "1E+2", "1.5e1", "1.50e1", "1e308",
                    "1.2345678901234567e+25", "0.0e-7"},
         .outside = {"1.5", "1e-1", "1.25e1", "1e309", "0.1", "01"}});
}

TEST(NumberRegex, LongBoundsAreComparedToTheLastDigit) {
  Check(
      {.constraint = {.lower = Inclusive("12345678901234567890.0000000001"),
                      .upper = Exclusive("12345678901234567891")},
       .inside = {"12345678901234567890.0000000001", "12345678901234567890.99999999999999999",
                  "1.23456789012345678905e19"},
       .outside = {"12345678901234567890", "12345678901234567890.00000000009",
                   "12345678901234567891", "12345678901234567891.0", "1.2345678901234567891e19"}});
  Check({.constraint = {.lower = Inclusive("-1e308"), .upper = Inclusive("1e-300")},
         .inside = {"-1e308", "-1.0e308", "1e-300", "0", "1e-301"},
         .outside = {"-1.1e308", "1.1e-300", "1e308", "0.1"}});
}

TEST(NumberRegex, TooFineADivisorIsALimitUnlessItsMultiplesAreFew) {
  Fuel fuel(kFuel);
  RegexSet set(fuel);
  NumberConstraint constraint{.lower = Inclusive("10"), .multiple_of = {Number("0.123456789")}};
  EXPECT_EQ(NumberRegex(constraint, set).status().code(), Code::kLimit);
  constraint.multiple_of = {Number("1e-301")};
  EXPECT_EQ(NumberRegex(constraint, set).status().code(), Code::kLimit);
  Check({.constraint = {.lower = Inclusive("10"),
                        .upper = Inclusive("12"),
                        .multiple_of = {Number("0.123456789")}},
         .inside = {"11.11111101", "11.111111010", "1.111111101e1"},
         .outside = {"10", "11.11111102"}});
  Check({.constraint = {.multiple_of = {Number("0.123456789")}},
         .inside = {"0", "11.11111101", "123456789", "-0.123456789"},
         .outside = {"1e308", "1", "0.12345678"}});
}

TEST(NumberRegex, NoNumberIsNothing) {
  Fuel fuel(kFuel);
  RegexSet set(fuel);
  const NumberConstraint none[] = {
      {.lower = Inclusive("2"), .upper = Inclusive("1")},
      {.lower = Exclusive("1"), .upper = Inclusive("1")},
      {.lower = Exclusive("1"), .upper = Exclusive("2"), .integrality = Integrality::kInteger},
      {.lower = Inclusive("1"), .upper = Inclusive("4"), .multiple_of = {Number("5")}},
      {.multiple_of = {Number("6")}, .not_multiple_of = {Number("3")}},
      {.multiple_of = {Number("2")}, .integrality = Integrality::kNotInteger},
  };
  for (const NumberConstraint& constraint : none) {
    EXPECT_TRUE(set.IsNothing(NumberRegex(constraint, set).value())) << Describe(constraint);
  }
}

TEST(NumberLiteral, IsEverySpellingOfOneValue) {
  Fuel fuel(kFuel);
  RegexSet set(fuel);
  Spellings spellings(5);
  for (int i = 0; i < 300; ++i) {
    const Decimal value = Number(spellings.Plain());
    const RegexId literal = NumberLiteral(value, set);
    EXPECT_TRUE(set.Matches(literal, value.ToString())) << value.ToString();
    for (int k = 0; k < 200; ++k) {
      const std::string text = spellings.Below(2) == 0 ? spellings.Plain() : spellings.Scientific();
      ASSERT_EQ(set.Matches(literal, text), Number(text) == value) << text << value.ToString();
    }
  }
  for (const char* one : {"1", "1.0", "1.000", "1e0", "1E-00", "1.00e+0"}) {
    EXPECT_TRUE(set.Matches(NumberLiteral(Decimal(1), set), one)) << one;
  }
  for (const char* zero : {"0", "-0", "0.0", "-0.00", "0e5", "0.0E-12"}) {
    EXPECT_TRUE(set.Matches(NumberLiteral(Decimal(), set), zero)) << zero;
  }
  EXPECT_TRUE(set.Matches(NumberLiteral(Number("1e300"), set), "1e300"));
  EXPECT_FALSE(set.Matches(NumberLiteral(Number("-1"), set), "1"));
}

}  // namespace
}  // namespace espalier
