#include "runtime/cli/json_spelling.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace espalier {
namespace {

using Whitespace = JsonSpelling::Whitespace;
using Escapes = JsonSpelling::Escapes;

constexpr const char* kTexts[] = {"null",
                                  " 1.50e+3 ",
                                  "[]",
                                  "{ }",
                                  "\"\"",
                                  R"({"a": [1, {"b": true}], "c": "x, y: {z}"})",
                                  R"(["\u00e9\/\"\\\b\f\n\r\t\u0001", "\ud83d\ude00", "日本"])",
                                  "123456789012345678901234567890"};

TEST(JsonSpelling, ExactSpellings) {
  const std::string text = "{ \"a\" :[1.50 ,\"\\u00e9\\/\\u000a\"],\"b\":{}}";
  EXPECT_EQ(Respell(text, {.whitespace = Whitespace::kNone}), "{\"a\":[1.50,\"é/\\n\"],\"b\":{}}");
  EXPECT_EQ(Respell(text, {.whitespace = Whitespace::kAfterSeparators}),
            "{\"a\": [1.50, \"é/\\n\"], \"b\": {}}");
}

TEST(JsonSpelling, HalfASurrogatePairStaysAsItIs) {
  EXPECT_EQ(Respell(R"(["\ud83d"])", {.escapes = Escapes::kRandom}), R"(["\ud83d"])");
}

TEST(JsonSpelling, AnySpellingIsTheSameValue) {
  for (const char* text : kTexts) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      for (const Escapes escapes : {Escapes::kFewest, Escapes::kRandom}) {
        const std::string spelled =
            Respell(text, {.whitespace = Whitespace::kRandom, .escapes = escapes, .seed = seed});
        EXPECT_EQ(nlohmann::json::parse(spelled), nlohmann::json::parse(text)) << spelled;
      }
    }
  }
}

TEST(JsonSpelling, RandomSpellingsUseAllThereIs) {
  std::string all;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    all += Respell(R"(["a/\"", 1])",
                   {.whitespace = Whitespace::kRandom, .escapes = Escapes::kRandom, .seed = seed});
  }
  for (const char* part : {"\n",
                           "\n"
                           "                    1",
                           "\\u0061", "\\/", "\\u002F", "\\u002f", "\\\"", "\\u0022"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(all.find(std::string(21, ' ')), std::string::npos);
  EXPECT_EQ(all.find("\n\n"), std::string::npos);
}

}  // namespace
}  // namespace espalier
