// Naturals against arithmetic on decimal digits, done as on paper.
#include "frontend_lang/script/values/integer/natural.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace espalier::lang {
namespace {

// The oracle: digits of base 10, the lowest first.
class Paper {
 public:
  explicit Paper(const std::string& text) : digits_(text.rbegin(), text.rend()) {
    for (char& digit : digits_) digit = static_cast<char>(digit - '0');
    Strip();
  }

  std::string Text() const {
    std::string text(digits_.rbegin(), digits_.rend());
    for (char& digit : text) digit = static_cast<char>(digit + '0');
    return text.empty() ? "0" : text;
  }

  Paper Plus(const Paper& other) const {
    Paper sum("");
    int carry = 0;
    for (std::size_t i = 0; i < std::max(digits_.size(), other.digits_.size()) + 1; ++i) {
      carry += At(i) + other.At(i);
      sum.digits_ += static_cast<char>(carry % 10);
      carry /= 10;
    }
    sum.Strip();
    return sum;
  }

  Paper Times(const Paper& other) const {
    std::vector<int> columns(digits_.size() + other.digits_.size() + 1);
    for (std::size_t i = 0; i < digits_.size(); ++i) {
      for (std::size_t j = 0; j < other.digits_.size(); ++j) {
        columns[i + j] += digits_[i] * other.digits_[j];
      }
    }
    Paper product("");
    int carry = 0;
    for (const int column : columns) {
      carry += column;
      product.digits_ += static_cast<char>(carry % 10);
      carry /= 10;
    }
    product.Strip();
    return product;
  }

 private:
  int At(std::size_t i) const { return i < digits_.size() ? digits_[i] : 0; }
  void Strip() {
    while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
  }

  std::string digits_;
};

class NaturalTest : public testing::Test {
 protected:
  // Of up to `most` limbs; often with runs of zeros and ones, where carries go far.
  Natural Random(std::size_t most) {
    Natural natural(random_() % (most + 1));
    const auto kind = random_() % 4;
    for (Limb& limb : natural) {
      const auto pick = random_() % 4;
      limb = kind != 0 || pick == 0 ? static_cast<Limb>(random_()) : pick == 1 ? 0 : ~Limb{0};
    }
    Trim(natural);
    return natural;
  }
  Paper OnPaper(const Natural& natural) { return Paper(Text(natural)); }
  std::string Text(const Natural& natural) { return Digits(host_, natural, 10).value(); }
  std::mt19937_64& random() { return random_; }
  Host& host() { return host_; }

 private:
  std::mt19937_64 random_{7};
  Host host_{Limits{}};
};

TEST_F(NaturalTest, SumsAndProductsEqualThoseOnPaper) {
  for (int round = 0; round < 400; ++round) {
    const std::size_t most = round % 20 == 0 ? 150 : 6;
    const Natural a = Random(most), b = Random(most);
    EXPECT_EQ(Text(Add(a, b)), OnPaper(a).Plus(OnPaper(b)).Text());
    EXPECT_EQ(Text(Multiply(host(), a, b).value()), OnPaper(a).Times(OnPaper(b)).Text());
    EXPECT_EQ(Subtract(Add(a, b), b), a);
  }
}

TEST_F(NaturalTest, LongProductsOfUnlikeLengthsEqualThoseOnPaper) {
  for (const auto& [left, right] : {std::pair{49, 48}, {97, 48}, {200, 50}, {300, 3}, {128, 128}}) {
    Natural a(static_cast<std::size_t>(left), ~Limb{0}), b(static_cast<std::size_t>(right));
    for (Limb& limb : b) limb = static_cast<Limb>(random()());
    Trim(b);
    EXPECT_EQ(Text(Multiply(host(), a, b).value()), OnPaper(a).Times(OnPaper(b)).Text());
  }
}

TEST_F(NaturalTest, AQuotientTimesTheDivisorAndTheRemainderGiveTheDividend) {
  for (int round = 0; round < 4000; ++round) {
    const Natural a = Random(round % 50 == 0 ? 80 : 7);
    Natural b = Random(round % 50 == 0 ? 40 : 4);
    if (b.empty()) b = {1};
    const Division division = Divide(host(), a, b).value();
    EXPECT_LT(CompareNaturals(division.remainder, b), 0);
    const Paper again =
        OnPaper(division.quotient).Times(OnPaper(b)).Plus(OnPaper(division.remainder));
    EXPECT_EQ(again.Text(), Text(a));
  }
}

TEST_F(NaturalTest, ShiftsAreProductsAndQuotientsOfPowersOfTwo) {
  for (int round = 0; round < 500; ++round) {
    const Natural a = Random(6);
    const std::int64_t count = static_cast<std::int64_t>(random()() % 150);
    const Natural power = Power(host(), MakeNatural(2), static_cast<std::uint64_t>(count)).value();
    EXPECT_EQ(ShiftLeft(host(), a, count).value(), Multiply(host(), a, power).value());
    const Division division = Divide(host(), a, power).value();
    EXPECT_EQ(ShiftRight(a, count), division.quotient);
    EXPECT_EQ(AnyBitBelow(a, count), !division.remainder.empty());
  }
}

TEST_F(NaturalTest, DigitsOfEveryBaseReadBack) {
  for (int base = 2; base <= 36; ++base) {
    for (int round = 0; round < 30; ++round) {
      const Natural a = Random(9);
      const std::string text = Digits(host(), a, base).value();
      EXPECT_EQ(ParseNatural(text, base), a) << text << " in base " << base;
    }
  }
  EXPECT_FALSE(ParseNatural("12", 2));
  EXPECT_FALSE(ParseNatural("1 2", 10));
}

TEST_F(NaturalTest, PowersAreRepeatedProducts) {
  const Natural base = MakeNatural(123456789), modulus = MakeNatural(1'000'000'007);
  Natural power = MakeNatural(1);
  for (std::uint64_t exponent = 0; exponent < 60; ++exponent) {
    EXPECT_EQ(Power(host(), base, exponent).value(), power);
    EXPECT_EQ(PowerModulo(host(), base, MakeNatural(exponent), modulus).value(),
              Divide(host(), power, modulus).value().remainder);
    power = Multiply(host(), power, base).value();
  }
}

TEST(NaturalLimitsTest, WhatIsTooLargeOrTooLongEndsInTheLimit) {
  Limits limits;
  limits.max_bytes = 64 << 20;
  limits.max_steps = 10'000;
  Host host(limits);
  EXPECT_FALSE(ShiftLeft(host, MakeNatural(1), std::int64_t{1} << 40).ok());
  EXPECT_FALSE(Power(host, MakeNatural(10), 10'000'000'000).ok());
  const Natural large(1 << 20, 7), half(1 << 19, 5);
  EXPECT_FALSE(Divide(host, large, half).ok());
  EXPECT_FALSE(Multiply(host, large, large).ok());
}

}  // namespace
}  // namespace espalier::lang
