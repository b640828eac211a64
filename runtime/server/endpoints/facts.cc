// What the model and the server are, for SGLang's frontend, routers and Prometheus.
#include "runtime/local/token_text.h"
#include "runtime/server/endpoints/endpoints.h"
#include "runtime/server/server_metrics.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

// SGLang's frontend takes what a server can do from its version.
constexpr std::string_view kSglangVersion = "0.5.5";

Json LoadJson(Service& service) {
  const EngineMetrics engine = service.model().engine().metrics();
  return {{"dp_rank", 0},
          {"num_reqs", engine.running + engine.queued},
          {"num_waiting_reqs", engine.queued},
          {"num_tokens", engine.kv_tokens_used}};
}

}  // namespace

void ModelFacts(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  Json facts = {{"model_path", service.served().options().path},
                {"tokenizer_path", service.served().options().path},
                {"is_generation", true},
                {"preferred_sampling_params", nullptr},
                {"weight_version", "default"},
                {"served_model_name", service.served().name()}};
  const Result<Backend::ChatModel> chat =
      ChatModelOf(service.model().gguf(), service.tokenizer(), service.served().name());
  if (chat.ok()) {
    facts["chat_template"] = chat->chat_template;
    facts["bos_token"] = chat->bos;
    facts["eos_token"] = chat->eos;
  }
  AnswerJson(*exchange, facts);
}

void ServerFacts(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  const EngineMetrics engine = service.model().engine().metrics();
  const LocalModel::KvCacheSize kv = service.model().kv_cache();
  const double per_second = engine.total_seconds > 0
                                ? static_cast<double>(engine.output_tokens) / engine.total_seconds
                                : 0.0;
  const Json rank = {{"last_gen_throughput", per_second},
                     {"memory_usage", {{"kvcache", kv.bytes}, {"token_capacity", kv.tokens}}}};
  AnswerJson(*exchange, {{"model_path", service.served().options().path},
                         {"served_model_name", service.served().name()},
                         {"tokenizer_path", service.served().options().path},
                         {"dp_size", 1},
                         {"tp_size", 1},
                         {"version", kSglangVersion},
                         {"server", "espalier"},
                         {"context_length", service.model().context_length()},
                         {"max_total_num_tokens", kv.tokens},
                         {"max_running_requests", service.served().options().max_running},
                         {"internal_states", Json::array({rank})}});
}

void Load(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  AnswerJson(*exchange, Json::array({LoadJson(service)}));
}

void Loads(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  AnswerJson(*exchange, {{"loads", Json::array({LoadJson(service)})}});
}

void Metrics(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  const ServerGauges gauges{.model_name = service.served().name(),
                            .engine = service.model().engine().metrics(),
                            .kv_cache_tokens = service.model().kv_cache().tokens,
                            .page_size = service.served().options().page_size,
                            .vllm_names = service.options().vllm_metrics};
  exchange->Answer({.content_type = "text/plain; version=0.0.4; charset=utf-8",
                    .body = MetricsText(service.metrics(), gauges)});
}

}  // namespace espalier::endpoints
