// What SGLang's own programs rely on beside the primitives: names of its modules, options
// of run that a program has for itself, scoring without a token.
#include <string>

#include <gtest/gtest.h>

#include "tests/frontend_lang/program_run.h"

namespace espalier::program {
namespace {

TEST(SglangNamesTest, TypesAreThereForHintsAndIsinstance) {
  const Ran ran = RunText(R"(
from sglang.lang.interpreter import ProgramState, ProgramStateGroup, StreamExecutor
from sglang.lang.ir import SglExpr, SglFunction, SglGen, SglSelect, SglExprList
from sglang.lang.backend.base_backend import BaseBackend
from sglang.lang.backend.runtime_endpoint import Runtime, RuntimeEndpoint
from sglang.srt.server_args import ServerArgs
import sglang.lang.tracer
@sgl.function
def f(s: ProgramState, x: SglExpr = None) -> ProgramState:
    forks = s.fork(1)
    print(isinstance(s, ProgramState), isinstance(forks, ProgramStateGroup),
          isinstance(forks[0], ProgramState), isinstance(s, SglExpr), type(s) is ProgramState)
f.run()
gen = sgl.gen("x")
print([isinstance(gen, t) for t in (SglExpr, SglGen, SglSelect, SglExprList)])
print([isinstance(gen + "x", t) for t in (SglExpr, SglGen, SglExprList)])
print(isinstance(f, SglFunction), isinstance(RuntimeEndpoint("http://x"), BaseBackend))
print(ProgramState.__name__, ProgramState, sgl.__version__ >= "0.4")
try: ServerArgs(model_path="m")
except NotImplementedError as e: print(e)
)");
  EXPECT_EQ(ran.output,
            "True True True False True\n[True, True, False, False]\n[True, False, True]\n"
            "True True\nProgramState <class 'sglang.lang.interpreter.ProgramState'> True\n"
            "sglang.srt.server_args.ServerArgs is here for type hints and isinstance(); programs "
            "make none\n")
      << ran.result.traceback;
}

TEST(SglangNamesTest, ABenchmarkFindsWhatItImports) {
  const Ran ran = RunText(R"(
import argparse
from sglang.api import set_default_backend, gen, function
from sglang.lang.api import user
from sglang.test.test_utils import add_common_sglang_args_and_parse, select_sglang_backend
from sglang.utils import dump_state_text, read_jsonl, download_and_cache_file
from sglang.global_config import global_config
parser = argparse.ArgumentParser()
parser.add_argument("--num-questions", type=int, default=200)
args = add_common_sglang_args_and_parse(parser)
print(args.parallel, args.port, args.backend, args.result_file, args.raw_result_file,
      args.num_questions)
backend = select_sglang_backend(args)
set_default_backend(backend)
global_config.verbosity = 2
print(global_config.verbosity, global_config.default_backend.get_model_name())
print(backend.model_info["model_path"])
dump_state_text("tmp.txt", [])
for refused in [lambda: read_jsonl("x.jsonl"), lambda: download_and_cache_file("http://x")]:
    try: refused()
    except PermissionError as e: print("PermissionError")
)",
                          {.chat = {.name = "the model"}});
  EXPECT_EQ(ran.output,
            "64 30000 srt result.jsonl None 200\n2 the model\nthe model\n"
            "PermissionError\nPermissionError\n")
      << ran.result.traceback;
  EXPECT_EQ(ran.notes.back(), "dump_state_text: programs write no files; nothing was written");
}

TEST(SglangNamesTest, ExpressionsAndFunctionsAreShownAsSglangShowsThem) {
  const Ran ran = RunText(R"(
from sglang.lang.ir import REGEX_FLOAT, REGEX_INT
from sglang.utils import launch_server_cmd, wait_for_server
@sgl.function
def f(s, a, b=2): s += a
print(sgl.gen("x"), sgl.gen("x").name, sgl.gen(), "Q: " + sgl.gen("y"), sgl.user("hi"))
print(sgl.select("c", choices=["a", "b"]))
print(f.arg_names, f.arg_defaults, f.func.__name__, REGEX_INT == r"[-+]?[0-9]+[ \n]*")
try: launch_server_cmd("python -m sglang.launch_server")
except NotImplementedError as e: print(e)
)");
  EXPECT_EQ(ran.output,
            "Gen('x') x Gen('None') ExprList([Constant('Q: '), Gen('y')]) "
            "ExprList([RoleBegin(user), Constant('hi'), RoleEnd(user)])\n"
            "Select(c, choices=['a', 'b'], choices_method=token_length_normalized)\n"
            "['a', 'b'] [2] f True\n"
            "programs start and stop no servers; the model of the command line, or the server that "
            "it names, is there already\n")
      << ran.result.traceback;
}

TEST(SglangNamesTest, AParameterOfTheFunctionIsTheFunctions) {
  const Ran ran = RunText(R"(
@sgl.function
def f(s, question, n, *, stop="none"):
    s += question + sgl.gen("x")
    print(n, stop)
f.run(question="q", n=5, temperature=0.5, stop="here")
f.run_batch([{"question": "r", "n": 6}], n=2)
@sgl.function
def g(s, **rest):
    s += sgl.gen("x")
    print(rest)
g.run(n=3, other=1)
)");
  EXPECT_EQ(ran.output, "5 here\n6 none\n{'other': 1}\n") << ran.result.traceback;
  ASSERT_EQ(ran.log.gens.size(), 3u);
  EXPECT_FALSE(ran.log.gens[0].options.n);
  EXPECT_EQ(ran.log.gens[0].options.temperature, 0.5);
  EXPECT_TRUE(ran.log.gens[0].options.stop.empty());
  EXPECT_EQ(ran.log.gens[1].options.n, 2);
  EXPECT_EQ(ran.log.gens[2].options.n, 3);
}

TEST(SglangNamesTest, NoTokensWithLogprobsScoreWhatComesNext) {
  Scenario scenario;
  scenario.answer = [](const GenCall& call) {
    CallEvent event = Says(call.options.max_tokens == 1 ? "word" : "");
    if (call.options.max_tokens != 0) {
      event.outputs[0].logprobs = {{-0.5, 7, "word"}};
      event.outputs[0].top_logprobs = {{{-0.5, 7, "word"}, {-2, 9, "c"}}};
    }
    return event;
  };
  scenario.increments = 2;
  const Ran ran = RunText(R"(
@sgl.function
def f(s):
    s += "Q" + sgl.gen("top", max_tokens=0, return_logprob=True, top_logprobs_num=2,
                       return_text_in_logprobs=True)
    s += sgl.gen("none", max_tokens=0)
s = f.run()
print(s.get_meta_info("top")["output_top_logprobs"][0], [s["top"], s["none"], s.text()])
print(list(f.run(stream=True).text_iter()))
)",
                          scenario);
  EXPECT_EQ(ran.output, "[[-0.5, 7, 'word'], [-2.0, 9, 'c']] ['', '', 'Q']\n['Q']\n")
      << ran.result.traceback;
  EXPECT_EQ(ran.log.gens[1].options.max_tokens, 0);
}

}  // namespace
}  // namespace espalier::program
