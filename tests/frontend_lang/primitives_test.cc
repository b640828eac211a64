// The primitives beyond those of program_test.cc: streaming, reasoning, log-probabilities,
// chat formats by name, nested calls, batches by tuples and as generators.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frontend_lang/program/choices.h"
#include "frontend_lang/program/reasoning.h"
#include "tests/frontend_lang/program_run.h"

namespace espalier::program {
namespace {

TEST(PrimitivesTest, TextComesPieceByPieceWhenItStreams) {
  Scenario scenario{.answer = [](const GenCall&) { return Says("abcd"); }, .increments = 2};
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    s += "P" + sgl.gen("x") + "!"
    s += sgl.gen("y")
    return "r"
for name in [None, "x", "y"]:
    st = f.run(stream=True)
    print(list(st.text_iter(name)), st.ret_value)
st = f.run()
print(list(st.text_iter()), list(st.text_iter("x")))
import asyncio
async def pieces():
    stream = f.run(stream=True).text_async_iter("x", return_meta_data=True)
    return [piece async for piece, meta in stream]
print(asyncio.run(pieces()))
)",
                          scenario);
  EXPECT_EQ(ran.output,
            "['P', 'a', 'b', 'cd!', 'a', 'b', 'cd'] r\n['a', 'b', 'cd'] r\n['a', 'b', 'cd'] r\n"
            "['Pabcd!abcd'] ['abcd']\n['a', 'b', 'cd']\n")
      << ran.result.traceback;
}

TEST(PrimitivesTest, AStreamEndsWithTheErrorOfItsState) {
  Scenario scenario;
  scenario.answer = [](const GenCall& call) {
    return call.prompt == "P" ? Says("ok") : Fails(Code::kInternal, "broken");
  };
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    s += "P" + sgl.gen("x") + sgl.gen("y")
@sgl.function
def g(s):
    s += "P" + sgl.gen("x")
    s.sync()
    raise ValueError("no")
for p in [f, g]:
    try:
        for piece in p.run(stream=True).text_iter(): print(repr(piece))
    except Exception as e: print(repr(e))
for p in [f, g]:
    try: p.run(stream=True)["z"]
    except Exception as e: print(repr(e))
)",
                          scenario);
  EXPECT_EQ(ran.output,
            "'P'\n'ok'\nRuntimeError('gen \"y\" failed: broken')\n'P'\n'ok'\nValueError('no')\n"
            "KeyError('z')\nValueError('no')\n")
      << ran.result.traceback;
}

TEST(PrimitivesTest, AVariableOfARunningFunctionIsWaitedFor) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    s += sgl.gen("x")
    s["late"] = s["x"] + "!"
st = f.run(stream=True)
print(st["late"], "late" in st, st.text())
try: st["never"]
except KeyError as e: print("KeyError", e)
)");
  EXPECT_EQ(ran.output, "<0>! True <0>\nKeyError 'never'\n") << ran.result.traceback;
}

TEST(PrimitivesTest, ReasoningIsSeparatedFromTheAnswer) {
  Scenario scenario;
  scenario.answer = [](const GenCall&) { return Says("<think> why \n</think>\n\n so "); };
  const Ran ran = RunText(R"(
@sgl.function
def f(s, kind):
    s += "Q" + sgl.separate_reasoning(sgl.gen("x") + "!", model_type=kind)
for kind in ["qwen3", "deepseek-r1", "kimi"]:
    st = f.run(kind=kind)
    print([st["x"], st["x_reasoning_content"], st.text()])
sgl.separate_reasoning(sgl.gen("x"), "gpt-5")
)",
                          scenario);
  EXPECT_EQ(ran.output,
            "['so', 'why \\n', 'Qso!']\n['so', 'why \\n', 'Qso!']\n"
            "['<think> why \\n</think>\\n\\n so ', '', "
            "'Q<think> why \\n</think>\\n\\n so !']\n")
      << ran.result.traceback;
  EXPECT_NE(ran.result.status.message().find("no model type 'gpt-5'; there are: deepseek-r1"),
            std::string::npos);
}

TEST(PrimitivesTest, ReasoningThatIsCutShortIsAllThereIs) {
  EXPECT_EQ(SeparateReasoning("deepseek-r1", "on and on").reasoning, "on and on");
  EXPECT_EQ(SeparateReasoning("qwen3", "plain").answer, "plain");
  EXPECT_EQ(SeparateReasoning("qwen3", "<think>on").reasoning, "on");
  EXPECT_EQ(SeparateReasoning("qwen3", "<think>on").answer, "");
}

