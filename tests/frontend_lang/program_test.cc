// Programs against a scripted backend: what is asked, in which order, what comes back.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "frontend_lang/program/runner.h"
#include "tests/frontend_lang/program_run.h"

namespace espalier::program {
namespace {

TEST(ProgramTest, AGenSeesTheTextBeforeIt) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s, x):
    s += "A" + x
    s += sgl.gen("one", max_tokens=5, stop="\n") + " and "
    s += sgl.gen("two", temperature=0.5)
    return s["two"] + s["one"]
def main():
    st = f.run(x="B", temperature=0.1, top_k=3)
    print(st.text(), st["one"], "one" in st, "no" in st)
    return st.ret_value
)");
  EXPECT_TRUE(ran.result.status.ok()) << ran.result.traceback;
  EXPECT_EQ(ran.output, "AB<0> and <1> <0> True False\n");
  EXPECT_EQ(ran.result.returned, "<1><0>");
  ASSERT_EQ(ran.log.gens.size(), 2u);
  EXPECT_EQ(ran.log.gens[0].prompt, "AB");
  EXPECT_EQ(ran.log.gens[1].prompt, "AB<0> and ");
  EXPECT_EQ(ran.log.gens[0].options.max_tokens, 5);
  EXPECT_EQ(ran.log.gens[0].options.stop, std::vector<std::string>{"\n"});
  EXPECT_EQ(ran.log.gens[0].options.temperature, 0.1);
  EXPECT_EQ(ran.log.gens[1].options.temperature, 0.5);
  EXPECT_EQ(ran.log.gens[1].options.top_k, 3);
  EXPECT_EQ(ran.result.usage.prompt_tokens, 20);
  EXPECT_EQ(ran.result.usage.completion_tokens, 4);
}

TEST(ProgramTest, AGenReturnsAtOnceAndReadingWaits) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s, i):
    s += str(i) + sgl.gen("x")
states = [f.run(i=i) for i in range(5)]
print("started")
print([st["x"] for st in states])
)");
  EXPECT_TRUE(ran.result.status.ok()) << ran.result.traceback;
  EXPECT_EQ(ran.output, "started\n['<0>', '<1>', '<2>', '<3>', '<4>']\n");
  EXPECT_EQ(ran.log.most_unfinished, 5u);
}

TEST(ProgramTest, ForksRunConcurrentlyAndJoinGathers) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    s += "P" + sgl.gen("before")
    forks = s.fork(3)
    for i, fork in enumerate(forks):
        fork += f"[{i}]"
        fork += sgl.gen("x")
    forks.join()
    print(s["x"], s["before"], len(forks), forks[1]["before"])
    s += " end"
    return s.text()
def main(): return f.run().ret_value
)",
                          {.order = FakeBackend::Order::kLast});
  EXPECT_TRUE(ran.result.status.ok()) << ran.result.traceback;
  EXPECT_EQ(ran.output, "['<1>', '<2>', '<3>'] <0> 3 <0>\n");
  EXPECT_EQ(ran.result.returned, "P<0> end");
  EXPECT_EQ(ran.log.most_unfinished, 3u);
  EXPECT_EQ(ran.log.gens[3].prompt, "P<0>[2]");
}

TEST(ProgramTest, JoinAppendsTheTextsInOrder) {
  const Ran ran = RunText(R"py(
@sgl.function
def f(s):
    s += "P"
    forks = s.fork(2)
    forks += lambda i: f"({i})" + sgl.gen("x")
    forks += [ "!", "?" ]
    forks += sgl.gen("y")
    forks.join("concate_and_append")
    return s.text()
def main(): return f.run().ret_value
)py");
  EXPECT_EQ(ran.result.returned, "P(0)<0>!<2>(1)<1>?<3>") << ran.result.traceback;
  const Ran refused = RunText(R"(
@sgl.function
def f(s):
    forks = s.fork(2)
    forks += "text"
f.run()
)");
  EXPECT_NE(refused.result.status.message().find("ValueError: forks +="), std::string::npos);
}

TEST(ProgramTest, RowsOfABatchRunConcurrentlyInOrder) {
  std::vector<int> progress;
  Scenario scenario;
  scenario.order = FakeBackend::Order::kLast;
  scenario.options.progress = [&](int done, int total) { progress.push_back(done * 100 + total); };
  const Ran ran = RunText(R"(
@sgl.function
def f(s, a, b=0):
    s += f"{a}+{b}=" + sgl.gen("x")
    return s["x"]
states = f.run_batch([{"a": 1}, {"a": 2, "b": 3}, (4, 5)], progress_bar=True, num_threads=8)
print([st.text() for st in states])
)",
                          scenario);
  EXPECT_EQ(ran.output, "['1+0=<0>', '2+3=<1>', '4+5=<2>']\n") << ran.result.traceback;
  EXPECT_EQ(ran.log.most_unfinished, 3u);
  EXPECT_EQ(progress, (std::vector<int>{103, 203, 303}));
}

