// Jump-forward on the real model: the same tokens with it and without, wherever the free
// choice is what the tokenizer would have made of the text.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "runtime/local/engine_client.h"
#include "runtime/local/generated.h"
#include "runtime/local/local_model.h"
#include "runtime/local/prompt.h"
#include "tests/support/paths.h"

namespace espalier {
namespace {

struct Output {
  std::vector<TokenId> tokens;
  std::string text;
  std::int32_t num_forced = 0;
};

Output Generate(LocalModel& model, const std::string& prompt,
                const std::vector<std::string>& choices) {
  EngineClient client(model);
  GenerateRequest request;
  request.prompt = EncodePrompt(model.tokenizer(), prompt);
  request.sampling.temperature = 0;
  request.constraint.kind = ConstraintKind::kChoice;
  request.constraint.choices = choices;
  Generated generated(1);
  client.Submit(std::move(request),
                [&generated](TokenEvent event) { generated.Add(std::move(event)); });
  while (!generated.done()) client.Wait();
  EXPECT_TRUE(generated.status().ok()) << generated.status().message();
  const GeneratedChoice& choice = generated.choices()[0];
  return {choice.tokens, choice.text, generated.usage().forced_tokens};
}

TEST(JumpForwardModelTest, SameTokensOnAndOffWhereTheFreeChoiceIsCanonical) {
  ESP_NEEDS_MODEL();
  LocalModelOptions options{.kv_cache_tokens = 1024, .threads = 1};
  const std::unique_ptr<LocalModel> on = LocalModel::Load(options).value();
  options.no_jump_forward = true;
  const std::unique_ptr<LocalModel> off = LocalModel::Load(options).value();
  // Texts that the model has just read twice, so that it goes on with them as they were.
  const std::vector<std::vector<std::string>> all_choices = {
      {" The quick brown fox jumps over the lazy dog.", " The quick brown fox sleeps all day."},
      {" {\"area\": \"billing\", \"urgent\": true}", " {\"area\": \"login\", \"urgent\": false}"},
      {" In 1969 the first people walked on the moon.", " In 1969 the first of them came home."},
      {" She sells sea shells by the sea shore.", " She sells sea shells by the pound."},
      {" We had a coffee at the caf\xC3\xA9 in town.", " We had a coffee at the caf\xC3\xA9."}};
  int num_canonical = 0;
  int num_forced = 0;
  for (const std::vector<std::string>& choices : all_choices) {
    for (const std::string& repeated : choices) {
      const std::string prompt = "Text:" + repeated + "\nText:" + repeated + "\nText:";
      const Output without = Generate(*off, prompt, choices);
      const Output with = Generate(*on, prompt, choices);
      EXPECT_EQ(without.num_forced, 0);
      num_forced += with.num_forced;
      const std::vector<TokenId> before = EncodePrompt(off->tokenizer(), prompt);
      std::vector<TokenId> whole = before;
      whole.insert(whole.end(), without.tokens.begin(), without.tokens.end());
      if (EncodePrompt(off->tokenizer(), prompt + without.text) != whole) continue;
      ++num_canonical;
      EXPECT_EQ(with.tokens, without.tokens) << prompt << without.text;
    }
  }
  EXPECT_GE(num_canonical, 6);
  EXPECT_GT(num_forced, 40);
}

}  // namespace
}  // namespace espalier
