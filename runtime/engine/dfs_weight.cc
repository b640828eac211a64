#include "runtime/engine/dfs_weight.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "radix/radix_node.h"

namespace espalier {
namespace {

// What waits below a node of the prefix tree; below null: all of it.
struct Branch {
  std::int32_t weight = 0;
  std::int32_t first = 0;  // of the queue's, which was the first here
  std::vector<const RadixNode*> children;
  std::vector<Sequence*> own;
};
using Branches = std::unordered_map<const RadixNode*, Branch>;

void Hang(Branches& branches, const RadixNode* node, Sequence& seq, std::int32_t place) {
  branches[node].own.push_back(&seq);
  for (; node != nullptr; node = node->parent) {
    Branch& branch = branches[node];
    if (branch.weight++ > 0) continue;
    branch.first = place;
    branches[node->parent].children.push_back(node);
  }
}

// Ranks fall, from the last to the first: a node's own, then its children from the lightest on.
// So what is still to do is a stack.
void Rank(Branches& branches) {
  const auto goes_first = [&branches](const RadixNode* a, const RadixNode* b) {
    const Branch& x = branches[a];
    const Branch& y = branches[b];
    return std::pair(-x.weight, x.first) < std::pair(-y.weight, y.first);
  };
  std::vector<const RadixNode*> left = {nullptr};
  for (std::int64_t rank = 0; !left.empty(); --rank) {
    Branch& branch = branches[left.back()];
    left.pop_back();
    for (Sequence* seq : branch.own) seq->rank = rank;
    std::ranges::sort(branch.children, goes_first);
    left.insert(left.end(), branch.children.begin(), branch.children.end());
  }
}

}  // namespace

void RankByDfsWeight(const PrefixCache& cache, std::deque<std::unique_ptr<Sequence>>& waiting) {
  Branches branches;
  branches[nullptr];
  std::int32_t place = 0;
  for (const std::unique_ptr<Sequence>& seq : waiting) {
    if (seq->preempted) continue;
    const std::string& salt = seq->request->asked.cache_salt;
    Hang(branches, cache.MatchedNode(seq->matchable(), salt), *seq, place++);
  }
  Rank(branches);
}

}  // namespace espalier
