#include "frontend_lang/script/values/containers.h"

#include <cstring>
#include <limits>
#include <new>

namespace espalier::lang {
namespace {

// Number of steps from start before stop, in unsigned arithmetic: the distance of two
// 64-bit ints may need 64 bits without a sign. Capped at the largest int64.
std::int64_t CountSteps(std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (step > 0 ? start >= stop : start <= stop) return 0;
  const auto from = static_cast<std::uint64_t>(step > 0 ? start : stop);
  const auto to = static_cast<std::uint64_t>(step > 0 ? stop : start);
  const std::uint64_t width =
      step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  const std::uint64_t count = (to - from - 1) / width + 1;
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(count < kMost ? count : kMost);
}

}  // namespace

Range::Range(Heap& heap, std::int64_t start, std::int64_t stop, std::int64_t step)
    : Object(heap, kType),
      start_(start),
      stop_(stop),
      step_(step),
      size_(CountSteps(start, stop, step)) {}

bool Range::Contains(std::int64_t value) const {
  const bool inside =
      step_ > 0 ? value >= start_ && value < stop_ : value <= start_ && value > stop_;
  if (!inside) return false;
  const auto low = static_cast<std::uint64_t>(step_ > 0 ? start_ : value);
  const auto high = static_cast<std::uint64_t>(step_ > 0 ? value : start_);
  const std::uint64_t width =
      step_ > 0 ? static_cast<std::uint64_t>(step_) : 0 - static_cast<std::uint64_t>(step_);
  return (high - low) % width == 0;
}

void EraseItem(std::vector<Value>& items, std::size_t at) {
  const Value gone = std::move(items[at]);  // released at the end; leaves none behind
  Value* const place = items.data() + at;
  std::memmove(static_cast<void*>(place), place + 1, (items.size() - at - 1) * sizeof(Value));
  new (&items.back()) Value();  // its bytes stand one place before
  items.pop_back();
}

void InsertItem(std::vector<Value>& items, std::size_t at, Value item) {
  items.emplace_back();
  Value* const place = items.data() + at;
  std::memmove(static_cast<void*>(place + 1), place, (items.size() - at - 1) * sizeof(Value));
  new (place) Value(std::move(item));
}

}  // namespace espalier::lang
