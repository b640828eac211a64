// Fuel: a bound on work, counted in steps of about a hundred nanoseconds, so that
// whether a request is refused depends on the request alone and never on the clock.
//
// Running out is a value, not an error path: Spend() returns false from then on, and
// whoever was asked for something answers the smallest thing that is safe. The caller at
// the top looks at exhausted() and reports kLimit.
//
// Whoever does not want the result any more may stop the work from another thread: that
// looks like running out, and is told apart by stopped().
//
// Thread safety: none.
#pragma once

#include <atomic>
#include <cstdint>

namespace espalier {

class Fuel {
 public:
  explicit Fuel(std::uint64_t steps) : left_(steps) {}

  // Returns false, and is exhausted, when fewer than `steps` are left or it is stopped.
  bool Spend(std::uint64_t steps) {
    if (left_ < steps || stopped()) exhausted_ = true;
    if (exhausted_) return false;
    left_ -= steps;
    return true;
  }
  bool exhausted() const { return exhausted_; }
  std::uint64_t left() const { return left_; }
  void Exhaust() { exhausted_ = true; }  // a bound that is not counted in steps was met
  // From now on true in `stop` ends the work; null: nothing does.
  void StopOn(const std::atomic<bool>* stop) { stop_ = stop; }
  bool stopped() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }
  void Refill(std::uint64_t steps) {
    left_ = steps;
    exhausted_ = false;
  }

 private:
  std::uint64_t left_;
  bool exhausted_ = false;
  const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace espalier
