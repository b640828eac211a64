// What no comparison with CPython shows: limits inside one call of a module, hostile
// patterns, and what is refused by name.
#include <gtest/gtest.h>

#include <string>

#include "tests/frontend_lang/script_run.h"

namespace espalier::script {
namespace {

MachineOptions SmallLimits() {
  MachineOptions options;
  options.limits.max_steps = 2'000'000;
  options.limits.max_bytes = 32 << 20;
  return options;
}

TEST(ModulesTest, LimitsHoldInsideOneCall) {
  for (const std::string program : {
           "import itertools\nlist(itertools.product(range(100), repeat=10))",
           "import itertools\nlist(itertools.repeat(1))",
           "import itertools\nsum(itertools.count())",
           "import itertools\nlist(itertools.permutations(range(50)))",
           "import itertools\nitertools.product([1], repeat=10 ** 15)",
           "import itertools\nitertools.combinations_with_replacement([1], 10 ** 15)",
           "from collections import Counter\nlist(Counter(a=10 ** 15).elements())",
           "from collections import deque\ndeque([1]) * 10 ** 15",
           "from collections import deque\ndeque(iter(int, 1))",
           "import random\nrandom.choices([1], k=10 ** 15)",
           "import re\nre.sub('', 'x' * 10 ** 6, 'a' * 10 ** 4)",
           "import re\nre.escape('.' * 2 * 10 ** 7)",
           "import heapq\nheapq.merge(iter(int, 1))",
           "import functools\nfunctools.reduce(lambda a, b: a, iter(int, 1))",
           "import textwrap\ntextwrap.indent('a\\n' * 10 ** 5, 'b' * 10 ** 4)",
           "'a'.center(10 ** 12)",
           "f'{1:>{10 ** 12}}'",
           "'%*d' % (10 ** 12, 1)",
           "','.join(['a' * 10 ** 4] * 10 ** 5)",
           "'ab'.replace('', 'c' * 10 ** 7)",
           "'a\\t'.expandtabs(10 ** 12)",
           "'a'.translate({97: 'b' * 10 ** 7}) * 10",
       }) {
    EXPECT_EQ(RunScript(program, SmallLimits()).error.substr(0, 7), "limit: ") << program;
  }
}

TEST(ModulesTest, APatternThatRunsAwayIsALimitErrorThatNobodyCatches) {
  for (const std::string pattern : {"(a|aa)+$", "(a+)+$", "(a*)*$", "((a|a)*)*$", "(.*)*x\\\\1$"}) {
    const ScriptRun run = RunScript("import re\ntry:\n    re.search('" + pattern +
                                        "', 'a' * 60 + 'b')\nexcept BaseException:\n    pass",
                                    SmallLimits());
    if (run.error.empty()) continue;  // found out at once
    EXPECT_EQ(run.error.substr(0, 7), "limit: ") << pattern << "\n" << run.error;
  }
  EXPECT_EQ(RunScript("import re\nre.match('(a|aa)+$', 'a' * 60 + 'b')").error,
            "limit: a regular expression takes too many steps on this text; it backtracks without "
            "bound");
}

TEST(ModulesTest, DeepAndLargePatternsAreErrors) {
  for (const std::string pattern :
       {"'(' * 10 ** 5", "'(?:' * 10 ** 5 + ')' * 10 ** 5", "'(a' * 1000 + ')' * 1000",
        "'(?=' * 500 + ')' * 500", "'a{65536}'", "'(?:a{60000}){60000}'", "'[' * 10 ** 5"}) {
    const std::string error = RunScript("import re\nre.compile(" + pattern + ")").error;
    EXPECT_NE(error.find("rror: "), std::string::npos) << pattern;
  }
}

TEST(ModulesTest, WhatIsNotInTheLanguageIsRefusedByName) {
  for (const std::string name : {"input", "eval", "exec", "compile", "__import__", "globals",
                                 "locals", "breakpoint", "bytearray"}) {
    const std::string error = RunScript(name + "()").error;
    EXPECT_NE(error.find("PermissionError: " + name), std::string::npos) << error;
  }
  EXPECT_NE(RunScript("from math import nothing")
                .error.find("ImportError: cannot import name 'nothing' from 'math'"),
            std::string::npos);
}

TEST(ModulesTest, AttributesThatReachOutAreNotThereForOperatorEither) {
  for (const std::string call :
       {"operator.attrgetter('__class__')('')", "operator.attrgetter('a.__globals__')(len)",
        "operator.methodcaller('__reduce__')('')", "functools.partial(len).__globals__"}) {
    EXPECT_NE(RunScript("import operator, functools\n" + call).error, "") << call;
  }
}

}  // namespace
}  // namespace espalier::script
