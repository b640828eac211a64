// How much a constraint may ask for. Each limit is named in the error that it causes.
// Steps are of Fuel, never of a clock. A compile takes as many steps every time. A mask costs
// less where other outputs have been, but not its verdict: what decides is the steps that it
// takes in tables of its own (matcher.cc).
#pragma once

#include <cstddef>
#include <cstdint>

namespace espalier {

struct GrammarLimits {
  std::size_t max_choices = 65'536;
  // Of all choices, a schema, a grammar, a structural tag.
  std::size_t max_text_bytes = std::size_t{1} << 20;
  std::size_t max_pattern_bytes = std::size_t{1} << 16;
  std::uint64_t compile_steps = 50'000'000;
  std::uint64_t mask_steps = 20'000'000;  // of one call of a matcher
  // Of the tables that one output may make the automaton grow by.
  std::size_t max_table_bytes = std::size_t{256} << 20;
};

}  // namespace espalier
