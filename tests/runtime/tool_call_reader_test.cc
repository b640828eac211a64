#include "runtime/api/tool_call_reader.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/api/tool_format.h"

namespace espalier {
namespace {

struct Output {
  std::string mark;  // of the family
  std::string text;
  std::string free_text;
  std::vector<std::pair<std::string, std::string>> calls;
};

const std::vector<Output>& Outputs() {
  static const std::vector<Output> kOutputs = {
      {"<tool_call>",
       "Just text, with < and <tool_ in it.\n",
       "Just text, with < and <tool_ in it.\n",
       {}},
      {"<tool_call>",
       "Let me see.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"}\\\"{\", \"b\": "
       "[1]}}\n"
       "</tool_call>\n<tool_call>\n{\"name\": \"g\", \"arguments\": {}}\n</tool_call>",
       "Let me see.",
       {{"f", "{\"a\": \"}\\\"{\", \"b\": [1]}"}, {"g", "{}"}}},
      {"[TOOL_CALLS]",
       "[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {\"x\": {}}}, "
       "{\"name\": \"g\", \"arguments\": {\"y\": \"]\"}}]",
       "",
       {{"f", "{\"x\": {}}"}, {"g", "{\"y\": \"]\"}"}}},
      {"<|python_tag|>",
       "{\"name\": \"f\", \"parameters\": {\"q\": 1}}",
       "",
       {{"f", "{\"q\": 1}"}}},
      {"none", "Hm {\"tool\": \"f\", \"arguments\": {\"q\": 1}}", "Hm", {{"f", "{\"q\": 1}"}}},
      {"none", "{\"tool\": \"f\", \"arguments\": {\"q\": \"cut", "", {{"f", "{\"q\": \"cut"}}},
  };
  return kOutputs;
}

// Reads `text` in pieces of `size` bytes; what the pieces told, joined.
Output ReadInPieces(const Output& output, std::size_t size) {
  ToolCallReader reader(ToolFormatOf(output.mark));
  Output told{output.mark, output.text, "", {}};
  const auto add = [&](const ToolCallReader::News& news) {
    told.free_text += news.text;
    for (const auto& call : news.calls) {
      if (call.begins) told.calls.emplace_back(reader.calls()[call.call].name, "");
      told.calls.at(call.call).second += call.arguments;
    }
  };
  for (std::size_t at = 0; at < output.text.size(); at += size) {
    add(reader.Feed(output.text.substr(at, size)));
  }
  add(reader.Finish());
  for (std::size_t i = 0; i < told.calls.size(); ++i) {
    EXPECT_EQ(told.calls[i].second, reader.calls()[i].arguments);
  }
  return told;
}

TEST(ToolCallReaderTest, PiecesJoinedAreTheWholeHoweverItIsCut) {
  for (const Output& output : Outputs()) {
    for (std::size_t size = 1; size <= output.text.size(); ++size) {
      const Output told = ReadInPieces(output, size);
      EXPECT_EQ(told.free_text, output.free_text) << output.text << " in pieces of " << size;
      EXPECT_EQ(told.calls, output.calls) << output.text << " in pieces of " << size;
    }
  }
}

TEST(ToolCallReaderTest, AFamilyIsKnownByItsTemplate) {
  EXPECT_EQ(ToolFormatOf("... <tool_call> ...").name, "hermes");
  EXPECT_EQ(ToolFormatOf("{{ '[TOOL_CALLS]' }}").name, "mistral");
  EXPECT_EQ(ToolFormatOf("<|python_tag|>").name, "llama3");
  EXPECT_EQ(ToolFormatOf("{{ messages }}").name, "generic");
}

}  // namespace
}  // namespace espalier
