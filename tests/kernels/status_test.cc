#include "kernels/base/status.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace espalier {
namespace {

Status Fail() { return Status(Code::kNotFound, "no such thing"); }

Result<int> Half(int x) {
  if (x % 2 != 0) return Status(Code::kInvalidArgument, "odd");
  return x / 2;
}

Result<int> Quarter(int x) {
  ESP_ASSIGN_OR_RETURN(const int half, Half(x));
  return Half(half);
}

// The macro is one statement: the else belongs to the if in front of it.
Status FailIf(bool fails, bool& passed) {
  if (fails)
    ESP_RETURN_IF_ERROR(Fail());
  else
    passed = true;
  return Status();
}

TEST(StatusTest, DefaultIsOkAndAFailureKeepsItsCodeAndMessage) {
  EXPECT_TRUE(Status().ok());
  EXPECT_FALSE(Fail().ok());
  EXPECT_EQ(Fail().code(), Code::kNotFound);
  EXPECT_EQ(Fail().message(), "no such thing");
  EXPECT_EQ(CodeName(Fail().code()), "not_found");
}

TEST(StatusTest, ReturnIfErrorReturnsAndIsOneStatement) {
  bool passed = false;
  EXPECT_EQ(FailIf(true, passed).code(), Code::kNotFound);
  EXPECT_FALSE(passed);
  EXPECT_TRUE(FailIf(false, passed).ok());
  EXPECT_TRUE(passed);
}

TEST(ResultTest, AssignOrReturnPassesValuesAndFailuresOn) {
  EXPECT_EQ(Quarter(12).value(), 3);
  EXPECT_EQ(Quarter(6).status().code(), Code::kInvalidArgument);
  EXPECT_TRUE(Quarter(12).status().ok());
}

TEST(ResultTest, ConstResultsCanBeRead) {
  const Result<std::string> text = std::string("abc");
  EXPECT_EQ(*text, "abc");
  EXPECT_EQ(text->size(), 3u);
  EXPECT_EQ(&text.value(), &*text);
}

TEST(ResultTest, TemporariesGiveTheirValueAway) {
  Result<std::unique_ptr<int>> one = std::make_unique<int>(1);
  const std::unique_ptr<int> taken = *std::move(one);
  EXPECT_EQ(*taken, 1);
}

TEST(ResultDeathTest, MisuseIsCaught) {
  EXPECT_DEATH((void)Half(3).value(), "odd");
  EXPECT_DEATH((void)Result<int>(Status()), "an ok Result needs a value");
}

}  // namespace
}  // namespace espalier
