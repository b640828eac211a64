#include "grammar/regex/count_relaxation.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

namespace espalier {

namespace {

using Counted = TermBuilder::Counted;

constexpr std::uint32_t kUnbounded = RegexSet::kUnbounded;
constexpr std::uint32_t kLarge = 32;  // smaller counts are walked in no time
// Counts this small may be treated in other ways (r{0,1}, r{1,1}), so no walk is repeated
// down to them.
constexpr std::uint32_t kSmallest = 2;

bool IsLarge(const Counted& counted) {
  return counted.min >= kLarge || (counted.max >= kLarge && counted.max != kUnbounded);
}

struct Operands {
  std::vector<RegexId> fixed;
  std::vector<Counted> counted;  // sorted by body and tail
};

Operands OperandsOf(TermBuilder& builder, RegexId id) {
  const TermStore& store = builder.store();
  Operands operands;
  for (const RegexId child : store.children(store[id])) {
    Counted counted;
    if (builder.AsCounted(child, &counted)) {
      operands.counted.push_back(counted);
    } else {
      operands.fixed.push_back(child);
    }
  }
  std::ranges::sort(operands.counted, {},
                    [](const Counted& c) { return std::tuple(c.body, c.tail, c.min, c.max); });
  return operands;
}

bool DifferInCountsAlone(const Operands& x, const Operands& y) {
  return x.fixed == y.fixed &&
         std::ranges::equal(x.counted, y.counted, [](const Counted& a, const Counted& b) {
           return a.body == b.body && a.tail == b.tail;
         });
}

// How often the walk that made `from` of one operand into `to` can follow `to`, at most
// `limit` times; `step` is what each lowers the counts by. 0 if that is not plain.
std::uint32_t NumWalks(const Counted& from, const Counted& to, std::uint32_t limit,
                       std::uint32_t* step) {
  if (from.min < to.min || from.max < to.max) return 0;
  const bool bounded = from.max != kUnbounded;
  if (bounded != (to.max != kUnbounded)) return 0;
  const std::uint32_t min_step = from.min - to.min;
  *step = bounded ? from.max - to.max : min_step;
  if (from.min > 0 && (to.min == 0 || min_step != *step)) return 0;
  if (*step == 0) return limit;
  const std::uint32_t count = to.min > 0 ? to.min : to.max;
  return count <= kSmallest ? 0 : std::min(limit, (count - kSmallest) / *step);
}

RegexId Chain(TermBuilder& builder, const Counted& counted) {
  return builder.Concat(builder.Repeat(counted.body, counted.min, counted.max), counted.tail);
}

std::uint32_t Less(std::uint32_t count, std::uint32_t less) {
  return count == 0 || count == kUnbounded ? count : count - less;
}

}  // namespace

RegexId RelaxCounts(TermBuilder& builder, RegexId id) {
  if (builder.store()[id].op != TermOp::kAnd) return id;
  Operands operands = OperandsOf(builder, id);
  if (std::ranges::none_of(operands.counted, IsLarge)) return id;
  for (const Counted& counted : operands.counted) {
    const bool large = IsLarge(counted);
    const Counted relaxed = {counted.body, counted.tail, large ? 0 : counted.min,
                             large ? kUnbounded : counted.max};
    operands.fixed.push_back(Chain(builder, relaxed));
  }
  return builder.And(operands.fixed);
}

RegexId RepeatWalk(TermBuilder& builder, RegexId from, RegexId to) {
  const Operands before = OperandsOf(builder, from);
  Operands after = OperandsOf(builder, to);
  if (!DifferInCountsAlone(before, after)) return RegexSet::kNothing;
  constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t num_walks = kNoLimit;
  std::vector<std::uint32_t> steps(after.counted.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    num_walks = NumWalks(before.counted[i], after.counted[i], num_walks, &steps[i]);
  }
  if (num_walks == 0 || num_walks == kNoLimit) return RegexSet::kNothing;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Counted& counted = after.counted[i];
    counted.min = Less(counted.min, steps[i] * num_walks);
    counted.max = Less(counted.max, steps[i] * num_walks);
    after.fixed.push_back(Chain(builder, counted));
  }
  return builder.And(after.fixed);
}

}  // namespace espalier
