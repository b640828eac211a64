#include "frontend_lang/program/batch_run.h"

#include <algorithm>
#include <utility>

#include "frontend_lang/program/state_object.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/random.h"

namespace espalier::program {

using lang::Args;
using lang::Fault;
using lang::Outcome;
using lang::Value;

void BatchRun::Start(std::size_t begin, std::size_t end) {
  begin_ = next_ = begin;
  end_ = end;
  states_.assign(end - begin, Value());
  const auto num_rows = static_cast<std::int64_t>(end - begin);
  num_running_ = static_cast<int>(std::min(num_rows, plan_->num_workers));
  for (int i = num_running_; i > 0; --i) {
    executor_.Spawn(plan_->seed, [batch = shared_from_this()] { batch->RunRows(); });
  }
}

Fault BatchRun::Wait() {
  return executor_.WaitUntil(nullptr, [this] { return num_running_ == 0; });
}

Value BatchRun::TakeState(std::size_t row) { return std::move(states_[row - begin_]); }

// One worker: takes rows until there are no more.
void BatchRun::RunRows() {
  while (next_ < end_ && !executor_.stopping()) {
    const std::size_t row = next_++;
    executor_.current().seed = ChildSeed(plan_->seed, row);
    executor_.current().num_calls = 0;
    RunRow(row);
    ++num_done_;
    if (plan_->shows_progress && executor_.options().progress) {
      executor_.options().progress(num_done_, static_cast<int>(plan_->rows.size()));
    }
  }
  --num_running_;
}

void BatchRun::RunRow(std::size_t row) {
  SglFunction& function = *script::Exactly<SglFunction>(function_);
  const Value& given = plan_->rows[row];
  const Value object = function.NewState(ChildSeed(plan_->seed, row), plan_->defaults);
  states_[row - begin_] = object;
  PromptState& state = script::Exactly<StateObject>(object)->state();
  std::vector<Value> positional;
  std::vector<lang::Keyword> keywords;
  if (const auto* dict = given.If<lang::Dict>()) {
    std::size_t position = 0;
    for (const auto* entry = dict->EntryAt(position); entry != nullptr;
         entry = dict->EntryAt(++position)) {
      keywords.push_back({lang::TextOf(entry->key), entry->value});
    }
  } else {
    auto items = lang::Collect(executor_.machine(), given);
    if (!items.ok()) return executor_.FailWith(state, items.TakeFault());
    positional = std::move(*items);
  }
  Fault fault = function.RunBody(executor_.machine(), object, Args{positional, keywords});
  if (!fault.ok()) return executor_.FailWith(state, std::move(fault));
  fault = executor_.WaitUntilEnded(state);  // fails only when all is to stop
}

Outcome<bool> BatchStates::Next(lang::Host&, Value& value) {
  if (next_ == num_rows_) return false;
  if (next_ == end_) {
    end_ = std::min(end_ + kRowsAtOnce, num_rows_);
    batch_->Start(next_, end_);
    ESP_TRY(batch_->Wait());
  }
  value = batch_->TakeState(next_++);
  return true;
}

}  // namespace espalier::program
