// Classes at their edges: recursion, limits, the sandbox, errors that nobody catches.
// What they do in ordinary programs stands in programs/.
#include <gtest/gtest.h>

#include <string>

#include "tests/frontend_lang/script_run.h"

namespace espalier::script {
namespace {

TEST(ClassesTest, RunawaySpecialMethodsEndInRecursionErrors) {
  for (const std::string program : {
           "class A:\n  def __repr__(self): return repr(self)\nprint(A())",
           "class A:\n  def __getattr__(self, n): return getattr(self, n)\nA().x",
           "class A:\n  def __eq__(self, o): return self == o\nA() == A()",
           "class A:\n  def __init__(self): A()\nA()",
           "class A:\n  def __call__(self): return self()\nA()()",
           "class A:\n  def __hash__(self): return hash(self)\n{A()}",
           "class A:\n  def __iter__(self): return iter(self)\nlist(A())",
           "class A:\n  @property\n  def x(self): return self.x\nA().x",
           "from dataclasses import dataclass\n@dataclass\nclass N:\n  n: object = None\n"
           "a = N(); a.n = a\nprint(a)",
           "c = object\nfor i in range(500):\n  c = type('C', (c,), {})",
       }) {
    EXPECT_NE(RunScript(program).error.find("RecursionError"), std::string::npos) << program;
  }
}

TEST(ClassesTest, MethodsRecurseAsDeepAsFunctions) {
  const ScriptRun run = RunScript(
      "class Node:\n  def __init__(self, next): self.next = next\n"
      "  def length(self): return 1 + (self.next.length() if self.next else 0)\n"
      "n = None\nfor i in range(950): n = Node(n)\nprint(n.length())");
  EXPECT_EQ(run.output, "950\n");
  EXPECT_EQ(run.error, "");
}

TEST(ClassesTest, ProgramsCannotReachTheMachineryOfClasses) {
  const std::string begin = "class A:\n  def f(self): pass\n";
  for (const std::string expression :
       {"A().__class__", "A.__mro__", "A.__bases__", "A().f.__globals__", "A.__subclasses__()",
        "getattr(A, '__dict__')", "getattr(A(), '__class__')", "setattr(A, '__bases__', ())",
        "'{0.__class__}'.format(A())", "type('X', (), {'__dict__': 1})",
        "A().__setattr__('__class__', 1)"}) {
    EXPECT_NE(RunScript(begin + expression).error, "") << expression;
  }
}

TEST(ClassesTest, MemoryOfAttributesIsCounted) {
  MachineOptions options;
  options.limits.max_bytes = 32 << 20;
  for (const std::string program :
       {"class A: pass\na = A()\ni = 0\nwhile True:\n  setattr(a, 'k%d' % i, i); i += 1",
        "class A: pass\ni = 0\nwhile True:\n  setattr(A, 'k%d' % i, i); i += 1",
        "class A:\n  def __init__(self): self.me = self\nwhile True: A()",
        "x = []\nwhile True: x.append(type('A', (), {}))"}) {
    EXPECT_EQ(RunScript(program, options).error.substr(0, 7), "limit: ") << program;
  }
}

TEST(ClassesTest, UncaughtErrorsBearTheNameOfTheirClass) {
  const ScriptRun run = RunScript(
      "class Bad(Exception):\n  def __init__(self, code):\n"
      "    super().__init__(f'code {code}')\n"
      "class T:\n  def go(self): raise Bad(7)\nT().go()");
  EXPECT_EQ(run.error,
            "Traceback (most recent call last):\n"
            "  File \"p.sgl\", line 6, in <module>\n    T().go()\n"
            "  File \"p.sgl\", line 5, in go\n    def go(self): raise Bad(7)\n"
            "                  ^^^^^^^^^^^^\n"
            "Bad: code 7\n");
}

TEST(ClassesTest, ModelsOfDeepOrCyclicInputEndInAnError) {
  const std::string model =
      "from pydantic import BaseModel\nfrom typing import Union\n"
      "class A(BaseModel):\n  a: Union[int, 'A', list['A'], dict[str, 'A']]\n";
  EXPECT_NE(RunScript(model + "d = {}\nd['a'] = d\nA(**d)").error, "");
  EXPECT_NE(RunScript(model + "d = 'x'\nfor i in range(60): d = {'a': [d]}\nA(**d)").error, "");
  EXPECT_NE(RunScript(model + "A.model_validate_json('[' * 100000)").error, "");
  EXPECT_NE(RunScript(model + "A.model_validate_json('{\"a\":' * 150)").error, "");
}

TEST(ClassesTest, OptionsOfFieldThatWouldDoNothingAreRefusedByName) {
  for (const char* option : {"validate_default", "deprecated", "union_mode"}) {
    const ScriptRun run = RunScript(std::string("from pydantic import BaseModel, Field\n"
                                                "class M(BaseModel):\n  x: int = Field(1, ") +
                                    option + "=True)\n");
    EXPECT_NE(run.error.find(std::string("NotImplementedError: Field(") + option),
              std::string::npos)
        << run.error;
  }
}

}  // namespace
}  // namespace espalier::script
