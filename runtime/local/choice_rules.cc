#include "runtime/local/choice_rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/base/check.h"

namespace espalier {
namespace {

using Rows = std::vector<std::vector<double>>;

double OrZero(double x) { return std::isnan(x) ? 0.0 : x; }

double Mean(const std::vector<double>& row) {
  double sum = 0;
  for (const double x : row) sum += OrZero(x);
  return row.empty() ? 0.0 : sum / static_cast<double>(row.size());
}

std::vector<double> Means(const Rows& rows) {
  std::vector<double> means;
  for (const std::vector<double>& row : rows) means.push_back(Mean(row));
  return means;
}

std::vector<double> Softmax(const std::vector<double>& scores) {
  const double most = *std::max_element(scores.begin(), scores.end());
  std::vector<double> shares;
  for (const double score : scores) shares.push_back(std::exp(score - most));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

std::size_t First(const std::vector<double>& scores) {
  return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

// Column by column, keeps the rows equal to the column's maximum. A row that is too
// short stands by its own mean.
std::size_t GreedyWinner(const Rows& rows, const std::vector<double>& means) {
  std::size_t columns = 0;
  for (const std::vector<double>& row : rows) columns = std::max(columns, row.size());
  std::vector<std::size_t> left(rows.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  for (std::size_t column = 0; column < columns && left.size() > 1; ++column) {
    const auto value = [&](std::size_t i) {
      return column < rows[i].size() ? OrZero(rows[i][column]) : means[i];
    };
    double most = value(left.front());
    for (const std::size_t i : left) most = std::max(most, value(i));
    std::erase_if(left, [&](std::size_t i) { return value(i) < most; });
  }
  return left.front();
}

Rows Gains(const Rows& conditional, const Rows& unconditional) {
  ESP_CHECK(conditional.size() == unconditional.size()) << "a choice was not scored alone";
  Rows gains = conditional;
  for (std::size_t i = 0; i < gains.size(); ++i) {
    ESP_CHECK(gains[i].size() == unconditional[i].size()) << "choice " << i;
    for (std::size_t j = 0; j < gains[i].size(); ++j) {
      gains[i][j] = OrZero(gains[i][j]) - OrZero(unconditional[i][j]);
    }
  }
  return gains;
}

}  // namespace

std::optional<ChoicesMethod> FindChoicesMethod(std::string_view name) {
  if (name == "token_length_normalized") return ChoicesMethod::kTokenLengthNormalized;
  if (name == "greedy_token_selection") return ChoicesMethod::kGreedyTokenSelection;
  if (name == "unconditional_likelihood_normalized") {
    return ChoicesMethod::kUnconditionalLikelihoodNormalized;
  }
  return std::nullopt;
}

ChoiceDecision Decide(ChoicesMethod method, const Rows& conditional, const Rows& unconditional) {
  ESP_CHECK(!conditional.empty()) << "no choice to decide on";
  ChoiceDecision decision;
  const bool against_alone = method == ChoicesMethod::kUnconditionalLikelihoodNormalized;
  decision.scores = Means(against_alone ? Gains(conditional, unconditional) : conditional);
  decision.winner = method == ChoicesMethod::kGreedyTokenSelection
                        ? GreedyWinner(conditional, decision.scores)
                        : First(decision.scores);
  decision.probability = Softmax(decision.scores);
  return decision;
}

}  // namespace espalier
