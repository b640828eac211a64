// The front end of `choices`: one regex, a trie of their bytes.
#include <cstddef>
#include <string>
#include <vector>

#include "grammar/frontends.h"
#include "grammar/regex_network.h"
#include "kernels/base/utf8.h"

namespace espalier {
namespace {

std::string Name(std::size_t i) { return "choices[" + std::to_string(i) + "]"; }

Status CheckChoices(const std::vector<std::string>& choices, const GrammarLimits& limits) {
  if (choices.empty()) {
    return Status(Code::kInvalidArgument, "choices is empty; give at least one choice");
  }
  if (choices.size() > limits.max_choices) {
    return Status(Code::kLimit, "choices has " + std::to_string(choices.size()) +
                                    " entries; the limit is " + std::to_string(limits.max_choices));
  }
  std::size_t num_bytes = 0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const std::string& choice = choices[i];
    if (choice.empty()) return Status(Code::kInvalidArgument, Name(i) + " is empty");
    num_bytes += choice.size();
    if (num_bytes > limits.max_text_bytes) {
      return Status(Code::kLimit, "choices has more than " + std::to_string(limits.max_text_bytes) +
                                      " bytes in all, up to and with " + Name(i));
    }
    if (const std::size_t valid = ValidUtf8Prefix(choice); valid < choice.size()) {
      return Status(Code::kInvalidArgument,
                    Name(i) + " is not valid UTF-8 at byte " + std::to_string(valid));
    }
  }
  return Status();
}

}  // namespace

NetworkResult MakeChoiceNetwork(const ConstraintSpec& spec, const GrammarLimits& limits,
                                RegexSet& set, Fuel& /*fuel*/) {
  ESP_RETURN_IF_ERROR(CheckChoices(spec.choices, limits));
  return NetworkResult(std::make_unique<RegexNetwork>(set, set.Literals(spec.choices)));
}

}  // namespace espalier
