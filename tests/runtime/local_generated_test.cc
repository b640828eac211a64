#include "runtime/local/generated.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TokenEvent Event(std::int32_t choice, std::string text, std::vector<TokenId> tokens) {
  TokenEvent event;
  event.choice = choice;
  event.text = std::move(text);
  event.tokens = std::move(tokens);
  return event;
}

TokenEvent Last(std::int32_t choice, Usage usage) {
  TokenEvent event = Event(choice, "", {});
  event.finish = FinishReason::kLength;
  event.usage = usage;
  return event;
}

TEST(LocalGenerated, TextComesInWholeCharacters) {
  Generated generated(1);
  EXPECT_EQ(generated.Add(Event(0, "a\xE8\xAA", {1})), "a");
  EXPECT_EQ(generated.Add(Event(0, "\x9E", {2})), "\xE8\xAA\x9E");
  EXPECT_EQ(generated.Add(Event(0, "\xE8", {3})), "");
  EXPECT_EQ(generated.Add(Last(0, {})), "\xEF\xBF\xBD");
  EXPECT_EQ(generated.choices()[0].text, "a\xE8\xAA\x9E\xEF\xBF\xBD");
  EXPECT_EQ(generated.choices()[0].tokens, (std::vector<TokenId>{1, 2, 3}));
}

TEST(LocalGenerated, CountsThePromptOnceAndSumsCompletions) {
  Generated generated(2);
  generated.Add(Last(1, {.prompt_tokens = 10, .cached_tokens = 9, .completion_tokens = 3}));
  EXPECT_FALSE(generated.done());
  generated.Add(Last(0, {.prompt_tokens = 10, .cached_tokens = 4, .completion_tokens = 5}));
  EXPECT_TRUE(generated.done());
  EXPECT_EQ(generated.usage().prompt_tokens, 10);
  EXPECT_EQ(generated.usage().cached_tokens, 4);
  EXPECT_EQ(generated.usage().completion_tokens, 8);
}

TEST(LocalGenerated, KeepsTheFirstFailure) {
  Generated generated(2);
  TokenEvent failed = Last(0, {});
  failed.finish = FinishReason::kError;
  failed.error = Status(Code::kLimit, "too long");
  generated.Add(std::move(failed));
  TokenEvent cancelled = Last(1, {});
  cancelled.finish = FinishReason::kCancelled;
  generated.Add(std::move(cancelled));
  EXPECT_EQ(generated.status().code(), Code::kLimit);
  EXPECT_EQ(FinishName(generated.choices()[1].finish), "abort");
}

}  // namespace
}  // namespace espalier
