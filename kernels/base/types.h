// The integers that cross folder boundaries.
//
// PageId and SeqId are scoped enums so that they cannot be mixed up with token
// ids, lengths or each other. TokenId stays a plain int32_t because arrays of
// it are handed to kernels as they are.
#pragma once

#include <cstdint>

namespace espalier {

using TokenId = std::int32_t;
enum class PageId : std::int32_t {};
enum class SeqId : std::uint64_t {};

constexpr std::int32_t Index(PageId page) { return static_cast<std::int32_t>(page); }
constexpr std::uint64_t Index(SeqId seq) { return static_cast<std::uint64_t>(seq); }

// Copy-on-write of one page: slots [0, num_slots) of `from`, in all layers.
struct PageCopy {
  PageId from{};
  PageId to{};
  std::int32_t num_slots = 0;
};

}  // namespace espalier
