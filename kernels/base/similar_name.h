// Which known name an unknown one was probably meant to be: for "did you mean" in errors.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace espalier {

// The least number of characters to insert, delete or replace that makes `b` of `a`
// (Levenshtein). Takes |a| * |b| steps.
std::size_t EditDistance(std::string_view a, std::string_view b);

// The first of `known` that is least far from `name`; empty if none is near: one edit from a
// name of up to three characters, two from a longer one. Names over 64 characters are not
// compared.
std::string_view MostSimilar(std::string_view name, std::span<const std::string_view> known);

}  // namespace espalier
