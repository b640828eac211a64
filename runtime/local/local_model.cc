#include "runtime/local/local_model.h"

#include <algorithm>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "runtime/local/free_memory.h"
#include "runtime/local/model_file.h"
#include "runtime/tokenizer/load.h"

namespace espalier {
namespace {

constexpr int kDefaultChunkTokens = 128;
constexpr int kMostLogits = 256;  // of a step; a larger one goes on in the next

EngineOptions ToEngineOptions(const LocalModelOptions& options) {
  EngineOptions engine;
  engine.page_size = options.page_size;
  engine.prefix_cache = !options.no_prefix_cache;
  engine.in_batch_sharing = !options.no_in_batch_sharing;
  engine.schedule_conservativeness = options.schedule_conservativeness;
  engine.jump_forward = !options.no_jump_forward;
  engine.max_running = options.max_running;
  engine.chunk_tokens = options.chunk_tokens > 0
                            ? options.chunk_tokens
                            : std::max(kDefaultChunkTokens, options.max_running);
  engine.max_logits = std::min(std::max(engine.chunk_tokens, options.max_running), kMostLogits);
  engine.policy = FindQueuePolicy(options.policy).value_or(QueuePolicy::kLpm);
  engine.eviction = FindEvictionPolicy(options.eviction).value_or(EvictionPolicy::kLru);
  engine.cache_quota_tokens = options.cache_quota_tokens;
  return engine;
}

// A quarter of free memory, and no more than max_running full contexts can fill.
int DefaultKvCacheTokens(const Model& model, int max_running) {
  const std::int64_t fits = FreeMemoryBytes() / 4 / model.kv_shape().bytes_per_token();
  const std::int64_t useful = std::int64_t{model.context_length()} * max_running;
  constexpr std::int64_t kMost = std::numeric_limits<int>::max() / 2;
  return static_cast<int>(std::clamp<std::int64_t>(std::min(fits, useful), 1, kMost));
}

}  // namespace

LocalModel::LocalModel(const LocalModelOptions& options)
    : name_(ModelName(options.model)), pool_(options.threads) {}

// Only here memory and threads are taken whose number an option chooses.
Result<std::unique_ptr<LocalModel>> LocalModel::Load(const LocalModelOptions& options,
                                                     const LocalModelParts& parts) {
  try {
    std::unique_ptr<LocalModel> local(new LocalModel(options));
    ESP_RETURN_IF_ERROR(local->Start(options, parts));
    return local;
  } catch (const std::bad_alloc&) {
    return Status(Code::kLimit,
                  fmt::format("there is not enough memory for steps of this size: give less than "
                              "--chunk-tokens {} or --max-running {}",
                              ToEngineOptions(options).chunk_tokens, options.max_running));
  } catch (const std::system_error& error) {
    return Status(Code::kLimit, fmt::format("--threads {}: the system does not give as many: {}",
                                            options.threads, error.what()));
  }
}

Status LocalModel::Start(const LocalModelOptions& options, const LocalModelParts& parts) {
  EngineOptions engine = ToEngineOptions(options);
  ModelOptions model;
  model.device = options.device;
  model.isa = options.isa;
  model.page_size = options.page_size;
  model.limits = {.max_tokens = engine.chunk_tokens, .max_logits = engine.max_logits};

  ESP_RETURN_IF_ERROR(events_.Open());
  ESP_ASSIGN_OR_RETURN(gguf_, OpenModelFile(options.model));
  ESP_ASSIGN_OR_RETURN(tokenizer_, OfModelFile(options.model, TokenizerFromGguf(*gguf_)));
  ESP_ASSIGN_OR_RETURN(model_, parts.make_model
                                   ? parts.make_model(*tokenizer_, model)
                                   : OfModelFile(options.model, LoadModel(gguf_, model, pool_)));
  engine.kv_cache_tokens =
      options.kv_cache_tokens.value_or(DefaultKvCacheTokens(*model_, options.max_running));
  engine.tokenizer = tokenizer_;
  engine.clock_us = parts.clock_us;
  engine.post = parts.post;
  kv_cache_ = {engine.kv_cache_tokens,
               engine.kv_cache_tokens * model_->kv_shape().bytes_per_token()};
  ESP_ASSIGN_OR_RETURN(engine_, Engine::Create(engine, *model_, tokenizer_->vocabulary(), pool_,
                                               events_.engine_outbox()));
  if (parts.stepping == LocalModelParts::Stepping::kByThread) {
    thread_ = std::thread([this] { engine_->Run(); });
  }
  return Status();
}

LocalModel::~LocalModel() {
  if (!thread_.joinable()) return;
  engine_->Stop();
  thread_.join();
}

}  // namespace espalier