TEST(ProgramTest, ManyRowsNeedFewStacks) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s, i):
    s += str(i) + sgl.gen("x")
    return int(s["x"][1:-1])
print(sum(st.ret_value for st in f.run_batch([{"i": i} for i in range(3000)])))
)");
  EXPECT_EQ(ran.output, "4498500\n") << ran.result.traceback;
}

TEST(ProgramTest, AnErrorSurfacesAtTheReadAndNamesTheGen) {
  Scenario scenario;
  scenario.answer = [](const GenCall& call) {
    return call.options.regex ? Fails(Code::kUnsupported, "no regexes here") : Says("ok");
  };
  const std::string program = R"(
@sgl.function
def f(s):
    s += "x" + sgl.gen("good") + sgl.gen("bad", regex="a+") + sgl.gen("later")
    return s
def main():
    s = f.run()
    print(s["good"])
    print("before")
    print(s["bad"])
)";
  Ran ran = RunText(program, scenario);
  EXPECT_EQ(ran.output, "ok\nbefore\n");
  EXPECT_EQ(ran.result.status.code(), Code::kUnsupported);
  EXPECT_EQ(ran.result.status.message(), "RuntimeError: gen \"bad\" failed: no regexes here");
  EXPECT_NE(
      ran.result.traceback.find("line 10, in main\n    print(s[\"bad\"])\n          ~^^^^^^^\n"),
      std::string::npos)
      << ran.result.traceback;
  ran = RunText(program + "    pass\ntry: main()\nexcept RuntimeError as e: print('caught', e)\n",
                scenario);
  EXPECT_EQ(ran.output, "ok\nbefore\ncaught gen \"bad\" failed: no regexes here\n");
}

TEST(ProgramTest, AnErrorThatNobodyReadsIsNoted) {
  Scenario scenario;
  scenario.answer = [](const GenCall&) { return Fails(Code::kInternal, "broken"); };
  const Ran ran = RunText("@sgl.function\ndef f(s): s += sgl.gen('x')\nf.run()\n", scenario);
  EXPECT_TRUE(ran.result.status.ok());
  ASSERT_EQ(ran.notes.size(), 1u);
  EXPECT_EQ(ran.notes[0], "gen \"x\" failed: broken (nothing has read it)");
}

TEST(ProgramTest, AFailedParentFailsItsForks) {
  Scenario scenario;
  scenario.answer = [](const GenCall&) { return Fails(Code::kOverloaded, "busy"); };
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    s += sgl.gen("x")
    child = s.fork(1)[0]
    child += sgl.gen("y")
    return child["y"]
f.run()
)",
                          scenario);
  EXPECT_EQ(ran.result.status.message(), "RuntimeError: gen \"x\" failed: busy");
  EXPECT_EQ(ran.result.status.code(), Code::kOverloaded);
}

TEST(ProgramTest, SelectTakesTheRuleThatItIsGiven) {
  Scenario scenario;
  scenario.score = [](const std::string& choice, bool conditional) -> std::vector<double> {
    if (choice == "long")
      return conditional ? std::vector<double>{-1, -5, -0.1} : std::vector<double>{0, -6, -3};
    return conditional ? std::vector<double>{-2} : std::vector<double>{0};
  };
  const Ran ran = RunText(R"(
@sgl.function
def f(s, m):
    s += "Q" + sgl.select("x", choices=["short", "long"], choices_method=m)
for m in [sgl.token_length_normalized, sgl.greedy_token_selection,
          sgl.unconditional_likelihood_normalized]:
    st = f.run(m=m)
    print(st["x"], st.text(), [round(v, 3) for v in st.get_meta_info("x")["scores"]])
)",
                          scenario);
  // Means: short -2, long -6.1/3. Greedy: -2 against -1. Unconditional, first one as 0:
  // short -2, long (-1 + 1 + 2.9)/3.
  EXPECT_EQ(ran.output,
            "short Qshort [-2.0, -2.033]\nlong Qlong [-2.0, -2.033]\nlong Qlong [-2.0, 0.967]\n")
      << ran.result.traceback;
  EXPECT_FALSE(ran.log.scores[0].unconditional);
  EXPECT_TRUE(ran.log.scores[2].unconditional);
}

TEST(ProgramTest, RolesWrapMessages) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    s += sgl.system("be brief")
    with s.user():
        s += " hi "
    s += sgl.assistant_begin() + sgl.gen("x") + sgl.assistant_end()
    s += s.user("more")
    print(repr(s.text()))
    return s.messages()
