// SglFunction: a function that @sgl.function has made a program.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "frontend_lang/program/executor.h"
#include "frontend_lang/script/machine/objects.h"

namespace espalier::program {

class SglFunction final : public lang::Extension {
 public:
  using Bound = std::vector<std::pair<std::string, lang::Value>>;

  // REQUIRES: function is a ScriptFunction.
  SglFunction(lang::Heap& heap, Executor& executor, lang::Value function, Bound bound)
      : Extension(heap, lang::Type::kExtension),
        executor_(executor),
        function_(std::move(function)),
        bound_(std::move(bound)) {}

  script::ScriptFunction& function() const {
    return *script::Exactly<script::ScriptFunction>(function_);
  }
  std::string_view TypeName() const override { return "SglFunction"; }
  lang::Outcome<lang::Value> GetAttr(lang::Host& host, std::string_view name) override;
  lang::Outcome<lang::Value> Call(lang::Host& host, const lang::Args& args) override {
    return Run(host, args);
  }

  // A StateObject whose function has returned (with stream=True: is running); its gens may
  // still be running. With a state as first argument the function runs on that state.
  lang::Outcome<lang::Value> Run(lang::Host& host, const lang::Args& args);
  // A list of states, or an iterator over them (batch_run.h).
  lang::Outcome<lang::Value> RunBatch(lang::Host& host, const lang::Args& args);
  lang::Outcome<lang::Value> Bind(lang::Host& host, const lang::Args& args);

  lang::Value NewState(std::uint64_t seed, GenOptions defaults);
  // Calls the function on a state. What it returns becomes the state's ret_value.
  lang::Fault RunBody(lang::Host& host, const lang::Value& state, const lang::Args& args);

 private:
  void Clear() override {
    function_ = lang::Value();
    bound_.clear();
  }
  void RunBeside(const lang::Value& state, const lang::Args& args);
  lang::Fault CheckRow(const lang::Value& row) const;

  Executor& executor_;
  lang::Value function_;
  Bound bound_;
};

// Adds the module sglang, also known as sgl, and its parts.
void AddSglModules(script::Machine& machine, Executor& executor);

}  // namespace espalier::program
