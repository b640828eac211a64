// The front end of `choices`: a trie of their bytes is the whole automaton.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/byte_trie.h"
#include "grammar/frontends.h"
#include "grammar/utf8.h"

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
    if (num_bytes > limits.max_choice_bytes) {
      return Status(Code::kLimit, "choices has more than " +
                                      std::to_string(limits.max_choice_bytes) +
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

CompiledResult CompileChoice(const ConstraintSpec& spec,
                             std::shared_ptr<const Vocabulary> vocabulary,
                             const GrammarLimits& limits) {
  ESP_RETURN_IF_ERROR(CheckChoices(spec.choices, limits));
  std::vector<std::string_view> sorted(spec.choices.begin(), spec.choices.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  auto grammar = std::make_shared<const CompiledGrammar>(ByteTrie(sorted), std::move(vocabulary));
  for (std::size_t i = 0; i < spec.choices.size(); ++i) {
    if (!grammar->CanSpell(spec.choices[i])) {
      return Status(Code::kUnsupported,
                    Name(i) + " cannot be written with the tokens of this model");
    }
  }
  return std::shared_ptr<const CompiledGrammar>(std::move(grammar));
}

}  // namespace espalier
