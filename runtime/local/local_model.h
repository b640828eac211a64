// LocalModel: a model file loaded and running in this process: weights, tokenizer,
// compute threads, and an engine on a thread of its own.
//
// Whoever submits takes the events out again: at events(), one thread; or at a port of
// its own, which its requests name.
//
// Thread safety: engine() as the engine says; events() for one thread; the rest is
// immutable.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/base/status.h"
#include "kernels/base/thread_pool.h"
#include "runtime/engine/engine.h"
#include "runtime/local/event_port.h"
#include "runtime/local/local_model_options.h"
#include "runtime/model/gguf.h"
#include "runtime/model/model.h"
#include "runtime/model/registry.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

// What takes the place of the usual parts, for who runs a model otherwise.
struct LocalModelParts {
  // Makes the model that runs; empty: LoadModel.
  std::function<Result<std::unique_ptr<Model>>(const Tokenizer& tokenizer,
                                               const ModelOptions& options)>
      make_model;
  std::function<std::uint64_t()> clock_us;               // as in EngineOptions
  std::function<void(std::function<void()> work)> post;  // as in EngineOptions
  enum class Stepping : std::uint8_t { kByThread, kByCaller };
  Stepping stepping = Stepping::kByThread;  // who calls Engine::Step
};

class LocalModel {
 public:
  // Loads, and starts the engine's thread, if it has one. Fails as WakeFd::Open, OpenModelFile,
  // LoadModel, TokenizerFromGguf and Engine::Create do, and with kLimit where the machine does not
  // give the memory or the threads.
  static Result<std::unique_ptr<LocalModel>> Load(const LocalModelOptions& options,
                                                  const LocalModelParts& parts = {});
  ~LocalModel();  // stops the engine; unfinished requests are dropped

  Engine& engine() { return *engine_; }
  const Tokenizer& tokenizer() const { return *tokenizer_; }
  const Gguf& gguf() const { return *gguf_; }
  const std::string& name() const { return name_; }
  std::int32_t context_length() const { return model_->context_length(); }
  std::int32_t hidden_size() const { return model_->hidden_size(); }
  std::int32_t vocab_size() const { return model_->vocab_size(); }
  int num_threads() const { return pool_.num_threads(); }

  struct KvCacheSize {
    std::int64_t tokens = 0, bytes = 0;
  };
  KvCacheSize kv_cache() const { return kv_cache_; }

  FdEventPort& events() { return events_; }

  // Has `work` done by a compute thread that has nothing else to do. Thread-safe.
  void Post(std::function<void()> work) { pool_.Post(std::move(work)); }

 private:
  explicit LocalModel(const LocalModelOptions& options);
  Status Start(const LocalModelOptions& options, const LocalModelParts& parts);

  // In the order that destruction needs: the engine goes first.
  std::string name_;
  ThreadPool pool_;
  FdEventPort events_;
  std::shared_ptr<const Gguf> gguf_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  std::unique_ptr<Model> model_;
  KvCacheSize kv_cache_;
  std::unique_ptr<Engine> engine_;
  std::thread thread_;  // runs engine_->Run()
};

}  // namespace espalier
