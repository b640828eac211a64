// Heap: the memory of one run of a program or template. It makes objects, counts
// their bytes, and frees what is left at its end.
//
//   1. live_bytes() is the sum of what living objects and ChargeOutside have charged.
//   2. New always succeeds: passing the limit is noticed at the next Host::Step, and
//      an operation whose size is known beforehand asks Host::Reserve first. So the
//      limit may be passed by one small object, never by an operation.
//   3. Containers are linked in a list; the destructor clears those that only cycles
//      keep alive.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "frontend_lang/script/values/value.h"

namespace espalier::lang {

// An object that refers to other values.
class Container : public Object {
 protected:
  Container(Heap& heap, Type type);
  ~Container() override;

  // Drops every reference this object holds; called when it dies, or in a cycle.
  virtual void Clear() = 0;

 private:
  friend class Heap;
  Container* previous_ = nullptr;
  Container* next_ = nullptr;
};

class Heap {
 public:
  explicit Heap(std::int64_t max_bytes);
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  // A new object T(heap, args...).
  template <typename T, typename... Args>
  Value New(Args&&... args) {
    T* object = new T(*this, std::forward<Args>(args)...);
    if (object->size_bytes_ == 0) Account(object, sizeof(T));
    return Value(object);
  }

  std::int64_t live_bytes() const { return live_bytes_; }
  std::int64_t max_bytes() const { return max_bytes_; }
  bool over_limit() const { return live_bytes_ > max_bytes_; }
  // Whether somebody should look: over the limit, or unfinished objects wait, or much was
  // made since the last look (a few operations on huge values take long).
  bool needs_look() const { return live_bytes_ > look_at_bytes_; }
  void Looked() {
    if (unfinished_.empty()) look_at_bytes_ = max_bytes_;
  }
  // Tells of memory of the run that no object holds (the texts of prompts).
  void ChargeOutside(std::int64_t size_bytes) { live_bytes_ += size_bytes; }
  bool HasRoom(std::int64_t size_bytes) const { return size_bytes <= max_bytes_ - live_bytes_; }

  // Objects without references that have something left to do (a generator in a try).
  bool has_unfinished() const { return !unfinished_.empty(); }
  std::vector<Value> TakeUnfinished() {
    look_at_bytes_ = max_bytes_;
    return std::exchange(unfinished_, {});
  }

  // Key of the hash function, so that nobody outside can choose colliding keys.
  std::uint64_t hash_seed() const { return hash_seed_; }

  // A number that it gives only once.
  std::uint64_t NextId() { return ++last_id_; }

  // The shared string of one ASCII character, and the empty string.
  const Value& AsciiChar(unsigned char c);
  const Value& EmptyStr();

 private:
  friend class Object;
  friend class Container;

  static constexpr std::int64_t kManyBytes = std::int64_t{1} << 20;

  void Account(Object* object, std::int64_t size_bytes) {
    const std::int64_t grown = size_bytes - object->size_bytes_;
    live_bytes_ += grown;
    object->size_bytes_ = size_bytes;
    if (grown > kManyBytes) [[unlikely]]
      look_at_bytes_ = -1;
  }
  void Doom(Container* container);

  std::int64_t live_bytes_ = 0;
  const std::int64_t max_bytes_;
  const std::uint64_t hash_seed_;
  Container* containers_ = nullptr;  // doubly linked, newest first
  std::vector<Container*> doomed_;   // dead, not yet deleted
  std::vector<Value> unfinished_;
  std::int64_t look_at_bytes_;  // max_bytes_, or less than any count
  bool deleting_ = false;
  std::uint64_t last_id_ = 0;
  std::array<Value, 128> ascii_chars_;
  Value empty_str_;
};

}  // namespace espalier::lang