def main(): return f.run().ret_value
)");
  EXPECT_EQ(ran.output, "'SYSTEM:be brief\\nUSER: hi \\nASSISTANT:<0>\\nUSER:more\\n'\n")
      << ran.result.traceback;
  EXPECT_EQ(ran.result.returned.dump(),
            R"([{"role":"system","content":"be brief"},{"role":"user","content":"hi "},)"
            R"({"role":"assistant","content":"<0>"},{"role":"user","content":"more"}])");
  const Ran nested = RunText(
      "@sgl.function\ndef f(s):\n  with s.user():\n    s += sgl.system('x')\n  s.sync()\nf.run()");
  EXPECT_NE(nested.result.status.message().find("roles do not nest"), std::string::npos);
}

TEST(ProgramTest, VariablesScopesAndCopies) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    with s.var_scope("all"):
        s += "a" + sgl.gen("x") + "b"
    s["own"] = [1]
    s.set_var("other", 2)
    with s.copy() as t:
        t += sgl.gen("y")
    print(s["all"], s["own"], s.get_var("other"), s["y"])
    try:
        s["nothing"]
    except KeyError as e:
        print("KeyError", e)
    several = sgl.gen("z", n=2)
    s += several
    print(s["z"])
f.run()
)",
                          {.answer = [](const GenCall& call) {
                            CallEvent event = Says("1");
                            if (call.options.n == 2) event.outputs.push_back({.text = "2"});
                            return event;
                          }});
  EXPECT_EQ(ran.output, "a1b [1] 2 ['1']\nKeyError 'nothing'\n['1', '2']\n")
      << ran.result.traceback;
}

TEST(ProgramTest, SeedsDifferByRowForkAndGenAndRepeat) {
  const std::string program = R"(
@sgl.function
def f(s, i):
    s += sgl.gen("a") + sgl.gen("b")
    forks = s.fork(2)
    forks += sgl.gen("c")
    forks.join()
f.run_batch([{"i": i} for i in range(4)])
f.run(i=0)
)";
  const auto seeds = [&](std::uint64_t root) {
    Scenario scenario;
    scenario.options.seed = root;
    std::set<std::uint64_t> all;
    for (const GenCall& call : RunText(program, scenario).log.gens) all.insert(call.seed);
    return all;
  };
  EXPECT_EQ(seeds(7).size(), 20u);
  EXPECT_EQ(seeds(7), seeds(7));
  EXPECT_NE(seeds(7), seeds(8));
}

TEST(ProgramTest, TheEntryIsMainUnlessTheFileHasRunItself) {
  EXPECT_EQ(RunText("def main(): return 1").result.returned, 1);
  EXPECT_FALSE(RunText("def main(): return 1\nmain()").result.has_return);
  EXPECT_EQ(RunText("def main(): print('once')\nif __name__ == '__main__': main()").output,
            "once\n");
  Scenario scenario;
  scenario.options.entry.emplace("g");
  scenario.calls = {{{"a", "[1, 2]"}, {"b", "plain text"}}};
  EXPECT_EQ(RunText("def g(a, b): return [a, b]", scenario).result.returned.dump(),
            R"([[1,2],"plain text"])");
  scenario.options.entry = "missing";
  EXPECT_NE(RunText("x = 1", scenario).result.status.message().find("no function missing"),
            std::string::npos);
  Scenario batch;
  batch.calls = {{{"a", "1"}}, {{"a", "x"}}, {{"a", "3"}}};
  const Ran rows = RunText("def main(a): return 10 // a", batch);
  EXPECT_EQ(rows.all[0].returned, 10);
  EXPECT_EQ(rows.all[1].status.message(),
            "TypeError: unsupported operand type(s) for //: 'int' and 'str'");
  EXPECT_EQ(rows.all[2].returned, 3);
}

TEST(ProgramTest, AnSglFunctionAsEntryGivesItsStateAway) {
  Scenario scenario{};
  scenario.options.entry.emplace("f");
  scenario.calls = {{{"q", "why"}}};
  const Ran ran = RunText(
      "@sgl.function\ndef f(s, q):\n  s += q + sgl.gen('x')\n  s['n'] = 3\n  return 'r'", scenario);
  EXPECT_EQ(ran.result.returned, "r");
  EXPECT_EQ(ran.result.variables.dump(), R"({"x":"<0>","n":3})");
  EXPECT_EQ(ran.result.text, "why<0>");
}

