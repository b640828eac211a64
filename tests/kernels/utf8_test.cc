#include "kernels/base/utf8.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace espalier {
namespace {

std::string Encode(unsigned c) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((c >> shift) & 0x3f)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xc0 | c >> 6), tail(0)};
  if (c < 0x10000) return {static_cast<char>(0xe0 | c >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | c >> 18), tail(12), tail(6), tail(0)};
}

bool IsSurrogate(unsigned c) { return c >= 0xd800 && c < 0xe000; }

TEST(Utf8, TakesEveryCodePointButSurrogates) {
  for (unsigned c = 0; c < 0x110000; ++c) {
    const std::string text = Encode(c) + "z";
    ASSERT_EQ(ValidUtf8Prefix(text), IsSurrogate(c) ? 0 : text.size()) << c;
  }
  EXPECT_EQ(ValidUtf8Prefix(Encode(0x110000)), 0u);
}

TEST(Utf8, SpellsEveryCodePointAsItIsRead) {
  for (unsigned c = 0; c < 0x110000; ++c) {
    if (IsSurrogate(c)) continue;
    std::string text = "a";
    AppendCodePoint(text, c);
    ASSERT_EQ(text, "a" + Encode(c));
    ASSERT_EQ(NumCodePoints(text), 2u) << c;
    ASSERT_EQ(DecodeUtf8(text), (std::u32string{U'a', c})) << c;
  }
}

// Every string of four bytes from the edges of all ranges, against the set of all
// encodings.
TEST(Utf8, TakesNothingElse) {
  const std::string edges =
      "\x41\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5"
      "\xff";
  std::set<std::string> valid;
  for (unsigned c = 0; c < 0x110000; ++c) {
    std::string text = Encode(c);
    if (!IsSurrogate(c) && text.find_first_not_of(edges) == std::string::npos) valid.insert(text);
  }
  const std::size_t n = edges.size();
  for (std::size_t i = 0; i < n * n * n * n; ++i) {
    const std::string text = {edges[i % n], edges[i / n % n], edges[i / n / n % n],
                              edges[i / n / n / n]};
    std::size_t expected = 0;
    for (std::size_t size = 1; expected + size <= text.size();) {
      const bool found = valid.contains(text.substr(expected, size));
      expected += found ? size : 0;
      size = found ? 1 : size + 1;
    }
    ASSERT_EQ(ValidUtf8Prefix(text), expected) << i;
  }
}

}  // namespace
}  // namespace espalier
