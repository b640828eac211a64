// The JSON Schema test suite, byte by byte: no invalid instance is accepted, and the
// number of right answers only grows.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "grammar/schema/schema_network.h"
#include "tests/grammar/network_reader.h"
#include "tests/support/paths.h"

namespace espalier {
namespace {

using nlohmann::ordered_json;

struct Score {
  int right = 0, false_positives = 0, false_negatives = 0, refused = 0;
};

ordered_json ReadJson(const std::filesystem::path& path) {
  std::ifstream in(path);
  return ordered_json::parse(in);
}

std::map<std::string, std::string> ReadRemotes(const std::string& root) {
  std::map<std::string, std::string> documents;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = std::filesystem::relative(entry.path(), root).generic_string();
    documents["http://localhost:1234/" + name] = ReadJson(entry.path()).dump();
  }
  return documents;
}

class Suite {
 public:
  Suite(std::string draft, FormatUse format) : draft_(std::move(draft)), format_(format) {
    remotes_ = ReadRemotes(test::SharedPath("data/json-schema-test-suite/remotes"));
  }

  void Run(const std::filesystem::path& file) {
    for (const ordered_json& group : ReadJson(file)) {
      RunCase(group, file.filename().string() + ": " + group["description"].get<std::string>());
    }
  }

  Score score;
  std::string log;

 private:
  void RunCase(const ordered_json& group, const std::string& name) {
    SchemaSettings reading;
    reading.default_draft = draft_;
    reading.documents = &remotes_;
    Fuel fuel(50'000'000);
    RegexSet set(fuel);
    Result<SchemaDocument> document = SchemaDocument::Parse(group["schema"].dump(), reading);
    SchemaNetworkResult result;
    if (document.ok()) {
      result = MakeSchemaNetwork(
          std::move(document).value(),
          {JsonWhitespace::kFlexible, PropertyOrder::kAny, format_, JsonForms::kAny}, set, fuel);
    } else {
      result.problems.push_back({Code::kInvalidArgument, "", document.status().message()});
    }
    for (const ordered_json& test : group["tests"]) Judge(result, set, test, name);
  }

  // A schema that no value satisfies may be refused if no instance is valid.
  void Judge(SchemaNetworkResult& result, RegexSet& set, const ordered_json& test,
             const std::string& name) {
    const bool valid = test["valid"].get<bool>();
    const std::string label = name + " / " + test["description"].get<std::string>();
    if (result.network == nullptr) {
      const SchemaProblem& problem = result.problems.front();
      if (problem.message == "no value satisfies the schema") {
        ++(valid ? score.false_negatives : score.right);
        if (valid) log += "FN (unsatisfiable) " + label + "\n";
      } else {
        ++score.refused;
        log += "refused " + label + ": " + problem.pointer + " " + problem.message + "\n";
      }
      return;
    }
    const bool accepted = test::NetworkReader(*result.network, set).Accepts(test["data"].dump());
    if (accepted == valid) {
      ++score.right;
    } else {
      ++(valid ? score.false_negatives : score.false_positives);
      log += (valid ? "FN " : "FP ") + label + "\n";
    }
  }

  const std::string draft_;
  const FormatUse format_;
  std::map<std::string, std::string> remotes_;
};

struct Expected {
  const char* draft;
  int right;  // only ever raised
};

class SchemaNetworkSuite : public testing::TestWithParam<Expected> {};

TEST_P(SchemaNetworkSuite, RequiredPartHasNoFalsePositives) {
  ESP_NEEDS_SHARED("data/json-schema-test-suite/tests");
  const std::string root = test::SharedPath("data/json-schema-test-suite/tests");
  const std::string draft = GetParam().draft;
  Suite suite(draft, FormatUse::kAnnotate);
  const std::string folder = root + "/draft" + draft;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") suite.Run(entry.path());
  }
  EXPECT_EQ(suite.score.false_positives, 0) << suite.log;
  EXPECT_GE(suite.score.right, GetParam().right) << suite.log;
  RecordProperty("right", suite.score.right);
  RecordProperty("false_negatives", suite.score.false_negatives);
  RecordProperty("refused", suite.score.refused);
}

INSTANTIATE_TEST_SUITE_P(Drafts, SchemaNetworkSuite,
                         testing::Values(Expected{"2020-12", 1299}, Expected{"2019-09", 1259},
                                         Expected{"7", 927}, Expected{"6", 839},
                                         Expected{"4", 618}),
                         [](const testing::TestParamInfo<Expected>& info) {
                           std::string name = std::string("Draft") + info.param.draft;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace espalier
