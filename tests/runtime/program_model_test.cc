// Programs on the real model: what a primitive gives is what the same request gives that
// is sent by hand.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/program/runner.h"
#include "runtime/local/local_backend.h"
#include "tests/support/paths.h"

namespace espalier {
namespace {

std::unique_ptr<LocalBackend> NewBackend() {
  auto model = LocalModel::Load({.model = "", .kv_cache_tokens = 4096});
  EXPECT_TRUE(model.ok()) << model.status().message();
  return std::make_unique<LocalBackend>(std::move(model).value());
}

nlohmann::ordered_json RunMain(const std::string& text) {
  auto program = program::LoadProgram("p.sgl", text);
  EXPECT_TRUE(program.ok()) << program.status().message();
  program::RunOptions options;
  options.wants_json = true;
  options.make_backend = []() -> Result<std::unique_ptr<Backend>> {
    return std::unique_ptr<Backend>(NewBackend());
  };
  const std::vector<program::CallResult> results = program::RunProgram(*program, options, {});
  EXPECT_TRUE(results[0].status.ok()) << results[0].traceback;
  return results[0].returned;
}

template <typename Call>
CallEvent Ask(LocalBackend& backend, Call call) {
  const CallId id = backend.Start(std::move(call));
  for (;;) {
    for (CallEvent& event : backend.Wait(std::nullopt)) {
      if (event.call == id && event.done) return std::move(event);
    }
  }
}

std::string Say(LocalBackend& backend, const std::string& prompt, GenOptions options) {
  options.temperature = 0;
  CallEvent event = Ask(backend, GenCall{prompt, std::move(options), 0});
  EXPECT_TRUE(event.status.ok()) << event.status.message();
  return event.outputs[0].text;
}

TEST(ProgramModelTest, GensAndForksGiveWhatTheirTextsGive) {
  ESP_NEEDS_MODEL();
  const auto got = RunMain(R"py(
@sgl.function
def f(s):
    s += "The capital of France is" + sgl.gen("a", max_tokens=6, stop=["."])
    s += ". It has" + sgl.gen("b", max_tokens=8, regex=" [0-9]{1,3} [a-z ]{1,20}")
    forks = s.fork(2)
    forks += lambda i: [" One more:", " Another fact:"][i] + sgl.gen("c", max_tokens=5)
    forks.join()
    return [s["a"], s["b"], s["c"]]
def main(): return f.run(temperature=0).ret_value
)py");
  const auto backend = NewBackend();
  std::string text = "The capital of France is";
  const std::string a = Say(*backend, text, {.max_tokens = 6, .stop = {"."}});
  EXPECT_EQ(got[0], a);
  text += a + ". It has";
  const std::string b = Say(*backend, text, {.max_tokens = 8, .regex = " [0-9]{1,3} [a-z ]{1,20}"});
  EXPECT_EQ(got[1], b);
  text += b;
  EXPECT_EQ(got[2][0], Say(*backend, text + " One more:", {.max_tokens = 5}));
  EXPECT_EQ(got[2][1], Say(*backend, text + " Another fact:", {.max_tokens = 5}));
}

TEST(ProgramModelTest, TypesSchemasAndRolesGiveWhatTheirRequestsGive) {
  ESP_NEEDS_MODEL();
  const auto got = RunMain(R"(
schema = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9, "minimum": 0}},
          "required": ["n"], "additionalProperties": False}
@sgl.function
def f(s):
    s += sgl.system("Be brief.") + sgl.user("Two plus two?")
    s += sgl.assistant(sgl.gen("x", max_tokens=12))
    s += sgl.user("As JSON.") + sgl.assistant(sgl.gen("y", json_schema=schema, max_tokens=30))
    s += sgl.user("As a number.") + sgl.assistant(sgl.gen_int("z", max_tokens=4))
    return [s["x"], s["y"], s["z"], s.text()]
def main(): return f.run(temperature=0).ret_value
)");
  const auto backend = NewBackend();
  const std::string text = got[3];
  const std::string turn = "<|im_start|>assistant\n";
  std::size_t at = text.find(turn) + turn.size();
  EXPECT_EQ(got[0], Say(*backend, text.substr(0, at), {.max_tokens = 12}));
  at = text.find(turn, at) + turn.size();
  EXPECT_EQ(got[1], Say(*backend, text.substr(0, at),
                        {.max_tokens = 30,
                         .json_schema = R"({"type": "object", "properties": {"n": {"type": )"
                                        R"("integer", "maximum": 9, "minimum": 0}}, "required": )"
                                        R"(["n"], "additionalProperties": false})"}));
  at = text.find(turn, at) + turn.size();
  EXPECT_EQ(got[2], Say(*backend, text.substr(0, at),
                        {.max_tokens = 4, .stop = {" ", "\n"}, .regex = "[-+]?[0-9]+[ \\n]*"}));
}

TEST(ProgramModelTest, SelectsScoreWhatTheirChoicesScore) {
  ESP_NEEDS_MODEL();
  const auto got = RunMain(R"(
@sgl.function
def f(s, method):
    s += "The sky is" + sgl.select("c", [" blue", " very green", " red"], choices_method=method)
    return [s["c"], s.get_meta_info("c")["normalized_prompt_logprobs"]]
def main():
    return [f.run(method=m).ret_value for m in [sgl.token_length_normalized,
            sgl.greedy_token_selection, sgl.unconditional_likelihood_normalized]]
)");
  const auto backend = NewBackend();
  const CallEvent scored =
      Ask(*backend, ScoreCall{"The sky is", {" blue", " very green", " red"}, false});
  ASSERT_EQ(scored.choice_logprobs.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = 0;
    for (const ScoredToken& token : scored.choice_logprobs[i]) sum += *token.logprob;
    const double mean = sum / static_cast<double>(scored.choice_logprobs[i].size());
    for (const auto& method : got) EXPECT_DOUBLE_EQ(method[1][i].get<double>(), mean);
  }
  EXPECT_EQ(got[0][0], " blue");
}

}  // namespace
}  // namespace espalier
