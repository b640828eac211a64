// AttentionPlan: which tokens go through which chunks of positions together.
//
// Rows whose pages agree in a run of chunks (they hang from one node of the radix tree) are
// one part of the plan, so the K and V there are read once for all of them; what is a row's
// own follows in a later level. A level needs the levels before it; parts of one level need
// each other in nothing. Who shares never enters a row's arithmetic: only when it is done.
//
// Thread safety: thread-compatible.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/kernels.h"

namespace espalier {

class AttentionPlan {
 public:
  struct Part {
    std::int32_t token_begin;  // of tokens(), at most kAttentionTokens
    std::int32_t token_end;
    std::int32_t row;  // one that has these pages
    std::int32_t chunk_begin;
    std::int32_t chunk_end;
  };

  // Every token is in parts that cover the chunks of its row once, in ascending levels.
  // Keeps its memory from plan to plan.
  void Make(const AttentionRows& rows, int page_size);

  std::span<const std::int32_t> tokens() const { return tokens_; }
  int num_levels() const { return num_levels_; }
  std::span<const Part> level(int i) const { return levels_[static_cast<std::size_t>(i)]; }

 private:
  // Rows order_[begin], ..., order_[end - 1], which agree before `chunk`.
  struct Bundle {
    std::int32_t begin;
    std::int32_t end;
    std::int32_t chunk;
    std::int32_t level;
  };
  std::span<const PageId> PagesOf(std::int32_t row) const;
  std::int32_t NumChunks(std::int32_t row) const;
  std::int32_t NumSharedChunks(std::int32_t row, std::int32_t other) const;
  void Order();
  void Split(const Bundle& bundle);
  void AddParts(const Bundle& bundle, std::int32_t chunk_end);

  AttentionRows rows_;
  std::size_t pages_per_chunk_ = 1;
  std::vector<std::int32_t> order_;   // [num_rows] neighbours share the most
  std::vector<std::int32_t> shared_;  // [num_rows - 1] chunks of order_[i] and order_[i + 1]
  std::vector<Bundle> bundles_;       // to be split
  std::vector<std::int32_t> tokens_;
  std::vector<std::vector<Part>> levels_;
  int num_levels_ = 0;
};

}  // namespace espalier
