#include "runtime/cli/bench/prompt_sharing.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace espalier {
namespace {

using Tokens = std::vector<TokenId>;

std::int64_t CommonPrefix(const Tokens& a, const Tokens& b) {
  return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
}

// Texts in order: the longest common prefix with any of them is one with a neighbour.
class TokenPaths {
 public:
  // How many tokens of `path` are on no path yet.
  std::int64_t NumNew(const Tokens& path) const {
    const auto next = paths_.lower_bound(path);
    std::int64_t common = next == paths_.end() ? 0 : CommonPrefix(path, *next);
    if (next != paths_.begin()) common = std::max(common, CommonPrefix(path, *std::prev(next)));
    return static_cast<std::int64_t>(path.size()) - common;
  }
  void Add(Tokens path) { paths_.insert(std::move(path)); }

 private:
  std::set<Tokens> paths_;
};

}  // namespace

void PromptSharing::Add(Request request) {
  if (request.tree == 0) {
    trees_.push_back({std::move(request)});
    return;
  }
  const auto [found, is_new] = by_number_.try_emplace(request.tree, trees_.size());
  if (is_new) trees_.emplace_back();
  trees_[found->second].push_back(std::move(request));
}

PromptSharing::Totals PromptSharing::Sum() const {
  std::vector<const std::vector<Request>*> in_order;
  for (const auto& tree : trees_) in_order.push_back(&tree);
  std::stable_sort(in_order.begin(), in_order.end(),
                   [](const auto* a, const auto* b) { return (*a)[0].prompt < (*b)[0].prompt; });
  Totals totals;
  TokenPaths seen;
  for (const auto* tree : in_order) {
    TokenPaths own;
    std::int64_t num_new = 0;
    for (const Request& request : *tree) {
      totals.prompt_tokens += own.NumNew(request.prompt);
      own.Add(request.prompt);
      totals.computed_tokens +=
          static_cast<std::int64_t>(request.prompt.size()) - request.cached_tokens;
      num_new += seen.NumNew(request.prompt);
      Tokens path = request.prompt;
      path.insert(path.end(), request.output.begin(), request.output.end());
      totals.distinct_tokens += seen.NumNew(path);
      seen.Add(std::move(path));
    }
    totals.optimal_tokens += std::max<std::int64_t>(num_new, 1);
  }
  return totals;
}

}  // namespace espalier
