#include "grammar/schema/decimal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace espalier {
namespace {

Decimal Number(const std::string& text) {
  const std::optional<Decimal> number = Decimal::Parse(text);
  EXPECT_TRUE(number.has_value()) << text;
  return number.value_or(Decimal());
}

TEST(Decimal, TakesWhatJsonCallsANumberAndNothingElse) {
  for (const char* good : {"0", "-0", "10", "1.50", "0.0", "1e2", "1E+2", "1.5e-2", "-0.0e0"}) {
    EXPECT_TRUE(Decimal::Parse(good)) << good;
  }
  for (const char* bad : {"", "-", "+1", "01", "-01", ".5", "1.", "1.e2", "1e", "1e+", "1 ", " 1",
                          "0x1", "1e2.0", "1,0", "--1", "NaN", "Infinity", "1e+-2"}) {
    EXPECT_FALSE(Decimal::Parse(bad)) << bad;
  }
}

TEST(Decimal, SpellingsOfOneValueAreEqual) {
  for (const char* one : {"1.0", "1.000", "1e0", "10e-1", "0.1E1", "0.0001e+4", "1000e-0003"}) {
    EXPECT_EQ(Number(one), Decimal(1)) << one;
  }
  for (const char* zero : {"-0", "0.00", "0e99999999999999999999999999", "-0e-5"}) {
    EXPECT_EQ(Number(zero), Decimal()) << zero;
    EXPECT_FALSE(Number(zero).negative());
  }
  EXPECT_EQ(Number("-9223372036854775808"), Decimal(INT64_MIN));
  EXPECT_EQ(Number("120e-3").digits(), "12");
  EXPECT_EQ(Number("120e-3").exponent(), -2);
}

TEST(Decimal, EndsWhereADoubleEnds) {
  EXPECT_TRUE(Decimal::Parse("1.7976931348623157e308"));
  EXPECT_FALSE(Decimal::Parse("1.8e308"));
  EXPECT_FALSE(Decimal::Parse("1e309"));
  EXPECT_TRUE(Decimal::Parse("-4.94e-324"));
  EXPECT_FALSE(Decimal::Parse("4.8e-324"));
  EXPECT_FALSE(Decimal::Parse("1e-99999999999999999999999999"));
  EXPECT_FALSE(Decimal::Parse("1e99999999999999999999999999"));
  const std::string zeros(2000, '0');
  EXPECT_EQ(Number("1" + zeros + "e-2000"), Decimal(1));
  EXPECT_EQ(Number("0." + zeros + "1e2001"), Decimal(1));
  EXPECT_TRUE(Decimal::Parse("0." + std::string(Decimal::kMaxDigits, '7')));
  EXPECT_FALSE(Decimal::Parse("0." + std::string(Decimal::kMaxDigits + 1, '7')));
}

// Small numbers in random spellings, against their multiples of a thousandth as int64.
struct Sample {
  std::string text;
  std::int64_t thousandths;
};

Sample RandomSample(std::mt19937& random) {
  const std::int64_t value = static_cast<std::int64_t>(random() % 2001) - 1000;
  const int exponent = static_cast<int>(random() % 7) - 3;
  Sample sample{std::to_string(value), value};
  for (int i = -3; i < exponent; ++i) sample.thousandths *= 10;
  if (exponent != 0 || random() % 2 == 0) sample.text += "e" + std::to_string(exponent);
  return sample;
}

TEST(Decimal, ComparesAndDividesLikeWholeNumbers) {
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const Sample a = RandomSample(random);
    const Sample b = RandomSample(random);
    const Decimal x = Number(a.text);
    const Decimal y = Number(b.text);
    ASSERT_EQ(x <=> y, a.thousandths <=> b.thousandths) << a.text << " " << b.text;
    ASSERT_EQ(x == y, a.thousandths == b.thousandths) << a.text << " " << b.text;
    ASSERT_EQ(x.is_integer(), a.thousandths % 1000 == 0) << a.text;
    ASSERT_EQ(x.Negated() <=> y, -a.thousandths <=> b.thousandths) << a.text << " " << b.text;
    ASSERT_EQ(Number(x.ToString()), x) << a.text << " " << x.ToString();
    if (b.thousandths == 0) continue;
    ASSERT_EQ(x.IsMultipleOf(y), a.thousandths % b.thousandths == 0) << a.text << " " << b.text;
  }
}

TEST(Decimal, ComparesLikeDoublesOverTheirWholeRange) {
  std::mt19937 random(2);
  const auto sample = [&random] {
    return std::to_string(random() % 1000) + "e" +
           std::to_string(static_cast<int>(random() % 601) - 300);
  };
  for (int i = 0; i < 20'000; ++i) {
    const std::string a = sample();
    const std::string b = sample();
    const double x = std::strtod(a.c_str(), nullptr);
    const double y = std::strtod(b.c_str(), nullptr);
    ASSERT_EQ(Number(a) < Number(b), x < y) << a << " " << b;
    ASSERT_EQ(std::strtod(Number(a).ToString().c_str(), nullptr), x) << a;
  }
}

TEST(Decimal, LongNumbersDivideExactly) {
  struct Row {
    const char* dividend;
    const char* divisor;
    bool multiple;
  };
  // Made with Python's fractions.
  const Row rows[] = {
      {"1062.1647959707131578456962577437223508", "177.0274659951188596409493762906203918", true},
      {"5.383345816530966320E+28", "13458364541327415.80E+12", true},
      {"130465172069836614609681306315512.821741", "1.545198181100374566e12", false},
      {"2278290579231275242548020376451574966262122596329163.3167537",
       "683388769784051871289065202360547.3820333", true},
      {"483505490509567818335.0674183647280665006266", "78871204507654527417850.42e-20", true},
      {"22051568880100504114.744067765883033053143800199837349851409",
       "489731668879745294099.0145684054316527376e-20", false},
      {"7881113513322857512892.7897598279254582", "875679279.2580952792103099733142139398E12",
       true},
      {"504807.3972440672736933698164864918780469729637487572343",
       "62815523.42844055459160552521861095567e-20", false},
      {"1.9600851206192287917963081663706148722932E+42",
       "490021280154807197949077041592.6537180733e+12", true},
      {"1547187.0845024807254517350998461130163", "515729.0281674935751505783666153710054", false},
      {"17215443336.07400708163522179305542983993517246698539911168",
       "9893935092352.620564307332230604206381073E-20", true},
      {"1e308", "123456789", false},
      {"1e308", "0.5", true},
      {"1e308", "0.123456789", false},
      {"0.0075", "0.0001", true},
      {"0.00751", "0.0001", false},
      {"12391239123", "1e-8", true},
      {"4.9e-324", "1e308", false},
      {"1e308", "1e-323", true},
      {"-35", "5", true},
      {"35", "-5", true},
      {"0", "1e308", true},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Number(row.dividend).IsMultipleOf(Number(row.divisor)), row.multiple)
        << row.dividend << " " << row.divisor;
  }
}

TEST(Decimal, HasOneTextForAValue) {
  EXPECT_EQ(Number("1200e-1").ToString(), "120");
  EXPECT_EQ(Number("-0.00120").ToString(), "-0.0012");
  EXPECT_EQ(Number("12.50").ToString(), "12.5");
  EXPECT_EQ(Number("12e299").ToString(), "1.2e+300");
  EXPECT_EQ(Number("5e-324").ToString(), "5e-324");
  EXPECT_EQ(Decimal(INT64_MIN).ToString(), "-9223372036854775808");
}

}  // namespace
}  // namespace espalier
