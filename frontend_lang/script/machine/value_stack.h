// ValueStack: the values of one thread of script, contiguous, grown by doubling.
//
// It reads like a vector of values. What it adds: whoever has reserved room may push and
// pop through pointers (the run loop does), and tells where the end is when it is done.
//
//   1. [begin(), end()) are values; what lies behind is raw memory.
//   2. Pointers stay valid until Reserve asks for more than there is room for; push_back,
//      emplace_back and resize reserve.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "frontend_lang/script/values/value.h"

namespace espalier::script {

class ValueStack {
 public:
  using value_type = lang::Value;  // NOLINT(readability-identifier-naming): as in std

  ValueStack() = default;
  ~ValueStack() {
    Shrink(begin_);
    std::allocator<lang::Value>().deallocate(begin_, capacity());
  }
  ValueStack(const ValueStack&) = delete;
  ValueStack& operator=(const ValueStack&) = delete;

  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  lang::Value* begin() { return begin_; }
  lang::Value* end() { return end_; }
  lang::Value& back() { return end_[-1]; }
  lang::Value& operator[](std::size_t i) { return begin_[i]; }

  // NOLINTBEGIN(readability-identifier-naming): as in std
  void push_back(lang::Value value) {
    Reserve(1);
    std::construct_at(end_++, std::move(value));
  }
  void emplace_back() { push_back(lang::Value()); }
  void pop_back() { std::destroy_at(--end_); }
  void resize(std::size_t size, const lang::Value& fill = lang::Value()) {
    if (size <= this->size()) return Shrink(begin_ + size);
    Reserve(size - this->size());
    while (this->size() < size) std::construct_at(end_++, fill);
  }
  // REQUIRES: last == end()
  void erase(lang::Value* first, [[maybe_unused]] lang::Value* last) {
    ESP_DCHECK(last == end_);
    Shrink(first);
  }
  // NOLINTEND(readability-identifier-naming)

  // Puts a value below the last `count`.
  void InsertBelow(std::size_t count, lang::Value value) {
    push_back(std::move(value));
    for (lang::Value* at = end_ - 1; count > 0; --at, --count) at[0].swap(at[-1]);
  }
  // Takes the value below the last `count` away.
  void RemoveBelow(std::size_t count) {
    for (lang::Value* at = end_ - 1 - count; count > 0; ++at, --count) at[0].swap(at[1]);
    pop_back();
  }
  // Makes room for `count` values more.
  void Reserve(std::size_t count) {
    if (static_cast<std::size_t>(limit_ - end_) < count) [[unlikely]]
      Grow(count);
  }
  // After pushes and pops through pointers. REQUIRES: [begin(), end) are values.
  void SetEnd(lang::Value* end) { end_ = end; }

 private:
  std::size_t capacity() const { return static_cast<std::size_t>(limit_ - begin_); }
  void Grow(std::size_t count);
  void Shrink(lang::Value* end) {
    while (end_ > end) std::destroy_at(--end_);
  }

  lang::Value* begin_ = nullptr;
  lang::Value* end_ = nullptr;
  lang::Value* limit_ = nullptr;
};

}  // namespace espalier::script