TEST(PrimitivesTest, MetaTellsWhatTheServerWould) {
  Scenario scenario;
  scenario.answer = [](const GenCall& call) {
    CallEvent event = Says("ab");
    event.outputs[0].matched_stop = "\n";
    event.outputs[0].logprobs = {{-0.5, 7, "ab"}};
    event.outputs[0].top_logprobs = {{{-0.5, 7, "ab"}, {-2, 9, "c"}}};
    if (call.options.n == 2) event.outputs.push_back({.text = "c", .finish_reason = "length"});
    return event;
  };
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    s += sgl.gen("plain")
    s += sgl.gen("scored", return_logprob=True, top_logprobs_num=2, return_text_in_logprobs=True)
    s += sgl.gen("several", n=2)
st = f.run()
m = st.get_meta_info("plain")
print(m["finish_reason"], m["prompt_tokens"], m["completion_tokens"], "output_token_logprobs" in m)
m = st.get_meta_info("scored")
print(m["output_token_logprobs"], m["output_top_logprobs"])
print([m["finish_reason"]["type"] for m in st.get_meta_info("several")], st["several"])
print(st.text())
)",
                          scenario);
  EXPECT_EQ(ran.output,
            "{'type': 'stop', 'matched': '\\n'} 10 2 False\n"
            "[[-0.5, 7, 'ab']] [[[-0.5, 7, 'ab'], [-2.0, 9, 'c']]]\n"
            "['stop', 'length'] ['ab', 'c']\nababab\n")
      << ran.result.traceback;
}

TEST(PrimitivesTest, GreedyAndUnconditionalTellHowTheyDecided) {
  Scenario scenario;
  scenario.score = [](const std::string& choice, bool conditional) -> std::vector<double> {
    if (choice == "ab")
      return conditional ? std::vector<double>{-1, -3} : std::vector<double>{0, -4};
    return conditional ? std::vector<double>{-1} : std::vector<double>{0};
  };
  const Ran ran = RunText(R"(
@sgl.function
def f(s, m):
    s += sgl.select("x", ["ab", "c"], choices_method=m)
st = f.run(m=sgl.greedy_token_selection)
print(st["x"], st.get_meta_info("x")["greedy_logprob_matrix"])
st = f.run(m=sgl.lang.choices.unconditional_likelihood_normalized)
m = st.get_meta_info("x")
print(st["x"], m["normalized_unconditional_prompt_logprobs"],
      [[t[0] for t in c] for c in m["unconditional_token_logprobs"]],
      m["normalized_prompt_logprobs"])
)",
                          scenario);
  // Column 1: -1 and -1; column 2: -3 against the shorter one's mean, -1.
  EXPECT_EQ(ran.output,
            "c [[-1.0, -3.0], [-1.0, -1.0]]\n"
            "ab [0.0, -1.0] [[None, -4.0], [None]] [-2.0, -1.0]\n")
      << ran.result.traceback;
}

TEST(PrimitivesTest, AMeanLeavesOutWhatIsZero) {
  const TokenScores scores = {{{.logprob = -2}, {.logprob = 0}}, {{.logprob = -1.5}}};
  auto decision = Decide(ChoicesMethod::kTokenLengthNormalized, scores, {});
  ASSERT_TRUE(decision.ok());
  EXPECT_EQ(decision->means, (std::vector<double>{-2, -1.5}));
  EXPECT_EQ(decision->choice, 1u);
}

TEST(PrimitivesTest, AChatFormatByNameBringsItsStops) {
  const std::string body = R"(
@sgl.function
def f(s):
    s += sgl.user("hi") + sgl.assistant(sgl.gen("x", stop=["X"]))
print(f.run().text())
)";
  const std::vector<std::string> starts = {
      "sgl.set_default_backend(sgl.RuntimeEndpoint('http://h', chat_template_name='chatml'))",
      "from sglang.lang.chat_template import get_chat_template\n"
      "b = sgl.Runtime(model_path='m')\nb.chat_template = get_chat_template('chatml')\n"
      "sgl.set_default_backend(b)"};
  for (const std::string& start : starts) {
    const Ran ran = RunText("import sglang as sgl\n" + start + body);
    EXPECT_EQ(ran.output,
              "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n<0><|im_end|>\n\n")
        << ran.result.traceback;
    ASSERT_EQ(ran.log.gens.size(), 1u);
    EXPECT_EQ(ran.log.gens[0].options.stop, (std::vector<std::string>{"X", "<|im_end|>"}));
    EXPECT_EQ(ran.notes.size(), 1u);
  }
  EXPECT_NE(RunText("sgl.lang.chat_template.get_chat_template('zzz')")
                .result.status.message()
                .find("there is no chat format 'zzz'; there are: default, claude"),
            std::string::npos);
}

TEST(PrimitivesTest, FunctionsCallFunctions) {
  const Ran ran = RunText(R"(
@sgl.function
def inner(s, x):
    s += "[" + x + sgl.gen("i") + "]"
    return "inner " + x
@sgl.function
def outer(s):
    s += "A"
    s += inner(s, "1")
    s += inner(x="2")
    with s.user():
        s += inner.bind(x="3").run(s)
    return s["i"]
st = outer.run()
print(st.text(), st.ret_value, st["i"])
)");
  EXPECT_EQ(ran.output, "A[1<0>][2<1>]USER:[3<2>]\n <2> <2>\n") << ran.result.traceback;
}

