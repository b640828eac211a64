#include "runtime/cli/key_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

namespace espalier {
namespace {

class CliKeyReader : public testing::Test {
 protected:
  CliKeyReader() { EXPECT_EQ(pipe(pipe_.data()), 0); }
  ~CliKeyReader() override { close(pipe_[0]); }

  // The characters that `keys` make, with <> around the control characters.
  std::string Typed(const std::string& keys) {
    EXPECT_EQ(write(pipe_[1], keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
    close(pipe_[1]);
    KeyReader reader(pipe_[0]);
    std::string typed;
    while (const std::optional<unsigned char> key = reader.Next()) {
      typed += *key < ' ' ? "<" + std::to_string(*key) + ">" : reader.CharacterFrom(*key);
    }
    return typed;
  }

  std::array<int, 2> pipe_ = {};
};

TEST_F(CliKeyReader, GivesWholeCharacters) {
  EXPECT_EQ(Typed("a\u00fc\u4e2d\U0001f600\r"), "a\u00fc\u4e2d\U0001f600<13>");
}

TEST_F(CliKeyReader, AnIncompleteCharacterTakesNoOtherKeyWithIt) {
  EXPECT_EQ(Typed("ab\xc3\r"), "ab<13>");
}

TEST_F(CliKeyReader, BytesOfNoCharacterAreDropped) {
  EXPECT_EQ(Typed("a\x80\xff\xc0\xaf"
                  "b\xe4\xb8x\xed\xa0\x80y"),
            "abxy");
}

TEST_F(CliKeyReader, ReadsWhatHasComeAtOnce) {
  const std::string keys(4000, 'x');
  ASSERT_EQ(write(pipe_[1], keys.data(), keys.size()), 4000);
  KeyReader reader(pipe_[0]);
  EXPECT_FALSE(reader.has_more());
  for (int i = 0; i < 4000; ++i) {
    EXPECT_TRUE(reader.Next().has_value());
    EXPECT_EQ(reader.has_more(), i < 3999);
  }
  close(pipe_[1]);
}

}  // namespace
}  // namespace espalier
