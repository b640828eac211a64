// Shortest: the length of the shortest string of a language, exactly.
//
// It follows from the shape of a term except for And and Not, whose automaton is searched
// by A* (Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum
// cost paths", 1968) with the lower bounds of the terms. A search that looks at too many
// terms is given up, with the bound that it has proved.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "grammar/regex/derivatives.h"
#include "grammar/regex/emptiness.h"

namespace espalier {

class Shortest {
 public:
  // All must outlive this object.
  Shortest(Derivatives& derivatives, Emptiness& emptiness, TermStore& store)
      : derivatives_(derivatives), emptiness_(emptiness), store_(store) {}

  // kNoBound if there is no string, or no fuel to find one.
  std::uint64_t MinBytes(RegexId id);

  std::size_t size_bytes() const;

 private:
  std::uint64_t MinBytesOfChain(RegexId id);

  // A term on the way, at the end of `distance` bytes; or, as kNothing, the end of a string.
  struct Reached {
    std::uint64_t bound;  // no string this way is shorter
    std::uint64_t distance;
    RegexId id, from;
    // Of equals, what has come further is first.
    friend bool operator>(const Reached& x, const Reached& y) {
      return x.bound != y.bound ? x.bound > y.bound : x.distance < y.distance;
    }
  };
  struct Step {
    std::uint64_t distance;
    RegexId from;
  };
  struct Way {
    void Push(const Reached& reached);
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
    std::unordered_map<RegexId, Step> steps;
  };
  std::uint64_t FindShortest(RegexId id);
  void Expand(const Reached& reached, Way& way);
  std::uint64_t Keep(const Way& way, const Reached& end);

  Derivatives& derivatives_;
  Emptiness& emptiness_;
  TermStore& store_;
  std::unordered_map<RegexId, std::uint64_t> known_;  // of terms with And or Not
};

}  // namespace espalier
