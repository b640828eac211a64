#include "runtime/cli/schema_cases.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runtime/cli/json_parts.h"
#include "runtime/cli/json_spelling.h"
#include "runtime/cli/read_file.h"

namespace espalier {
namespace {

Status Wrong(std::string_view what) { return Status(Code::kDataLoss, std::string(what)); }

Result<SchemaTest> ReadTest(std::string_view text) {
  ESP_ASSIGN_OR_RETURN(const std::vector<JsonPart> members, ObjectMembers(text));
  SchemaTest test;
  std::string_view valid;
  for (const auto& [name, value] : members) {
    if (name == "description") {
      ESP_ASSIGN_OR_RETURN(test.description, StringOf(value, "a description"));
    } else if (name == "data") {
      test.instance = value;
    } else if (name == "valid") {
      valid = value;
    }
  }
  if (test.instance.empty()) return Wrong("a test without \"data\"");
  if (valid != "true" && valid != "false") return Wrong("a test's \"valid\" is no boolean");
  test.valid = valid == "true";
  return test;
}

Result<SchemaCase> ReadCase(std::string_view text) {
  ESP_ASSIGN_OR_RETURN(const std::vector<JsonPart> members, ObjectMembers(text));
  SchemaCase result;
  for (const auto& [name, value] : members) {
    if (name == "description") {
      ESP_ASSIGN_OR_RETURN(result.description, StringOf(value, "a description"));
    } else if (name == "schema") {
      result.schema = Respell(value, {.whitespace = JsonSpelling::Whitespace::kAfterSeparators});
    } else if (name == "tests") {
      ESP_ASSIGN_OR_RETURN(const auto tests, ArrayElements(value));
      for (const std::string_view test : tests) {
        ESP_ASSIGN_OR_RETURN(SchemaTest read, ReadTest(test));
        result.tests.push_back(std::move(read));
      }
    }
  }
  if (result.schema.empty()) return Wrong("a case without \"schema\"");
  return result;
}

Result<std::vector<SchemaCase>> ReadCases(std::string_view text) {
  if (!nlohmann::json::accept(text)) return Wrong("not JSON");
  std::vector<std::string_view> parts = {text};
  if (text[text.find_first_not_of(" \t\r\n")] == '[') {
    ESP_ASSIGN_OR_RETURN(parts, ArrayElements(text));
  }
  std::vector<SchemaCase> cases;
  for (const std::string_view part : parts) {
    ESP_ASSIGN_OR_RETURN(SchemaCase read, ReadCase(part));
    cases.push_back(std::move(read));
  }
  return cases;
}

}  // namespace

Result<std::vector<SchemaCase>> ReadSchemaCases(const std::string& path) {
  ESP_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  auto cases = ReadCases(text);
  if (cases.ok()) return cases;
  return Status(Code::kDataLoss, fmt::format("{}: {}", path, cases.status().message()));
}

Result<std::vector<std::string>> JsonFiles(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    const std::size_t before = files.size();
    std::error_code error;
    if (fs::is_regular_file(path, error)) files.push_back(path);
    for (fs::directory_iterator entry(path, error), end; !error && entry != end;
         entry.increment(error)) {
      if (entry->path().extension() == ".json") files.push_back(entry->path().string());
    }
    if (files.size() == before) {
      return Status(Code::kNotFound, path + ": no such file, and no folder with files *.json");
    }
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

}  // namespace espalier