TEST(ProgramTest, ProgramsWithoutAGenMakeNoBackend) {
  Scenario scenario;
  auto program = LoadProgram("p.sgl", R"(
import sglang as sgl
sgl.set_default_backend(sgl.RuntimeEndpoint("http://localhost:30000"))
sgl.set_default_backend(sgl.OpenAI("gpt-4"))
@sgl.function
def f(s): s += "text"
print(f.run().text())
)");
  ASSERT_TRUE(program.ok());
  int num_made = 0;
  std::vector<std::string> notes;
  RunOptions options;
  options.make_backend = [&]() -> Result<std::unique_ptr<Backend>> {
    ++num_made;
    return Status(Code::kNotFound, "no model");
  };
  options.note = [&](std::string_view line) { notes.emplace_back(line); };
  EXPECT_TRUE(RunProgram(*program, options, {})[0].status.ok());
  EXPECT_EQ(num_made, 0);
  EXPECT_EQ(notes.size(), 1u);
}

TEST(ProgramTest, LimitsEndAProgramAndItsCalls) {
  Scenario scenario;
  scenario.options.limits.max_steps = 10'000;
  const Ran steps =
      RunText("@sgl.function\ndef f(s): s += sgl.gen('x')\nf.run()\nwhile True: pass", scenario);
  EXPECT_EQ(steps.result.status.code(), Code::kLimit);
  EXPECT_NE(steps.result.traceback.find("line 4"), std::string::npos) << steps.result.traceback;
  EXPECT_EQ(steps.log.num_cancelled, 1);
  Scenario memory;
  memory.options.limits.max_memory_mib = 8;
  EXPECT_EQ(RunText("x = []\nwhile True: x.append('abc' * 100)", memory).result.status.code(),
            Code::kLimit);
  Scenario time;
  time.options.limits.timeout_ms = 20;
  EXPECT_EQ(RunText("while True: pass", time).result.status.code(), Code::kLimit);
}

TEST(ProgramTest, ARowThatRaisesLeavesTheOthersAlone) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s, i):
    s += sgl.gen("x")
    if i == 1: raise ValueError(f"row {i}")
    s += sgl.gen("y")
    return s["x"]
states = f.run_batch([{"i": i} for i in range(3)])
print(states[0].ret_value, states[2].ret_value, states[1]["x"], repr(states[1].error()))
for read in [lambda s: s["y"], lambda s: s.text(), lambda s: s.ret_value]:
    try: read(states[1])
    except ValueError as e: print("caught", e)
states[1]["y"]
)");
  EXPECT_EQ(ran.output,
            "<0> <2> <1> ValueError('row 1')\ncaught row 1\ncaught row 1\ncaught row 1\n");
  EXPECT_EQ(ran.result.status.message(), "ValueError: row 1");
  EXPECT_NE(ran.result.traceback.find("raise ValueError(f\"row {i}\")"), std::string::npos);
  EXPECT_EQ(ran.log.gens.size(), 5u);
}

TEST(ProgramTest, GenChecksItsParameters) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"max_tokens=-1", "ValueError: max_tokens must be at least 0, not -1"},
      {"max_tokens=2000000000",
       "ValueError: max_tokens must be at most 1000000000, not 2000000000"},
      {"max_tokens=10**20",
       "ValueError: max_tokens must be at most 1000000000, not 100000000000000000000"},
      {"max_tokens=-10**20",
       "ValueError: max_tokens must be at least 0, not -100000000000000000000"},
      {"n=1000000000", "ValueError: n must be at most 128, not 1000000000"},
      {"temperature=10**20",
       "ValueError: temperature must be between 0 and 100, not 100000000000000000000"},
      {"temperature='hot'", "TypeError: temperature must be a number, not 'str'"},
      {"top_p=2", "ValueError: top_p must be between 0 and 1, not 2"},
      {"choices=[]", "ValueError: choices must not be empty"},
      {"choices=['a'], temperature=1",
       "ValueError: choices are scored, not sampled: temperature must be 0"},
      {"regex='a', json_schema='{}'", "ValueError: a gen takes one of regex, json_schema and ebnf"},
      {"max_token=3", "TypeError: gen() got an unexpected keyword argument 'max_token'"},
      {"dtype='list'", "ValueError: dtype must be int, float, str or bool"},
  };
  for (const auto& [parameters, message] : cases) {
    EXPECT_EQ(RunText("sgl.gen('x', " + parameters + ")").result.status.message(), message);
  }
  const Ran typed = RunText(
      "@sgl.function\ndef f(s):\n  s += sgl.gen_int('x') + sgl.gen('y', json_schema={'type': "
      "'object'}, n=None)\nf.run()");
  EXPECT_EQ(typed.log.gens[0].options.regex, "[-+]?[0-9]+[ \\n]*");
  EXPECT_EQ(typed.log.gens[1].options.json_schema, "{\"type\": \"object\"}");
}

}  // namespace
}  // namespace espalier::program
