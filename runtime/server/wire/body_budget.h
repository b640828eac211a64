// BodyBudget: the bytes of bodies that all connections together may hold.
// BodyLease: what one request holds of it.
//
// Thread safety: io thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

namespace espalier {

class BodyBudget {
 public:
  explicit BodyBudget(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  std::uint64_t num_bytes() const { return num_bytes_; }  // that are held

 private:
  friend class BodyLease;

  const std::uint64_t most_bytes_;
  std::uint64_t num_bytes_ = 0;
};

class BodyLease {
 public:
  BodyLease() = default;  // of no budget: it holds whatever it is asked to
  explicit BodyLease(std::shared_ptr<BodyBudget> budget) : budget_(std::move(budget)) {}
  BodyLease(BodyLease&& other) noexcept
      : budget_(std::exchange(other.budget_, nullptr)),
        num_bytes_(std::exchange(other.num_bytes_, 0)) {}
  BodyLease& operator=(BodyLease&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(num_bytes_, other.num_bytes_);
    return *this;
  }
  ~BodyLease() { Release(); }

  // Holds so many bytes in all, or more, if it held more. False if the budget has too few;
  // it then holds what it held.
  bool Hold(std::uint64_t num_bytes) {
    if (budget_ == nullptr || num_bytes <= num_bytes_) return true;
    const std::uint64_t more = num_bytes - num_bytes_;
    if (more > budget_->most_bytes_ - budget_->num_bytes_) return false;
    budget_->num_bytes_ += more;
    num_bytes_ = num_bytes;
    return true;
  }
  void Release() {
    if (budget_ != nullptr) budget_->num_bytes_ -= std::exchange(num_bytes_, 0);
  }

 private:
  std::shared_ptr<BodyBudget> budget_;
  std::uint64_t num_bytes_ = 0;
};

}  // namespace espalier
