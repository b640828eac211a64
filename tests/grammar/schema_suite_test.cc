// The JSON-Schema-Test-Suite against the graph of nodes: a plain validator over the nodes
// gives every verdict of the required tests of five drafts, so reading lost and added nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "grammar/schema/schema_document.h"
#include "tests/support/paths.h"
#include "tests/support/schema_oracle.h"
#include "tests/support/schema_text.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;
constexpr const char* kSuite = "data/json-schema-test-suite";

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fs::path> JsonFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

// The suite's remotes/, where its references expect them.
std::map<std::string, std::string> Remotes() {
  std::map<std::string, std::string> documents;
  const fs::path root = fs::path(test::SharedPath(kSuite)) / "remotes";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".json") continue;
    documents.emplace("http://localhost:1234/" + fs::relative(entry.path(), root).string(),
                      ReadFile(entry.path()));
  }
  return documents;
}

// std::regex reads bytes and knows no \p.
bool IsBeyondOracle(const std::string& schema) {
  const bool has_pattern = schema.find("attern") != schema.npos;
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  return has_pattern &&
         (!std::ranges::all_of(schema, is_ascii) || schema.find("\\\\p{") != schema.npos);
}

class SuiteDraft {
 public:
  explicit SuiteDraft(const std::string& draft) : remotes_(Remotes()) {
    settings_.default_draft = draft;
    settings_.documents = &remotes_;
  }

  // All groups of a file: the schemas have no problems and, if asked, the verdicts are right.
  enum class Check { kProblems, kVerdicts };
  void Run(const fs::path& file, Check check) {
    const Result<Json> groups = ParseJson(ReadFile(file), 64);
    ASSERT_TRUE(groups.ok()) << file;
    for (const Json& group : groups->elements) {
      const std::string text = CanonicalText(*group.Find("schema"));
      const std::string where = file.string() + ": " + group.Find("description")->string;
      const Result<SchemaDocument> document = SchemaDocument::Parse(text, settings_);
      ASSERT_TRUE(document.ok()) << where << ": " << document.status().message();
      EXPECT_EQ(test::ProblemsText(*document), "") << where;
      if (check == Check::kProblems || IsBeyondOracle(text)) continue;
      for (const Json& test : group.Find("tests")->elements) CheckVerdict(*document, test, where);
    }
  }

  int num_tests() const { return num_tests_; }

 private:
  void CheckVerdict(const SchemaDocument& document, const Json& test, const std::string& where) {
    ++num_tests_;
    const bool valid = test.Find("valid")->kind == Json::Kind::kTrue;
    EXPECT_EQ(test::SchemaOracle(document).Accepts(*test.Find("data")), valid)
        << where << ": " << test.Find("description")->string;
  }

  std::map<std::string, std::string> remotes_;
  SchemaSettings settings_;
  int num_tests_ = 0;
};

struct DraftCase {
  const char* draft;
  int min_tests;
};

class SchemaSuite : public testing::TestWithParam<DraftCase> {};

TEST_P(SchemaSuite, RequiredTestsGetTheirVerdicts) {
  ESP_NEEDS_SHARED(kSuite);
  const fs::path folder =
      fs::path(test::SharedPath(kSuite)) / "tests" / ("draft" + std::string(GetParam().draft));
  SuiteDraft suite(GetParam().draft);
  for (const fs::path& file : JsonFiles(folder)) suite.Run(file, SuiteDraft::Check::kVerdicts);
  EXPECT_GE(suite.num_tests(), GetParam().min_tests);
}

TEST_P(SchemaSuite, OptionalSchemasHaveNoProblems) {
  ESP_NEEDS_SHARED(kSuite);
  const fs::path folder = fs::path(test::SharedPath(kSuite)) / "tests" /
                          ("draft" + std::string(GetParam().draft)) / "optional";
  SuiteDraft suite(GetParam().draft);
  for (const fs::path& file : JsonFiles(folder)) suite.Run(file, SuiteDraft::Check::kProblems);
  for (const fs::path& file : JsonFiles(folder / "format")) {
    suite.Run(file, SuiteDraft::Check::kProblems);
  }
}

INSTANTIATE_TEST_SUITE_P(Drafts, SchemaSuite,
                         testing::Values(DraftCase{"4", 600}, DraftCase{"6", 820},
                                         DraftCase{"7", 900}, DraftCase{"2019-09", 1230},
                                         DraftCase{"2020-12", 1270}),
                         [](const auto& test) {
                           std::string name = test.param.draft;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(SchemaSuiteRealSchemas, HaveNoProblems) {
  ESP_NEEDS_SHARED("data/maskbench-dev");
  for (const fs::path& file : JsonFiles(test::SharedPath("data/maskbench-dev"))) {
    const Result<Json> json = ParseJson(ReadFile(file), 512);
    ASSERT_TRUE(json.ok()) << file;
    const auto document = SchemaDocument::Parse(CanonicalText(*json->Find("schema")), {});
    ASSERT_TRUE(document.ok()) << file << document.status().message();
    EXPECT_EQ(test::ProblemsText(*document), "") << file;
  }
}

}  // namespace
}  // namespace espalier
