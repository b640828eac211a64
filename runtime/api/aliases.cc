#include "runtime/api/aliases.h"

#include <utility>

namespace espalier {
namespace {

// (theirs, ours)
constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"text", "prompt"},
    {"input", "prompt"},
    {"input_ids", "ids"},
    {"prompt_token_ids", "ids"},
    {"max_tokens", "max_new_tokens"},
    {"max_completion_tokens", "max_new_tokens"},
    {"max_length", "max_new_tokens"},
    {"min_tokens", "min_new_tokens"},
    {"sampling_seed", "seed"},
    {"logprobs", "top_logprobs_num"},
    {"extra_key", "cache_salt"},
    {"schema", "json_schema"},
    {"grammar", "ebnf"},
    {"guided_json", "json_schema"},
    {"guided_regex", "regex"},
    {"guided_choice", "choices"},
    {"guided_grammar", "ebnf"},
};

}  // namespace

std::string_view NativeKey(std::string_view name) {
  for (const auto& [theirs, ours] : kAliases) {
    if (name == theirs) return ours;
  }
  return name;
}

}  // namespace espalier
