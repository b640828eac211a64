#include "frontend_lang/program/choices.h"

#include <algorithm>

#include <fmt/format.h>

namespace espalier::program {
namespace {

// SGLang's mean: a log-probability of exactly 0 is left out, as one that is absent.
double MeanLogprob(const std::vector<ScoredToken>& tokens) {
  double sum = 0;
  std::size_t count = 0;
  for (const ScoredToken& token : tokens) {
    if (token.logprob.value_or(0) == 0) continue;
    sum += *token.logprob;
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

std::size_t FirstLargest(const std::vector<double>& scores) {
  return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

std::vector<std::vector<double>> GreedyMatrix(const TokenScores& scores,
                                              const std::vector<double>& means) {
  std::size_t num_columns = 0;
  for (const auto& tokens : scores) num_columns = std::max(num_columns, tokens.size());
  std::vector<std::vector<double>> matrix;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    std::vector<double>& row = matrix.emplace_back(num_columns, means[i]);
    for (std::size_t j = 0; j < scores[i].size(); ++j) {
      row[j] = scores[i][j].logprob.value_or(means[i]);
    }
  }
  return matrix;
}

// Column by column, only the choices with the best token so far stay in the race.
std::size_t GreedyWinner(const std::vector<std::vector<double>>& matrix) {
  std::vector<std::size_t> left(matrix.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  for (std::size_t column = 0; column < matrix[0].size() && left.size() > 1; ++column) {
    double best = matrix[left[0]][column];
    for (const std::size_t choice : left) best = std::max(best, matrix[choice][column]);
    std::erase_if(left, [&](std::size_t choice) { return matrix[choice][column] != best; });
  }
  return left[0];
}

}  // namespace

std::string_view MethodName(ChoicesMethod method) {
  switch (method) {
    case ChoicesMethod::kTokenLengthNormalized: return "token_length_normalized";
    case ChoicesMethod::kGreedyTokenSelection: return "greedy_token_selection";
    case ChoicesMethod::kUnconditional: return "unconditional_likelihood_normalized";
  }
  return "";
}

Result<Decision> Decide(ChoicesMethod method, const TokenScores& scores,
                        const TokenScores& unconditional) {
  Decision decision;
  for (const auto& tokens : scores) decision.means.push_back(MeanLogprob(tokens));
  decision.scores = decision.means;
  if (method == ChoicesMethod::kGreedyTokenSelection) {
    decision.greedy_matrix = GreedyMatrix(scores, decision.means);
    decision.choice = GreedyWinner(decision.greedy_matrix);
    return decision;
  }
  if (method == ChoicesMethod::kUnconditional) {
    if (unconditional.size() != scores.size()) {
      return Status(Code::kInternal, "the backend gave no unconditional log-probabilities");
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (scores[i].size() != unconditional[i].size()) {
        return Status(Code::kInvalidArgument,
                      fmt::format("choice {} has {} tokens after the prompt and {} alone", i,
                                  scores[i].size(), unconditional[i].size()));
      }
      double sum = 0;
      for (std::size_t j = 0; j < scores[i].size(); ++j) {
        sum += scores[i][j].logprob.value_or(0) - unconditional[i][j].logprob.value_or(0);
      }
      decision.scores[i] = scores[i].empty() ? 0 : sum / static_cast<double>(scores[i].size());
    }
  }
  decision.choice = FirstLargest(decision.scores);
  return decision;
}

}  // namespace espalier::program
