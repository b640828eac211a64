// The front end of `regex`.
#include <string>

#include "grammar/frontends.h"
#include "grammar/regex/pattern.h"
#include "grammar/regex_network.h"

namespace espalier {

NetworkResult MakeRegexNetwork(const ConstraintSpec& spec, const GrammarLimits& limits,
                               RegexSet& set, Fuel& /*fuel*/) {
  if (spec.text.size() > limits.max_pattern_bytes) {
    return Status(Code::kLimit,
                  "regex: longer than " + std::to_string(limits.max_pattern_bytes) + " bytes");
  }
  TextRegex text(set, Spelling::kUtf8);
  const Result<RegexId> regex = CompilePattern(spec.text, PatternDialect::kPython, text);
  if (!regex.ok()) {
    return Status(regex.status().code(), "regex: " + regex.status().message());
  }
  return NetworkResult(std::make_unique<RegexNetwork>(set, regex.value()));
}

}  // namespace espalier
