// The three rules that turn the log-probabilities of choices into a winner.
//
// Source: SGLang, lang/choices.py: token_length_normalized, greedy_token_selection,
// unconditional_likelihood_normalized.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace espalier {

enum class ChoicesMethod : unsigned char {
  kTokenLengthNormalized,              // the highest mean log-probability
  kGreedyTokenSelection,               // token by token, the highest of those left
  kUnconditionalLikelihoodNormalized,  // the highest mean gain over no prompt at all
};

std::optional<ChoicesMethod> FindChoicesMethod(std::string_view name);

struct ChoiceDecision {
  std::size_t winner = 0;           // the first of equals
  std::vector<double> scores;       // one a choice; of greedy_token_selection: the mean
  std::vector<double> probability;  // softmax of the scores
};

// conditional, unconditional: [choices][tokens]; NaN (the first token of a text)
// counts as 0. REQUIRES: a choice, and for the last rule equal lengths in both.
ChoiceDecision Decide(ChoicesMethod method, const std::vector<std::vector<double>>& conditional,
                      const std::vector<std::vector<double>>& unconditional);

}  // namespace espalier
