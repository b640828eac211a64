// Files of schemas with instances that are labelled valid or not: JSON-Schema-Test-Suite
// and MaskBench.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "kernels/base/status.h"

namespace espalier {

struct SchemaTest {
  std::string description;
  std::string instance;  // JSON, as the file spells it
  bool valid = false;
};

struct SchemaCase {
  std::string description;
  std::string schema;  // JSON, numbers with their digits, ", " and ": " between its tokens
  std::vector<SchemaTest> tests;
};

// {"description"?, "schema", "tests"?: [{"description"?, "data", "valid"}]}, or an array of
// such cases. kDataLoss names the file and what is wrong in it.
Result<std::vector<SchemaCase>> ReadSchemaCases(const std::string& path);

// The files *.json of `paths`: of folders, not of theirs; sorted. kNotFound names what is
// not there, or holds none.
Result<std::vector<std::string>> JsonFiles(const std::vector<std::string>& paths);

}  // namespace espalier
