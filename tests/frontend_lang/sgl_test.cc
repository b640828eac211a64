// The embedded C++ language against a backend whose answers are scripted.
#include "frontend_lang/sgl.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/frontend_lang/fake_backend.h"

namespace espalier::sgl {
namespace {

using program::FakeBackend;
using program::FakeLog;

// Answers a gen with what follows the last '?' of its prompt, in brackets.
CallEvent Echo(const GenCall& call) {
  CallEvent event;
  const std::string prompt = call.prompt.Text();
  const std::string asked = prompt.substr(prompt.rfind('?') + 1);
  for (int i = 0; i < call.options.n.value_or(1); ++i) {
    event.outputs.push_back({.text = "[" + asked + "]", .finish_reason = "stop"});
  }
  return event;
}

class Sgl : public testing::Test {
 protected:
  Sgl() : backend(log) { backend.answer = Echo; }

  FakeLog log;
  FakeBackend backend;
};

TEST_F(Sgl, ACallGivesItsTextAndVariables) {
  const Program program("ask", {"what"}, [](State& s) {
    s += "Say?" + s.Arg("what");
    s += Gen("answer", {.regex = ".*", .max_tokens = 5}) + "!";
  });
  const ProgramResult run = program.Call(backend, {{"what", "yes"}});
  ASSERT_TRUE(run.status.ok()) << run.status.message();
  EXPECT_EQ(run.text, "Say?yes[yes]!");
  EXPECT_EQ(run.Text("answer"), "[yes]");
  ASSERT_EQ(log.gens.size(), 1u);
  EXPECT_EQ(log.gens[0].options.regex, ".*");
  EXPECT_EQ(log.gens[0].options.max_tokens, 5);
}

TEST_F(Sgl, RolesSpeakTheModelsFormat) {
  backend.chat.chat_format = "chatml";
  const Program program("chat", {}, [](State& s) {
    s += System("Be brief.");
    s += User("Hi?x");
    s += Assistant(Gen("answer"));
  });
  const ProgramResult run = program.Call(backend, {});
  ASSERT_TRUE(run.status.ok()) << run.status.message();
  EXPECT_NE(run.text.find("<|im_start|>user\nHi?x<|im_end|>"), std::string::npos);
  ASSERT_EQ(run.messages.size(), 3u);
  EXPECT_EQ(run.messages[2].role, "assistant");
  EXPECT_EQ(run.messages[2].content, run.Text("answer"));
}

TEST_F(Sgl, AForkKeepsTheErrorThatItHadFirst) {
  backend.answer = [](const GenCall&) {
    CallEvent event;
    event.status = Status(Code::kInternal, "broken");
    return event;
  };
  std::string own, inherited;
  const Program program("forks", {}, [&](State& s) {
    s += Gen("x");
    Forks forks = s.Fork(2);
    forks[0].Fail(Status(Code::kInvalidArgument, "its own"));
    inherited = forks[1].status().message();
    own = forks[0].status().message();
  });
  EXPECT_EQ(program.Call(backend, {}).status.message(), "gen \"x\" failed: broken");
  EXPECT_EQ(inherited, "gen \"x\" failed: broken");
  EXPECT_EQ(own, "RuntimeError: its own");
}

TEST_F(Sgl, ForksRunAtOnceAndJoinIntoLists) {
  const Program program("forks", {}, [](State& s) {
    s += "Base";
    Forks forks = s.Fork(3);
    for (std::size_t i = 0; i < forks.size(); ++i) {
      forks[i] += "?" + std::to_string(i) + Gen("part");
    }
    forks.Join();
    const std::vector<std::string> parts = s.All("part");
    s.Set("joined", parts.at(0) + parts.at(1) + parts.at(2));
  });
  const ProgramResult run = program.Call(backend, {});
  ASSERT_TRUE(run.status.ok()) << run.status.message();
  EXPECT_EQ(run.Text("joined"), "[0][1][2]");
  EXPECT_EQ(run.text, "Base");
  EXPECT_EQ(log.most_unfinished, 3u);
}

TEST_F(Sgl, AJoinMayAppendTheForksTexts) {
  const Program program("forks", {}, [](State& s) {
    s += "a";
    Forks forks = s.Fork(2);
    forks[0] += "b";
    forks[1] += "c";
    forks.Join(JoinMode::kConcateAndAppend);
  });
  EXPECT_EQ(program.Call(backend, {}).text, "abc");
}

TEST_F(Sgl, SelectTakesTheLikeliestChoice) {
  backend.score = [](const std::string& choice, bool) {
    return std::vector<double>{choice == "no" ? -1.0 : -2.0};
  };
  const Program program("select", {}, [](State& s) {
    s += "Is it? " + Select("word", {"yes", "no"});
    if (s["word"] == "no") s += " (sorry)";
  });
  EXPECT_EQ(program.Call(backend, {}).text, "Is it? no (sorry)");
}

TEST_F(Sgl, RowsOfABatchRunAtOnceAndFailAlone) {
  const Program program("rows", {"x"}, [](State& s) {
    if (s.Arg("x") == "bad") s.Fail(Status(Code::kInvalidArgument, "x is bad"));
    s += "?" + s.Arg("x") + Gen("answer");
  });
  int last_done = 0;
  const std::vector<ProgramResult> runs =
      program.CallBatch(backend, {{{"x", "1"}}, {{"x", "bad"}}, {{"y", "2"}}, {{"x", "3"}}},
                        {.progress = [&last_done](int done, int) { last_done = done; }});
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(runs[0].Text("answer"), "[1]");
  EXPECT_NE(runs[1].status.message().find("x is bad"), std::string::npos);
  EXPECT_NE(runs[2].status.message().find("argument x is missing"), std::string::npos);
  EXPECT_EQ(runs[3].Text("answer"), "[3]");
  EXPECT_EQ(log.most_unfinished, 2u);
  EXPECT_EQ(last_done, 4);
}

TEST_F(Sgl, AFailedGenEndsTheStateAndIsNamed) {
  backend.answer = [](const GenCall&) {
    CallEvent event;
    event.status = Status(Code::kLimit, "too long");
    return event;
  };
  bool went_on = false;
  const Program program("fails", {}, [&went_on](State& s) {
    s += "x" + Gen("answer");
    EXPECT_EQ(s["answer"], "");
    went_on = true;
    s += Gen("more");
  });
  const ProgramResult run = program.Call(backend, {});
  EXPECT_TRUE(went_on);
  EXPECT_FALSE(run.status.ok());
  EXPECT_NE(run.status.message().find("answer"), std::string::npos) << run.status.message();
  EXPECT_NE(run.status.message().find("too long"), std::string::npos) << run.status.message();
  EXPECT_EQ(log.gens.size(), 1u);
}

TEST_F(Sgl, AnUnknownNameFailsTheState) {
  const Program reads("reads", {}, [](State& s) { EXPECT_EQ(s["nothing"], ""); });
  EXPECT_NE(reads.Call(backend, {}).status.message().find("nothing"), std::string::npos);
  const Program argument("argument", {}, [](State& s) { s += s.Arg("nothing"); });
  EXPECT_NE(argument.Call(backend, {}).status.message().find("Arg(\"nothing\")"),
            std::string::npos);
  const Program forks("forks", {}, [](State& s) { EXPECT_EQ(s.Fork(0).size(), 0u); });
  EXPECT_FALSE(forks.Call(backend, {}).status.ok());
}

TEST_F(Sgl, AProgramGoesOnWithAnothersState) {
  const Program greet("greet", {"name"}, [](State& s) { s += "Hello " + s.Arg("name"); });
  const Program both("both", {"name"}, [&greet](State& s) {
    greet.CallOn(s, {{"name", s.Arg("name") + "!"}});
    s += " Bye " + s.Arg("name");
  });
  EXPECT_EQ(both.Call(backend, {{"name", "Ada"}}).text, "Hello Ada! Bye Ada");
}

TEST_F(Sgl, TheSameSeedDrawsTheSame) {
  const Program program("seeds", {}, [](State& s) {
    Forks forks = s.Fork(2);
    for (State& fork : forks) fork += Gen("x");
    forks.Join();
  });
  (void)program.Call(backend, {}, {.seed = 7});
  (void)program.Call(backend, {}, {.seed = 7});
  (void)program.Call(backend, {}, {.seed = 8});
  ASSERT_EQ(log.gens.size(), 6u);
  EXPECT_EQ(log.gens[0].seed, log.gens[2].seed);
  EXPECT_NE(log.gens[0].seed, log.gens[1].seed);
  EXPECT_NE(log.gens[0].seed, log.gens[4].seed);
}

TEST_F(Sgl, SeveralChoicesOfOneGenAreAll) {
  const Program program("many", {}, [](State& s) {
    s += "?x" + Gen("x", {.n = 2});
    EXPECT_EQ(s.All("x"), (std::vector<std::string>{"[x]", "[x]"}));
  });
  EXPECT_TRUE(program.Call(backend, {}).status.ok());
}

}  // namespace
}  // namespace espalier::sgl
