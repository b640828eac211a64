// SglFunction: a function that @sgl.function has made a program.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "frontend_lang/program/executor.h"
#include "frontend_lang/script/objects.h"

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

  // A StateObject whose function has returned; its gens may still be running.
  lang::Outcome<lang::Value> Run(lang::Host& host, const lang::Args& args);
  lang::Outcome<lang::Value> RunBatch(lang::Host& host, const lang::Args& args);
  lang::Outcome<lang::Value> Bind(lang::Host& host, const lang::Args& args);

 private:
  struct Batch;

  void Clear() override {
    function_ = lang::Value();
    bound_.clear();
  }
  lang::Outcome<lang::Value> Start(lang::Host& host, std::uint64_t seed, GenOptions defaults,
                                   const lang::Args& args);
  void RunRows(lang::Host& host, Batch& batch);
  lang::Outcome<lang::Value> RunRow(lang::Host& host, const Batch& batch, std::size_t row);

  Executor& executor_;
  lang::Value function_;
  Bound bound_;
};

// The module sglang, also known as sgl.
lang::Value MakeSglModule(lang::Heap& heap, Executor& executor);

}  // namespace espalier::program
