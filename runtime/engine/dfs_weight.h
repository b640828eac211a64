// The order of policy dfs-weight: depth first through the tree of cached prefixes.
//
// A node weighs as many waiting sequences as have their longest cached prefix in its subtree.
// The heaviest child goes first, and a node's own sequences after all of its subtree: so what
// shares a long prefix runs while it is cached, and a path is left only when nobody waits
// below it. Source: the SGLang project's scheduler, of the same name.
//
// Thread safety: pure functions.
#pragma once

#include <deque>
#include <memory>

#include "radix/prefix_cache.h"
#include "runtime/engine/sequence.h"

namespace espalier {

// Sets the rank of each of `waiting`: its place in that order, equal for those of one node. Of
// equal children the one goes first that stands first in the queue.
// A match a sequence, and O(nodes above it).
void RankByDfsWeight(const PrefixCache& cache, std::deque<std::unique_ptr<Sequence>>& waiting);

}  // namespace espalier
