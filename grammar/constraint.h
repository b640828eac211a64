// What a request asks the output to look like, before anything is compiled.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace espalier {

enum class ConstraintKind : std::uint8_t { kNone, kChoice, kRegex, kJsonSchema, kEbnf };

struct ConstraintSpec {
  ConstraintKind kind = ConstraintKind::kNone;
  std::string text;                  // pattern, schema or grammar
  std::vector<std::string> choices;  // kChoice
};

}  // namespace espalier
