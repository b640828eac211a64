// EmptinessSearch: looks for a string of one And or Not, by its derivatives.
//
// Depth first, towards the derivative with the smallest lower bound on its length, until a
// term is met that is known to be alive. Tarjan's strongly connected components
// ("Depth-first search and linear graph algorithms", SIAM J. Comput. 1972) settle all that
// was seen: a component that is left is dead, and every term that is still on Tarjan's
// stack when the search succeeds reaches the way that succeeded.
//
// Large counts do not make the search long:
// - A term is dead if it is dead without its counts ("relaxed").
// - If the way from one term to another changes nothing but counts, it can be walked again
//   and again, down to small counts, in one jump.
//
// Thread safety: none; used once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "grammar/regex/derivatives.h"

namespace espalier {

class Emptiness;

class EmptinessSearch {
 public:
  // All must outlive this object.
  EmptinessSearch(Emptiness& emptiness, TermBuilder& builder, Derivatives& derivatives)
      : emptiness_(emptiness),
        builder_(builder),
        store_(builder.store()),
        derivatives_(derivatives) {}

  // False also if fuel runs out; then nothing is kept.
  bool FindsString(RegexId root);

 private:
  struct Frame {
    RegexId id;
    std::uint32_t index;           // in order of discovery
    std::uint32_t low;             // smallest index on Tarjan's stack reached from here
    std::size_t successors_start;  // in successors_, up to the next frame's
    RegexId relaxed;               // without counts; kNothing if not looked at
  };

  bool Enter(RegexId id);
  bool AddSuccessors(RegexId id);
  bool AddSuccessor(RegexId next);
  bool JumpCounts(RegexId relaxed);
  void Leave();

  Emptiness& emptiness_;
  TermBuilder& builder_;
  TermStore& store_;
  Derivatives& derivatives_;

  std::vector<Frame> path_;
  std::vector<RegexId> successors_;
  std::vector<RegexId> open_;  // Tarjan's stack
  std::unordered_map<RegexId, std::uint32_t> index_of_;
  std::unordered_map<RegexId, std::size_t> relaxed_at_;  // where path_ had it last
};

}  // namespace espalier
