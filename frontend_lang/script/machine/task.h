// Task: the stacks of one thread of script. Frames live here, on the heap, so a deep
// recursion of a program needs no deep C++ stack.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "frontend_lang/script/compile/bytecode.h"
#include "frontend_lang/script/machine/objects.h"
#include "frontend_lang/script/machine/value_stack.h"

namespace espalier::script {

class Generator;
struct LoadedFile;

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
  LoadedFile* file;  // of the routine
  Value function;    // of a generator's frame: the generator
  int at = 0;        // next instruction
  std::size_t base;  // local 0, in Task::values; below it lies what was called
  std::size_t first_block, first_handled;
  Generator* generator = nullptr;  // whose frame this is, or null
  int on_end = -1;  // a generator that another frame iterates: where that one goes at the end
  bool gives_result = false;  // and whether it takes what this returned
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
  Value event_loop;            // of asyncio, while one runs here
  Value set_event_loop;        // of asyncio.get_event_loop, where none runs
};

}  // namespace espalier::script
