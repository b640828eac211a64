// How select picks among choices, from the log-probabilities of their tokens.
//
// Source: SGLang's three rules (token_length_normalized, greedy_token_selection,
// unconditional_likelihood_normalized).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "frontend_lang/backend.h"
#include "frontend_lang/program/segment.h"

namespace espalier::program {

struct Decision {
  std::size_t choice = 0;
  std::vector<double> scores;  // of each choice, as the rule compares them
  std::vector<double> means;   // mean log-probability of each choice's tokens
  // kGreedyTokenSelection: a row a choice, as long as the longest one; what a shorter one
  // lacks is its own mean.
  std::vector<std::vector<double>> greedy_matrix;
};

using TokenScores = std::vector<std::vector<ScoredToken>>;  // of each choice

// Ties go to the first choice. `unconditional` matters to kUnconditional only.
// REQUIRES: scores is not empty. Fails when the two do not fit together.
Result<Decision> Decide(ChoicesMethod method, const TokenScores& scores,
                        const TokenScores& unconditional);

std::string_view MethodName(ChoicesMethod method);

}  // namespace espalier::program
