// Task: the stacks of one thread of script. Frames live here, on the heap, so a deep
// recursion of a program needs no deep C++ stack.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "frontend_lang/script/bytecode.h"
#include "frontend_lang/script/objects.h"
#include "frontend_lang/script/value_stack.h"

namespace espalier::script {

class Generator;

struct Block {             // of a try or with that is entered
  int handler;             // instruction
  std::size_t num_values;  // that stay on the stack
  std::size_t num_handled;
};

// What becomes of the value that a frame returns.
enum class Then : std::uint8_t {
  kResult,     // it is the result of the call
  kNewObject,  // of an __init__: must be None; the object in the callee's place is the result
};

struct Frame {
  const Routine* routine;
  const Program* program;
  Value function;    // keeps the two alive; of a generator's frame: the generator
  int at = 0;        // next instruction
  std::size_t base;  // local 0, in Task::values; below it lies what was called
  std::size_t first_block, first_handled;
  Generator* generator = nullptr;  // whose frame this is, or null
  int on_end = -1;                 // a generator in a for: where the loop's frame goes at the end
  // Of a plain routine, called by the run loop: neither the last frame of that loop, nor
  // with anything but values to leave.
  bool plain = false;
  Then then = Then::kResult;
};

struct Task {
  ValueStack values;
  std::vector<Frame> frames;
  std::vector<Block> blocks;
  std::vector<Value> handled;  // errors whose handlers are running, innermost last
  int native_depth = 0;        // calls from built-in operations back into script
};

// The state of a generator between two values.
class Generator final : public lang::Iterator {
 public:
  enum class State { kWaiting, kRunning, kDone };

  Generator(Heap& heap, Frame frame, std::vector<Value> values)
      : Iterator(heap),
        frame_(std::move(frame)),
        keep_(std::move(frame_.function)),
        values_(std::move(values)) {}

  std::string_view TypeName() const override { return "generator"; }
  Outcome<bool> Next(Host& host, Value& value) override;

  State state() const { return state_; }
  bool started() const { return started_; }

  // Moves the frame onto the task, with None as the value of the yield that waits.
  void Resume(Task& task);
  // Moves it off the task. REQUIRES: its frame is the last.
  void Suspend(Task& task);
  void Finish();

 private:
  void Clear() override { Finish(); }

  State state_ = State::kWaiting;
  bool started_ = false;
  Frame frame_;  // its function is this generator while it runs, and None while it waits
  Value keep_;   // the function
  std::vector<Value> values_;  // locals and stack
  std::vector<Block> blocks_;  // num_values and num_handled relative to the frame's own
};

}  // namespace espalier::script
