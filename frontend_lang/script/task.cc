#include "frontend_lang/script/task.h"

#include <algorithm>

#include "frontend_lang/script/machine.h"

namespace espalier::script {

void Generator::Resume(Task& task) {
  const std::size_t base = task.values.size(), num_handled = task.handled.size();
  task.values.Reserve(frame_.routine->locals.size() +
                      static_cast<std::size_t>(frame_.routine->max_pushed));
  std::move(values_.begin(), values_.end(), std::back_inserter(task.values));
  values_.clear();
  if (started_) task.values.emplace_back();  // what the yield gives
  frame_.base = base;
  frame_.first_block = task.blocks.size();
  frame_.first_handled = num_handled;
  frame_.generator = this;
  frame_.function = Value(this);
  for (Block block : blocks_) {
    block.num_values += base;
    block.num_handled += num_handled;
    task.blocks.push_back(block);
  }
  blocks_.clear();
  task.frames.push_back(std::move(frame_));
  started_ = true;
  state_ = State::kRunning;
}

// Errors whose handlers run are kept by the program's variables, if at all; a
// generator that yields inside a handler finds none when it goes on.
void Generator::Suspend(Task& task) {
  const Value held(this);
  frame_ = std::move(task.frames.back());
  task.frames.pop_back();
  frame_.function = Value();
  Value* const first = task.values.begin() + frame_.base;
  values_.assign(std::make_move_iterator(first), std::make_move_iterator(task.values.end()));
  task.values.erase(first, task.values.end());
  for (std::size_t i = frame_.first_block; i < task.blocks.size(); ++i) {
    Block block = task.blocks[i];
    block.num_values -= frame_.base;
    block.num_handled = 0;
    blocks_.push_back(block);
  }
  task.blocks.resize(frame_.first_block);
  task.handled.resize(frame_.first_handled);
  state_ = State::kWaiting;
}

void Generator::Finish() {
  state_ = State::kDone;
  values_.clear();
  blocks_.clear();
  keep_ = Value();
}

Outcome<bool> Generator::Next(Host& host, Value& value) {
  const Value held(this);
  ESP_TRY_ASSIGN(Value next, static_cast<Machine&>(host).ResumeNested(*this));
  if (next.is_unset()) return false;
  value = std::move(next);
  return true;
}

}  // namespace espalier::script
