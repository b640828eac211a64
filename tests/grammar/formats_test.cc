#include "grammar/schema/formats.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/paths.h"

namespace espalier {
namespace {

constexpr std::uint64_t kFuel = std::uint64_t{1} << 40;

class FormatTexts {
 public:
  explicit FormatTexts(const std::string& format) : regex_(FormatRegex(format, text_)) {}

  bool known() const { return regex_.has_value(); }
  bool Matches(const std::string& utf8) { return set_.Matches(*regex_, utf8); }

 private:
  Fuel fuel_{kFuel};
  RegexSet set_{fuel_};
  TextRegex text_{set_, Spelling::kUtf8};
  std::optional<RegexId> regex_;
};

std::vector<int> DaysOfMonths(int year) {
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return {31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
}

std::string TwoDigits(int value) { return (value < 10 ? "0" : "") + std::to_string(value); }

TEST(Formats, DateKnowsTheCalendar) {
  FormatTexts dates("date");
  for (const int year : {1, 4, 96, 100, 400, 1600, 1900, 1996, 2000, 2023, 2024, 2100, 9999}) {
    const std::vector<int> days = DaysOfMonths(year);
    const std::string digits = std::to_string(year);
    for (int month = 0; month < 20; ++month) {
      for (int day = 0; day < 40; ++day) {
        const std::string date = std::string(4 - digits.size(), '0') + digits + "-" +
                                 TwoDigits(month) + "-" + TwoDigits(day);
        const bool valid = month >= 1 && month <= 12 && day >= 1 &&
                           day <= days[static_cast<std::size_t>(month - 1)];
        ASSERT_EQ(dates.Matches(date), valid) << date;
      }
    }
  }
}

// Local minutes, all that can be right among them, with every offset of a whole half hour, against
// arithmetic.
TEST(Formats, LeapSecondsAreTheLastOfAnUtcDay) {
  FormatTexts times("time");
  for (int local = 0; local < 24 * 60; ++local) {
    if (local % 30 != 29 && local % 7 != 0) continue;
    for (int offset = -23 * 60 - 30; offset <= 23 * 60 + 30; offset += 30) {
      const int size = offset < 0 ? -offset : offset;
      const std::string text = TwoDigits(local / 60) + ":" + TwoDigits(local % 60) + ":60" +
                               (offset < 0 ? "-" : "+") + TwoDigits(size / 60) + ":" +
                               TwoDigits(size % 60);
      const bool valid = (local - offset + 2 * 24 * 60) % (24 * 60) == 24 * 60 - 1;
      ASSERT_EQ(times.Matches(text), valid) << text;
    }
  }
}

TEST(Formats, Ipv6HasEightGroupsOrFewerAroundTwoColons) {
  FormatTexts addresses("ipv6");
  for (int before = 0; before <= 9; ++before) {
    std::string head;
    for (int i = 0; i < before; ++i) head += (i > 0 ? ":" : "") + std::string("a1f");
    EXPECT_EQ(addresses.Matches(head), before == 8) << head;
    for (int behind = 0; behind <= 9; ++behind) {
      std::string tail;
      for (int i = 0; i < behind; ++i) tail += (i > 0 ? ":" : "") + std::string("0");
      EXPECT_EQ(addresses.Matches(head + "::" + tail), before + behind <= 7)
          << head << "::" << tail;
    }
  }
}

TEST(Formats, EscapesOfAJsonStringAreSpellings) {
  Fuel fuel(kFuel);
  RegexSet set(fuel);
  TextRegex text(set, Spelling::kJsonString);
  EXPECT_TRUE(set.Matches(*FormatRegex("date", text), "2024-02-2\\u0039"));
  EXPECT_FALSE(set.Matches(*FormatRegex("date", text), "2023-02-2\\u0039"));
  EXPECT_TRUE(set.Matches(*FormatRegex("uri", text), "http:\\/\\/a\\/b"));
  EXPECT_TRUE(set.Matches(*FormatRegex("json-pointer", text), "\\/\\n\\u0000"));
}

TEST(Formats, UnknownOnesAssertNothing) {
  for (const char* format : {"int32", "int64", "float", "double", "byte", "url", "password"}) {
    EXPECT_TRUE(IsKnownAnnotation(format)) << format;
    EXPECT_FALSE(FormatTexts(format).known()) << format;
  }
  EXPECT_FALSE(FormatTexts("phone-number").known());
  EXPECT_FALSE(IsKnownAnnotation("phone-number"));
  EXPECT_FALSE(IsKnownAnnotation("date"));
}

// The optional/format part of JSON-Schema-Test-Suite, all drafts: nothing that is invalid
// is in a language, and nearly all that is valid is.
TEST(Formats, JsonSchemaTestSuiteHasNoFalsePositives) {
  ESP_NEEDS_SHARED("data/json-schema-test-suite/tests");
  const std::filesystem::path root = test::SharedPath("data/json-schema-test-suite/tests");
  int num_tests = 0;
  int num_refused = 0;
  for (const auto& draft : std::filesystem::directory_iterator(root)) {
    const auto folder = draft.path() / "optional" / "format";
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      std::ifstream stream(file.path());
      for (const auto& group : nlohmann::json::parse(stream)) {
        FormatTexts texts(group["schema"]["format"].get<std::string>());
        for (const auto& test : group["tests"]) {
          if (!test["data"].is_string()) continue;
          const bool matches = !texts.known() || texts.Matches(test["data"].get<std::string>());
          const bool valid = test["valid"].get<bool>();
          ++num_tests;
          num_refused += valid && !matches ? 1 : 0;
          EXPECT_TRUE(valid || !matches) << file.path() << ": " << test["description"];
        }
      }
    }
  }
  EXPECT_GT(num_tests, 2000);
  EXPECT_LT(num_refused * 100, num_tests * 4) << num_refused << " of " << num_tests;
}

}  // namespace
}  // namespace espalier
