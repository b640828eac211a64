// Where tests find what the project does not carry: the default model and the
// shared folder (golden/, data/). Absent ones skip the test by name, or fail it
// where ESPALIER_REQUIRE_MODEL=1 says that they must be there.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace espalier::test {

inline std::string Env(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

// The default model's file, or "" if it is not on this machine.
inline std::string DefaultModelPath() {
  std::string cache = Env("ESPALIER_CACHE");
  if (cache.empty()) cache = Env("HOME") + "/.cache/espalier";
  const std::string path = cache + "/models/SmolLM2-135M-Instruct.Q4_1.gguf";
  return std::filesystem::exists(path) ? path : "";
}

// A path below the shared folder ($ESPALIER_SHARED), or "" if it is not there.
inline std::string SharedPath(const std::string& relative) {
  const std::string root = Env("ESPALIER_SHARED");
  if (root.empty() || !std::filesystem::exists(root + "/" + relative)) return "";
  return root + "/" + relative;
}

// A file of this repository: a fixture beside the tests.
inline std::string RepositoryPath(const std::string& relative) {
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  return (root / relative).string();
}

inline bool ModelRequired() { return Env("ESPALIER_REQUIRE_MODEL") == "1"; }

}  // namespace espalier::test

// First line of a test that needs the real model, or a path of the shared folder.
#define ESP_NEEDS_MODEL()                                                           \
  if (::espalier::test::DefaultModelPath().empty()) {                               \
    if (::espalier::test::ModelRequired()) FAIL() << "the default model is absent"; \
    GTEST_SKIP() << "the default model is absent";                                  \
  }
#define ESP_NEEDS_SHARED(relative)                    \
  if (::espalier::test::SharedPath(relative).empty()) \
  GTEST_SKIP() << "ESPALIER_SHARED has no " << (relative)
