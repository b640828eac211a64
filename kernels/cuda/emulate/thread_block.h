// ThreadBlock: the threads of one CUDA block as fibers, run one at a time.
//
// A thread runs until it waits at a barrier, then another of those that may run takes its
// turn, in an order that a seed decides. So a kernel whose result depends on the order
// gives another result under another seed.
//
// Invariants:
//  1. A barrier opens when each thread of its group (the block, or a warp of 32) waits at
//     one and the same place; when the last one waits elsewhere, that is a fault.
//  2. When no thread may run and some have not returned, that is a fault that tells which
//     threads wait where.
//  3. Shared memory is all ones before the block begins: NaN as floats and halves, -1 as
//     integers.
//  4. After the first fault no thread runs on; the fibers' stacks are unwound.
//
// Thread safety: one per thread of the system, which it occupies while it runs.
#pragma once

#include <array>
#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <source_location>
#include <string>
#include <vector>

namespace espalier::emulated {

inline constexpr int kWarpSize = 32;
inline constexpr std::size_t kSharedBytes = 48 * 1024;  // what a kernel has without asking
inline constexpr std::size_t kStackBytes = 64 * 1024;

struct Dim3 {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
};

// What one lane shows to its warp in one exchange.
using LaneWords = std::array<std::uint32_t, 6>;
using WarpWords = std::array<LaneWords, kWarpSize>;

class ThreadBlock {
 public:
  struct Place {
    const char* what = "";  // "__syncthreads", "__shfl_sync", ...
    std::source_location at;
  };
  struct Shape {
    Dim3 grid;
    Dim3 block;  // its index in the grid
    int num_threads = 0;
  };

  // REQUIRES: num_threads is a positive multiple of kWarpSize.
  ThreadBlock(const Shape& shape, const std::function<void()>& body,
              boost::context::pooled_fixedsize_stack& stacks);
  ThreadBlock(const ThreadBlock&) = delete;
  ThreadBlock& operator=(const ThreadBlock&) = delete;

  // Runs all threads to their ends. Returns the first fault; empty if there was none.
  std::string Run(std::mt19937_64& order);

  // The block whose thread runs now. What follows is for that thread.
  static ThreadBlock& Current();

  const Shape& shape() const { return shape_; }
  int thread() const { return running_; }

  void SyncThreads(const Place& place);
  // What each lane of the warp showed here. Good until the lane's next exchange but one.
  const WarpWords& Exchange(const LaneWords& mine, const Place& place);
  // The memory that all threads get for one `tag`, at first asking.
  void* Shared(const void* tag, std::size_t size_bytes);
  // End the block; the second tells that there is no element i in an array.
  [[noreturn]] void Fail(const char* what);
  [[noreturn]] void FailAt(std::int64_t i, std::int64_t size, const char* memory);

 private:
  enum class State : std::uint8_t { kReady, kWaiting, kReturned };
  struct Thread {
    boost::context::fiber fiber;
    State state = State::kReady;
    Place place;
    std::uint32_t num_exchanges = 0;
  };
  struct Warp {
    int num_waiting = 0;
    WarpWords words[2];  // of even and odd exchanges
  };
  struct SharedArea {
    const void* tag;
    std::size_t begin;
    std::size_t size_bytes;
  };

  void Suspend();
  // Kept apart, so that no frame of a stopped fiber owns anything: unwinding it runs nothing.
  void Note(const std::string& fault);
  [[noreturn]] void Stop();
  // One more of the threads [begin, begin + size) waits; opens the barrier for the last.
  void Arrive(int begin, int size, int& num_waiting, const Place& place);
  std::vector<int> ReadyThreads() const;
  std::string DescribeWaiting() const;

  Shape shape_;
  const std::function<void()>& body_;
  std::vector<std::byte> shared_;
  std::size_t shared_used_ = 0;
  std::vector<SharedArea> areas_;
  std::vector<Warp> warps_;
  int num_waiting_ = 0;  // at __syncthreads
  int running_ = 0;
  std::string fault_;
  boost::context::fiber scheduler_;
  std::vector<Thread> threads_;  // last: its stacks unwind before the rest goes
};

}  // namespace espalier::emulated
