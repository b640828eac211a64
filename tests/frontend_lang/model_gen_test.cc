// Models as constraints of a gen: the class, its schema as text, the pattern made of it.
#include <gtest/gtest.h>

#include <string>

#include "tests/frontend_lang/program_run.h"

namespace espalier::program {
namespace {

TEST(ModelGenTest, EveryWayToNameAModelAsksForItsSchema) {
  const Ran ran = RunText(R"(
import json
from pydantic import BaseModel
from sglang.srt.constrained.outlines_backend import build_regex_from_object
class M(BaseModel):
    b: int
    a: str
@sgl.function
def f(s):
    s += sgl.gen("x", json_schema=M)
    s += sgl.gen("y", json_schema=json.dumps(M.model_json_schema()))
    s += sgl.gen("z", regex=build_regex_from_object(M))
st = f.run()
print(st["z"])
)");
  EXPECT_TRUE(ran.result.status.ok()) << ran.result.traceback;
  ASSERT_EQ(ran.log.gens.size(), 3u);
  for (const auto& gen : ran.log.gens) {
    EXPECT_EQ(gen.options.json_schema,
              "{\"properties\": {\"b\": {\"title\": \"B\", \"type\": \"integer\"}, "
              "\"a\": {\"title\": \"A\", \"type\": \"string\"}}, \"required\": [\"b\", \"a\"], "
              "\"title\": \"M\", \"type\": \"object\"}");
    EXPECT_FALSE(gen.options.regex.has_value());
  }
}

}  // namespace
}  // namespace espalier::program
