// Labels of test suites that two independent validators contradict (jsonschema 4.26 and
// jsonschema-rs 0.61): whoever is right, they measure no one.
//
// tests/conformance/labels.py finds them again.
//
// Thread safety: pure functions.
#pragma once

#include <string_view>

namespace espalier {

// Why the label of a test is doubtful; empty if it is not. `file` is a path that ends as the
// file's does in its suite; tests are named by their descriptions.
std::string_view DoubtAbout(std::string_view file, std::string_view of_case, std::string_view test);

}  // namespace espalier
