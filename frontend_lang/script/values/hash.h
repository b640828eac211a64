// hash(value), as CPython 3.11 computes it: of numbers, tuples, frozensets and ranges; of texts
// and bytes as it does with PYTHONHASHSEED=0. So a set shows its members in CPython's order, and
// a run repeats.
//
// The hash of a text is not keyed. A table whose keys come from outside spreads it with the
// heap's seed (dict.cc); for a set (set.h) many texts would have to agree in nearly all bits.
//
// Each may run the program's own code (__hash__): hold what is in use.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>
#include <string_view>

#include "frontend_lang/script/values/host.h"

namespace espalier::lang {

// What no value's hash is.
inline constexpr std::uint64_t kNoHash = ~std::uint64_t{0};

// Equal values have equal hashes. A TypeError for what can change: "unhashable type".
Outcome<std::uint64_t> Hash(Host& host, const Value& value);

std::uint64_t HashStr(std::string_view utf8);
std::uint64_t HashBytes(std::string_view bytes);

// A well mixed number of two.
inline std::uint64_t Fold(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace espalier::lang
