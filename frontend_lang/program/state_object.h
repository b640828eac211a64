// StateObject and StateGroup: what a program sees of its prompt states: the s of an
// @sgl.function, what run returns, what fork returns.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/program/executor.h"
#include "frontend_lang/script/machine/objects.h"

namespace espalier::program {

class StateObject final : public script::Accumulator {
 public:
  StateObject(lang::Heap& heap, Executor& executor, PromptState& state)
      : Accumulator(heap), executor_(executor), state_(state) {}

  Executor& executor() { return executor_; }
  PromptState& state() { return state_; }

  std::string_view TypeName() const override { return "ProgramState"; }
  // "ProgramState(<its text>)". Waits for the text.
  lang::Outcome<std::string> Repr(lang::Host& host) override;
  lang::Outcome<lang::Value> AddInPlace(lang::Host& host, const lang::Value& value) override;
  lang::Outcome<lang::Value> GetAttr(lang::Host& host, std::string_view name) override;
  lang::Outcome<lang::Value> GetItem(lang::Host& host, const lang::Value& key) override;
  lang::Outcome<bool> SetItem(lang::Host& host, const lang::Value& key, lang::Value) override;
  lang::Outcome<lang::Value> Contains(lang::Host& host, const lang::Value& key) override;

  lang::Value return_value;

 private:
  void Clear() override { return_value = lang::Value(); }
  lang::Outcome<lang::Value> Append(const StateObject& nested);

  Executor& executor_;
  PromptState& state_;
};

class StateGroup final : public script::Accumulator {
 public:
  StateGroup(lang::Heap& heap, lang::Value parent, std::vector<lang::Value> states)
      : Accumulator(heap), parent_(std::move(parent)), states_(std::move(states)) {}

  std::string_view TypeName() const override { return "ProgramStateGroup"; }
  lang::Outcome<lang::Value> AddInPlace(lang::Host& host, const lang::Value& value) override;
  lang::Outcome<lang::Value> GetAttr(lang::Host& host, std::string_view name) override;
  lang::Outcome<lang::Value> GetItem(lang::Host& host, const lang::Value& key) override;
  // Takes back what GetItem gave, and nothing else: forks[i] += expression.
  lang::Outcome<bool> SetItem(lang::Host& host, const lang::Value& key, lang::Value) override;
  lang::Outcome<lang::Value> Length(lang::Host& host) override;
  lang::Outcome<lang::Value> Iterate(lang::Host& host) override;

  // Waits for all forks and gives the parent what they have.
  lang::Fault Join(std::string_view mode);
  const std::vector<lang::Value>& states() const { return states_; }

 private:
  void Clear() override {
    parent_ = lang::Value();
    states_.clear();
  }

  lang::Value parent_;
  std::vector<lang::Value> states_;
};

}  // namespace espalier::program
