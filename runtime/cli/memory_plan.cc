#include "runtime/cli/memory_plan.h"

#include <fmt/format.h>

#include "runtime/model/kv_pool.h"

namespace espalier {
namespace {

PlannedSpeed SpeedOf(const StepCost& cost, const StepWork& work) {
  const double tokens = static_cast<double>(work.tokens);
  const double reading_kv = static_cast<double>(work.kv_tokens) * cost.kv_token_s;
  const double products =
      tokens * cost.token_s + static_cast<double>(work.attended) * cost.attended_s;
  const double seconds = cost.Seconds(work);
  const std::string_view reading = reading_kv > cost.weights_s ? "reading KV" : "reading weights";
  return {.tokens_per_s = tokens / seconds,
          .seconds = seconds,
          .bound_by = products > reading_kv + cost.weights_s ? "compute" : reading};
}

}  // namespace

ModelSize ModelSizeOf(const Gguf& gguf, const ModelConfig& config) {
  const bool tied = gguf.FindTensor("output.weight") == nullptr;
  ModelSize size;
  for (const Gguf::Tensor& tensor : gguf.tensors()) {
    if (tensor.name == "token_embd.weight" && !tied) continue;
    size.weight_bytes += tensor.view.size_bytes();
    if (tensor.view.rows > 1) size.multiplied += tensor.view.rows * tensor.view.columns;
  }
  size.kv_bytes_per_token = KvShape{.num_layers = config.num_layers,
                                    .num_kv_heads = config.num_kv_heads,
                                    .head_dim = config.head_dim}
                                .bytes_per_token();
  size.attention_width = std::int64_t{config.num_layers} * config.num_heads * config.head_dim;
  return size;
}

Result<MemoryPlan> PlanMemory(const PlanInput& input) {
  const double left = input.memory_bytes - static_cast<double>(input.stored_bytes);
  if (left < 0) {
    return Status(Code::kLimit, fmt::format("the weights take {} bytes, and --memory is {:.0f}",
                                            input.stored_bytes, input.memory_bytes));
  }
  MemoryPlan plan;
  const std::int64_t page_bytes = input.model.kv_bytes_per_token * input.page_size;
  plan.kv_bytes = static_cast<std::int64_t>(left);
  plan.pages = plan.kv_bytes / page_bytes;
  plan.kv_tokens = plan.pages * input.page_size;
  const std::int64_t pages_a_user = (input.context - 1) / input.page_size + 1;
  plan.users = plan.pages / pages_a_user;
  if (plan.users == 0) {
    return Status(Code::kLimit,
                  fmt::format("a context of {} tokens takes {} bytes, and {} are left beside the "
                              "weights: choose a smaller --context",
                              input.context, pages_a_user * page_bytes, plan.kv_bytes));
  }
  const StepCost cost =
      CostOf(input.model, {.bytes_per_s = input.bytes_per_s, .flops = input.flops});
  const std::int64_t context = input.context, all = plan.users * context;
  plan.decode_one = SpeedOf(cost, {.tokens = 1, .kv_tokens = context, .attended = context});
  plan.decode_all = SpeedOf(cost, {.tokens = plan.users, .kv_tokens = all, .attended = all});
  plan.prefill = SpeedOf(
      cost, {.tokens = context, .kv_tokens = context, .attended = context * (context + 1) / 2});
  plan.compute_bound_at = cost.weights_s / cost.token_s;
  return plan;
}

}  // namespace espalier