TEST(PrimitivesTest, RowsMayBeTuplesAndComeOneByOne) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s, a, b=2):
    s += f"{a}{b}" + sgl.gen("x")
rows = f.run_batch([(1,), [3, 4]])
print([r.text() for r in rows])
states = f.run_batch([{"a": i} for i in range(450)], generator_style=True, num_threads=64)
print(next(states).text(), sum(1 for _ in states))
for bad in [[()], [(1, 2, 3)], [3], [{1: 2}]]:
    try: f.run_batch(bad)
    except Exception as e: print(type(e).__name__, e)
states = f.run_batch([{"c": 1}, {"a": 5}])
print(states[1].text(), states[0].error())
)");
  EXPECT_EQ(ran.output,
            "['12<0>', '34<1>']\n02<2> 449\n"
            "Exception Given arguments mismatch the SGL function signature\n"
            "Exception Given arguments mismatch the SGL function signature\n"
            "TypeError run_batch() takes a list of dicts or of tuples; a row is of type 'int'\n"
            "TypeError keywords must be strings\n"
            "52<452> f() got an unexpected keyword argument 'c'\n")
      << ran.result.traceback;
}

TEST(PrimitivesTest, JoinTakesWhatIsNewInAnyFork) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    s["old"] = 1
    forks = s.fork(3)
    forks[0]["old"] = 2
    forks[1]["a"] = 3
    forks[2]["a"] = 4
    forks[2]["b"] = 5
    s["b"] = 6
    forks.join()
    print(s["old"], s["a"], s["b"])
    forks = s.fork(2)
    forks += sgl.gen("bad", max_tokens=7)
    try: forks.join()
    except RuntimeError as e: print(e)
    forks = s.fork(2)
    try: forks.join("sum")
    except ValueError as e: print(e)
f.run()
)",
                          {.answer = [](const GenCall&) { return Fails(Code::kInternal, "no"); }});
  EXPECT_EQ(ran.output,
            "1 [3, 4] 6\ngen \"bad\" failed: no\n"
            "Invalid join mode: sum; it is \"gather_variable\" or \"concate_and_append\"\n")
      << ran.result.traceback;
}

TEST(PrimitivesTest, GenTakesItsArgumentsInSglangsOrder) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    s += sgl.gen("x", 1, 2, 3, ["s"], [4], "r+", 0.5, 0.6, 7, 0.1, 0.2, 0.3, True, True, 0, 2,
                 False, None, None, None, "a+", None)
    s += sgl.gen_int("y", 5, 1, "t")
    s += sgl.gen("z", choices=["p", "qq"])
f.run(max_new_tokens=9, stop_regex=["u"])
)");
  ASSERT_EQ(ran.log.gens.size(), 2u) << ran.result.traceback;
  const GenOptions& x = ran.log.gens[0].options;
  EXPECT_EQ(x.max_tokens, 1);
  EXPECT_EQ(x.min_tokens, 2);
  EXPECT_EQ(x.n, 3);
  EXPECT_EQ(x.stop_token_ids, std::vector<int>{4});
  EXPECT_EQ(x.stop_regex, std::vector<std::string>{"r+"});
  EXPECT_EQ(x.top_k, 7);
  EXPECT_EQ(x.presence_penalty, 0.3);
  EXPECT_EQ(x.top_logprobs_num, 2);
  EXPECT_EQ(x.regex, "a+");
  EXPECT_EQ(ran.log.gens[1].options.stop, (std::vector<std::string>{"t", " ", "\n"}));
  EXPECT_EQ(ran.log.scores.size(), 1u);
}

TEST(PrimitivesTest, WhatIsNotInTheLanguageIsRefusedByName) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"sgl.image('a.png')", "sgl.image"},
      {"sgl.video('a.mp4', 4)", "sgl.video"},
      {"sgl.Engine(model_path='m')", "sgl.Engine"},
      {"f.trace()", "f.trace()"},
      {"f.compile()", "f.compile()"},
  };
  for (const auto& [code, name] : cases) {
    const Ran ran = RunText("@sgl.function\ndef f(s): pass\n" + code);
    EXPECT_TRUE(ran.result.status.message().starts_with("NotImplementedError: ")) << code;
    EXPECT_NE(ran.result.status.message().find(name), std::string::npos) << code;
  }
  EXPECT_EQ(RunText("@sgl.function\ndef f(s):\n  s += None\nf.run()").result.status.message(),
            "ValueError: Tried to append None to state.");
}

TEST(PrimitivesTest, ThousandsOfStatesAreInFlight) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s, i):
    s += str(i) + sgl.gen("x")
    return len(s["x"])
states = f.run_batch([{"i": i} for i in range(10000)], num_threads=10000)
print(len(states), states[9999].text())
)");
  EXPECT_EQ(ran.output, "10000 9999<9999>\n") << ran.result.traceback;
  EXPECT_EQ(ran.log.most_unfinished, 10000u);
}

}  // namespace
}  // namespace espalier::program
