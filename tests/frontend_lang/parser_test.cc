// The parser accepts what it should, and says where and why it does not.
#include "frontend_lang/script/syntax/parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace espalier::script {
namespace {

// "" for a program, otherwise what Describe says.
std::string ProblemOf(const std::string& text) {
  auto source = Source::FromText("p.sgl", text);
  if (!source.ok()) return source.status().message();
  const ParseResult result = Parse(*source);
  const auto* problem = std::get_if<SyntaxProblem>(&result);
  return problem == nullptr ? "" : Describe(*problem, **source);
}

TEST(ParserTest, AcceptsEveryStatementOfTheLanguage) {
  const std::vector<std::string> programs = {
      "",
      "\n\n# only a comment",
      "x = 1; y = 2\n",
      "x = y = [1, *range(3)]",
      "a, (b, *c), d.e, f[0] = value",
      "def f(a, b: int = 1, /, c=2, *args: str, d, e=3, **kw) -> None:\n  return",
      "def g(*, a): pass",
      "f = lambda a, *b, c=1, **d: (a, b)",
      "if a:\n  pass\nelif b:\n  pass\nelse:\n  pass",
      "for i, *j in x:\n  break\nelse:\n  pass",
      "while (n := f()) > 1: continue",
      "try:\n  pass\nexcept (A, B) as e:\n  raise\nexcept:\n  raise X from e\nelse: pass\nfinally: "
      "pass",
      "with a as b, c() as (d, e):\n  pass",
      "with (a as b, c):\n  pass",
      "with (a, b):\n  pass",
      "with (a).b:\n  pass",
      "assert x, 'no'",
      "del a, b[0], c.d",
      "import json, sglang as sgl\nfrom math import (pi, sqrt as root,)",
      "@a.b(1)\n@c\ndef f():\n  global x\n  nonlocal_ = 1",
      "x: list[str] = []\ny: int",
      "x += 1; x **= 2; x //= 3; x <<= 1",
      "[i for i in x if i if not i for j in i]",
      "{k: v for k, v in x}; {i for i in x}; (i for i in x); f(i for i in x)",
      "x[1:2, ::3]; x[:]; x[a:=1]",
      "f(*a, b, c=1, **d, e=2)",
      "not a == b < c is not d not in e",
      "a if b else c if d else e",
      "f'{x!r:>{width}} {{}} {y=} {d[\"k\"]}' \"plain\" r'\\d'",
      "f'''{\n  x\n}'''",
      "x = (yield)\ny = yield 1",
      "match = 1; match[0]; match(x)",
      "...",
  };
  for (const std::string& program : programs) EXPECT_EQ(ProblemOf(program), "") << program;
}

struct Case {
  std::string program, problem;
};

TEST(ParserTest, PointsAtTheTokenThatIsWrong) {
  const std::vector<Case> cases = {
      {"x = (1,\ny = 2\n",
       "1, column 5\n    x = (1,\n        ^\nSyntaxError: '(' was never closed\n"},
      {"f() = 1",
       "1, column 1\n    f() = 1\n    ^^^\nSyntaxError: cannot assign to function call here. Maybe "
       "you "
       "meant '==' instead of '='?\n"},
      {"if x = 1:\n  pass",
       "1, column 4\n    if x = 1:\n       ^^^\nSyntaxError: invalid syntax. Maybe you meant '==' "
       "or "
       "':=' instead of '='?\n"},
      {"if x\n  pass", "1, column 5\n    if x\n        ^\nSyntaxError: expected ':'\n"},
      {"if x:\npass",
       "2, column 1\n    pass\n    ^^^^\nIndentationError: expected an indented block after 'if' "
       "statement on line 1\n"},
      {"  x = 1", "1, column 3\n    x = 1\n    ^\nIndentationError: unexpected indent\n"},
      {"if x:\n    a\n  b",
       "3, column 3\n    b\n    ^\nIndentationError: unindent does not match any outer indentation "
       "level\n"},
      {"x = 'abc",
       "1, column 5\n    x = 'abc\n        ^\nSyntaxError: unterminated string literal (detected "
       "at "
       "line 1)\n"},
      {"[1 2]",
       "1, column 2\n    [1 2]\n     ^^^\nSyntaxError: invalid syntax. Perhaps you forgot a "
       "comma?\n"},
      {"x = 0777",
       "1, column 5\n    x = 0777\n        ^^^^\nSyntaxError: leading zeros in decimal integer "
       "literals "
       "are not permitted; use an 0o prefix for octal integers\n"},
      {"é = 1 $", "1, column 7\n    é = 1 $\n          ^\nSyntaxError: invalid syntax\n"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ProblemOf(c.program), "  File \"p.sgl\", line " + c.problem) << c.program;
  }
}

TEST(ParserTest, RefusesByNameWhatTheLanguageLacks) {
  const std::vector<Case> cases = {
      {"class A:\npass", "expected an indented block after class definition on line 1"},
      {"class A(:\n  pass", "invalid syntax"},
      {"x = 1j", "complex numbers are not in the language"},
      {"from . import x", "relative imports are not in the language"},
      {"try: pass\nexcept A: pass\nexcept* B: pass", "cannot have both 'except' and 'except*'"},
  };
  for (const Case& c : cases) {
    const std::string problem = ProblemOf(c.program);
    EXPECT_NE(problem.find(c.problem), std::string::npos) << c.program << "\n" << problem;
    EXPECT_NE(problem.find("^"), std::string::npos) << problem;
  }
}

TEST(ParserTest, BoundsNestingInEveryDirection) {
  const auto repeat = [](const std::string& text, int n) {
    std::string all;
    for (int i = 0; i < n; ++i) all += text;
    return all;
  };
  for (const std::string& deep :
       {repeat("(", 100000), repeat("[", 5000) + repeat("]", 5000), repeat("-", 100000) + "1",
        repeat("not ", 100000) + "1", "x" + repeat("[0]", 100000), "x" + repeat(".a", 100000),
        "1" + repeat("+1", 100000), "1" + repeat("**1", 100000), repeat("lambda:", 100000) + "1",
        "x" + repeat("()", 100000), repeat("f'{", 1000), "1" + repeat(" if 1 else 1", 100000),
        repeat("{1:", 5000)}) {
    EXPECT_NE(ProblemOf(deep), "") << deep.substr(0, 20);
  }
  std::string indented;
  for (int i = 0; i < 200; ++i)
    indented += std::string(static_cast<std::size_t>(i), ' ') + "if x:\n";
  EXPECT_NE(ProblemOf(indented).find("too many levels of indentation"), std::string::npos);
  EXPECT_EQ(ProblemOf("x = 1" + repeat("+1", 900)), "");
  EXPECT_EQ(ProblemOf("if a: b\n" + repeat("elif a: b\n", 20000)), "");
}

}  // namespace
}  // namespace espalier::script
