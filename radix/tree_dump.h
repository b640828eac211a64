// TreeDump: the tree of a prefix cache as data, for people who look at it.
//
// It is bounded, since the tree is not: at most so many nodes, those used most first, and
// the first tokens of each edge. A node's parent is in it, and stands before it.
//
// Thread safety: plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/types.h"

namespace espalier {

struct TreeDumpLimits {
  int max_nodes = 1000;
  int max_depth = 1 << 30;  // nodes above one another
  int max_tokens = 64;      // of an edge
};

struct DumpedNode {
  std::int32_t name_space = 0;  // index in TreeDump::name_spaces
  std::int32_t parent = -1;     // index in TreeDump::nodes; -1: the name space's root
  std::int32_t begin = 0;       // tokens before the edge
  std::int32_t num_tokens = 0;  // of the edge
  std::vector<TokenId> tokens;  // the first of them
  std::int32_t num_pages = 0;
  std::uint32_t num_uses = 0;   // leases with pages of their own that have let go of it
  std::int32_t num_leases = 0;  // that pin it now
  std::uint64_t idle_us = 0;    // since the last lease let go of it; 0: one pins it
  bool is_leaf = false;
};

struct DumpedNameSpace {
  std::string extra_key;
  std::int32_t num_cached = 0;  // pages
  std::int32_t num_evictable = 0;
};

struct TreeDump {
  std::int32_t page_size = 0;
  std::int32_t num_pages = 0;  // of the pool; the next four are of those
  std::int32_t num_free = 0;
  std::int32_t num_cached = 0;
  std::int32_t num_private = 0;
  std::int32_t num_evictable = 0;
  std::int32_t num_name_spaces = 0;          // all
  std::vector<DumpedNameSpace> name_spaces;  // at most max_nodes
  std::vector<DumpedNode> nodes;
  bool is_whole = true;  // nothing was left out but tokens
};

}  // namespace espalier
