#include "kernels/cpu/attention_plan.h"

#include <algorithm>
#include <numeric>

#include "kernels/cpu/ops.h"

namespace espalier {

std::span<const PageId> AttentionPlan::PagesOf(std::int32_t row) const {
  const auto r = static_cast<std::size_t>(row);
  const auto begin = static_cast<std::size_t>(rows_.page_start[r]);
  return rows_.pages.subspan(begin, static_cast<std::size_t>(rows_.page_start[r + 1]) - begin);
}

std::int32_t AttentionPlan::NumChunks(std::int32_t row) const {
  return static_cast<std::int32_t>((PagesOf(row).size() + pages_per_chunk_ - 1) / pages_per_chunk_);
}

// Whole chunks only: a chunk that one row has filled further is the row's own.
std::int32_t AttentionPlan::NumSharedChunks(std::int32_t row, std::int32_t other) const {
  const auto a = PagesOf(row);
  const auto b = PagesOf(other);
  const auto differ = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return static_cast<std::int32_t>(static_cast<std::size_t>(differ - a.begin()) / pages_per_chunk_);
}

void AttentionPlan::Order() {
  order_.resize(rows_.start.size() - 1);
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [this](std::int32_t row, std::int32_t other) {
    const auto a = PagesOf(row);
    const auto b = PagesOf(other);
    const auto [i, j] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (i != a.end() && j != b.end()) return Index(*i) < Index(*j);
    if (i == a.end() && j == b.end()) return row < other;
    return i == a.end();
  });
  shared_.clear();
  for (std::size_t i = 0; i + 1 < order_.size(); ++i) {
    shared_.push_back(NumSharedChunks(order_[i], order_[i + 1]));
  }
}

void AttentionPlan::AddParts(const Bundle& bundle, std::int32_t chunk_end) {
  const auto level = static_cast<std::size_t>(bundle.level);
  if (levels_.size() <= level) levels_.resize(level + 1);
  num_levels_ = std::max(num_levels_, bundle.level + 1);
  const auto begin = static_cast<std::int32_t>(tokens_.size());
  for (std::int32_t i = bundle.begin; i < bundle.end; ++i) {
    const auto row = static_cast<std::size_t>(order_[static_cast<std::size_t>(i)]);
    for (std::int32_t t = rows_.start[row]; t < rows_.start[row + 1]; ++t) tokens_.push_back(t);
  }
  const auto end = static_cast<std::int32_t>(tokens_.size());
  for (std::int32_t t = begin; t < end; t += kAttentionTokens) {
    levels_[level].push_back({.token_begin = t,
                              .token_end = std::min(t + kAttentionTokens, end),
                              .row = order_[static_cast<std::size_t>(bundle.begin)],
                              .chunk_begin = bundle.chunk,
                              .chunk_end = chunk_end});
  }
}

// The chunks that all rows of the bundle share are a part; then it falls apart.
void AttentionPlan::Split(const Bundle& bundle) {
  const auto first = shared_.begin() + bundle.begin;
  const auto last = shared_.begin() + bundle.end - 1;
  const std::int32_t chunk_end = bundle.end - bundle.begin == 1
                                     ? NumChunks(order_[static_cast<std::size_t>(bundle.begin)])
                                     : *std::min_element(first, last);
  Bundle rest = bundle;
  if (chunk_end > bundle.chunk) {
    AddParts(bundle, chunk_end);
    ++rest.level;
  }
  rest.chunk = chunk_end;
  if (bundle.end - bundle.begin == 1) return;
  for (std::int32_t i = bundle.begin; i < bundle.end; ++i) {
    if (i + 1 < bundle.end && shared_[static_cast<std::size_t>(i)] > chunk_end) continue;
    rest.end = i + 1;
    bundles_.push_back(rest);
    rest.begin = i + 1;
  }
}

void AttentionPlan::Make(const AttentionRows& rows, int page_size) {
  rows_ = rows;
  pages_per_chunk_ = static_cast<std::size_t>(kAttentionChunk / page_size);
  tokens_.clear();
  num_levels_ = 0;
  for (auto& level : levels_) level.clear();
  Order();
  if (!order_.empty()) {
    bundles_.push_back({0, static_cast<std::int32_t>(order_.size()), 0, 0});
  }
  while (!bundles_.empty()) {
    const Bundle bundle = bundles_.back();
    bundles_.pop_back();
    Split(bundle);
  }
}

}  // namespace espalier
