#include "runtime/cli/bench/bench_model.h"

#include <utility>

#include "runtime/cli/bench/simulated_model.h"
#include "runtime/cli/load.h"

namespace espalier {

Result<std::unique_ptr<BenchModel>> BenchModel::Load(const CommonFlags& flags,
                                                     const SimulatedMachine* machine) {
  std::unique_ptr<BenchModel> model(new BenchModel);
  if (machine != nullptr) {
    ESP_RETURN_IF_ERROR(RefuseUrl(flags));
    ESP_RETURN_IF_ERROR(model->Simulate(flags.local, *machine));
  } else {
    ESP_ASSIGN_OR_RETURN(model->local_, LoadLocalModel(flags));
  }
  model->start_ = std::chrono::steady_clock::now();
  return model;
}

Status BenchModel::Simulate(LocalModelOptions options, const SimulatedMachine& machine) {
  is_simulated_ = true;
  if (!options.kv_cache_tokens) options.kv_cache_tokens = machine.kv_cache_tokens;
  if (options.chunk_tokens == 0) options.chunk_tokens = machine.chunk_tokens;
  LocalModelParts parts;
  parts.make_model = [this, &machine](const Tokenizer& tokenizer,
                                      const ModelOptions& model) -> Result<std::unique_ptr<Model>> {
    return std::unique_ptr<Model>(std::make_unique<SimulatedModel>(
        *tokenizer.vocabulary(), machine.context_length, model.page_size, machine.cost,
        [this](double seconds) { simulated_s_ += seconds; }));
  };
  parts.clock_us = [this] { return static_cast<std::uint64_t>(simulated_s_ * 1e6); };
  parts.post = [this](std::function<void()> work) { stepped_.Post(std::move(work)); };
  parts.stepping = LocalModelParts::Stepping::kByCaller;
  ESP_ASSIGN_OR_RETURN(local_, LocalModel::Load(options, parts));
  stepped_.Drive(local_->engine());
  return Status();
}

double BenchModel::Seconds() const {
  if (is_simulated_) return simulated_s_;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace espalier
