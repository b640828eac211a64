// The front end of `regex`.
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
  ESP_ASSIGN_OR_RETURN(const RegexId regex,
                       CompilePattern(spec.text, PatternDialect::kPython, text));
  return NetworkResult(std::make_unique<RegexNetwork>(set, regex));
}

}  // namespace espalier
