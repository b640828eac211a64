#include "kernels/cuda/emulate/thread_block.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "kernels/base/check.h"

namespace espalier::emulated {
namespace {

// threadIdx and its like are expressions, so the block that runs must be found from nowhere.
thread_local ThreadBlock* current = nullptr;

class CurrentBlock {
 public:
  explicit CurrentBlock(ThreadBlock* block) : outer_(std::exchange(current, block)) {}
  CurrentBlock(const CurrentBlock&) = delete;
  CurrentBlock& operator=(const CurrentBlock&) = delete;
  ~CurrentBlock() { current = outer_; }

 private:
  ThreadBlock* outer_;
};

bool IsSame(const ThreadBlock::Place& a, const ThreadBlock::Place& b) {
  return a.at.line() == b.at.line() && a.at.column() == b.at.column() &&
         std::strcmp(a.what, b.what) == 0 && std::strcmp(a.at.file_name(), b.at.file_name()) == 0;
}

std::string ToText(const ThreadBlock::Place& place) {
  std::string_view file = place.at.file_name();
  file.remove_prefix(file.rfind('/') + 1);
  return std::string(place.what) + " (" + std::string(file) + ":" +
         std::to_string(place.at.line()) + ")";
}

// "0-30, 64"
std::string ToRanges(const std::vector<int>& threads) {
  std::string text;
  for (std::size_t i = 0; i < threads.size();) {
    std::size_t end = i + 1;
    while (end < threads.size() && threads[end] == threads[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(threads[i]);
    if (end - i > 1) text += "-" + std::to_string(threads[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace

ThreadBlock::ThreadBlock(const Shape& shape, const std::function<void()>& body,
                         boost::context::pooled_fixedsize_stack& stacks)
    : shape_(shape),
      body_(body),
      shared_(kSharedBytes, std::byte{0xff}),
      warps_(static_cast<std::size_t>(shape.num_threads / kWarpSize)),
      threads_(static_cast<std::size_t>(shape.num_threads)) {
  ESP_CHECK(shape.num_threads > 0 && shape.num_threads % kWarpSize == 0);
  for (Thread& thread : threads_) {
    thread.fiber = boost::context::fiber(std::allocator_arg, stacks,
                                         [this, &thread](boost::context::fiber&& scheduler) {
                                           scheduler_ = std::move(scheduler);
                                           body_();
                                           thread.state = State::kReturned;
                                           return std::move(scheduler_);
                                         });
  }
}

ThreadBlock& ThreadBlock::Current() {
  ESP_CHECK(current != nullptr) << "device code runs inside Launch only";
  return *current;
}

std::string ThreadBlock::Run(std::mt19937_64& order) {
  const CurrentBlock scope(this);
  for (std::vector<int> ready = ReadyThreads(); !ready.empty(); ready = ReadyThreads()) {
    std::shuffle(ready.begin(), ready.end(), order);
    const std::uint64_t warps = order();  // that run in this round: so they drift apart
    for (const int t : ready) {
      if ((warps >> (t / kWarpSize) & 1) == 0) continue;
      running_ = t;
      Thread& thread = threads_[static_cast<std::size_t>(t)];
      thread.fiber = std::move(thread.fiber).resume();
      if (!fault_.empty()) return fault_;
    }
  }
  const bool all_returned = std::all_of(threads_.begin(), threads_.end(), [](const Thread& t) {
    return t.state == State::kReturned;
  });
  return all_returned ? "" : "deadlock: " + DescribeWaiting();
}

std::vector<int> ThreadBlock::ReadyThreads() const {
  std::vector<int> ready;
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    if (threads_[t].state == State::kReady) ready.push_back(static_cast<int>(t));
  }
  return ready;
}

std::string ThreadBlock::DescribeWaiting() const {
  std::vector<std::pair<std::string, std::vector<int>>> groups;
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    const Thread& thread = threads_[t];
    if (thread.state == State::kReady) continue;
    const std::string where =
        thread.state == State::kReturned ? "returned" : "wait at " + ToText(thread.place);
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == where; });
    if (group == groups.end()) group = groups.insert(group, {where, {}});
    group->second.push_back(static_cast<int>(t));
  }
  std::string text;
  for (const auto& [where, threads] : groups) {
    text += (text.empty() ? "threads " : "; threads ") + ToRanges(threads) + " " + where;
  }
  return text;
}

void ThreadBlock::Suspend() { scheduler_ = std::move(scheduler_).resume(); }

void ThreadBlock::Arrive(int begin, int size, int& num_waiting, const Place& place) {
  Thread& mine = threads_[static_cast<std::size_t>(running_)];
  mine.state = State::kWaiting;
  mine.place = place;
  if (++num_waiting == size) {
    num_waiting = 0;
    const auto first = threads_.begin() + begin;
    const bool agree = std::all_of(
        first, first + size, [&](const Thread& thread) { return IsSame(thread.place, place); });
    if (!agree) {
      Note("divergent barrier: " + DescribeWaiting());
      Stop();
    }
    for (auto thread = first; thread != first + size; ++thread) thread->state = State::kReady;
  }
  Suspend();
}

void ThreadBlock::SyncThreads(const Place& place) {
  Arrive(0, shape_.num_threads, num_waiting_, place);
}

const WarpWords& ThreadBlock::Exchange(const LaneWords& mine, const Place& place) {
  const int lane = running_ % kWarpSize;
  Warp& warp = warps_[static_cast<std::size_t>(running_ / kWarpSize)];
  WarpWords& words = warp.words[threads_[static_cast<std::size_t>(running_)].num_exchanges++ % 2];
  words[static_cast<std::size_t>(lane)] = mine;
  Arrive(running_ - lane, kWarpSize, warp.num_waiting, place);
  return words;
}

void* ThreadBlock::Shared(const void* tag, std::size_t size_bytes) {
  for (const SharedArea& area : areas_) {
    if (area.tag == tag) return shared_.data() + area.begin;
  }
  if (shared_used_ + size_bytes > kSharedBytes) Fail("more shared memory than 48 KiB");
  areas_.push_back({tag, shared_used_, size_bytes});
  shared_used_ += (size_bytes + 15) / 16 * 16;
  return shared_.data() + areas_.back().begin;
}

void ThreadBlock::Fail(const char* what) {
  Note(what);
  Stop();
}

void ThreadBlock::FailAt(std::int64_t i, std::int64_t size, const char* memory) {
  Note("element " + std::to_string(i) + " of " + std::to_string(size) + " in " + memory);
  Stop();
}

void ThreadBlock::Note(const std::string& fault) {
  const Dim3& block = shape_.block;
  fault_ = fault + ", in thread " + std::to_string(running_) + " of block (" +
           std::to_string(block.x) + ", " + std::to_string(block.y) + ", " +
           std::to_string(block.z) + ")";
}

void ThreadBlock::Stop() {
  for (;;) Suspend();
}

}  // namespace espalier::emulated
