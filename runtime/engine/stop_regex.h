// StopRegex: a pattern that ends outputs, and StopRegexWalk: where one output stands in it.
//
// The pattern is an automaton on bytes that is built as far as it is walked (Regex-derivatives,
// grammar/regex/regex_set.h). A walk runs it from every place where a match may begin and keeps,
// of those that have come to one state, the first: so it says after each byte whether a match
// ends there, the longest such, and what a match that is not done yet begins with, however
// long. One byte costs a step for each distinct state, not for each beginning.
//
// A match begins behind a character, which anchors and \b look at, or at the start of the
// text, or behind a byte that is no UTF-8. They take the text to end behind the match.
//
// Thread safety: of a StopRegex and its walks: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "grammar/fuel.h"
#include "grammar/regex/regex_set.h"
#include "kernels/base/status.h"

namespace espalier {

class StopRegex {
 public:
  // Steps of Fuel to compile it, and to build what its walks need.
  static constexpr std::uint64_t kCompileSteps = 1'000'000;
  static constexpr std::uint64_t kBuildSteps = 5'000'000;
  // Of all walks: bytes times states.
  static constexpr std::uint64_t kWalkSteps = 50'000'000;

  // In the dialect kPython of grammar/regex/pattern.h, whose errors these are;
  // kInvalidArgument also if it matches the empty text, and kLimit if it is too complex.
  static Result<std::unique_ptr<StopRegex>> Compile(std::string_view pattern);

  // The walks have used up its steps: what they say from then on is not to be believed.
  bool exhausted() const { return fuel_.exhausted() || walk_fuel_.exhausted(); }

 private:
  friend class StopRegexWalk;
  StopRegex() : fuel_(kCompileSteps), set_(fuel_), walk_fuel_(kWalkSteps) {}

  Fuel fuel_;
  RegexSet set_;
  Fuel walk_fuel_;
  RegexId at_start_ = RegexSet::kNothing;
  RegexId behind_char_ = RegexSet::kNothing;  // what at_start_ is behind any character, with it
  std::vector<std::uint32_t> last_seen_;      // by state: the walk step that reached it last
  std::uint32_t num_steps_ = 0;
};

class StopRegexWalk {
 public:
  // `regex` must outlive it.
  explicit StopRegexWalk(StopRegex& regex);

  void Step(char byte);

  // Bytes of the longest match that ends here; 0: none does.
  std::size_t matched() const;
  // Bytes, last of the text, that a match may begin with.
  std::size_t held() const;

 private:
  // A match that may be: it begins at `begin`, and what is left of it is `state`.
  struct Beginning {
    RegexId state;
    std::uint64_t begin;
  };
  void Begin(RegexId state, std::uint64_t begin, std::vector<Beginning>& to);

  StopRegex* regex_;
  std::uint64_t num_bytes_ = 0;
  int num_missing_ = 0;  // continuation bytes of the character that the text ends inside
  std::vector<Beginning> beginnings_, next_;
};

}  // namespace espalier
