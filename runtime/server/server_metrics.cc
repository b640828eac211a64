#include "runtime/server/server_metrics.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace espalier {
namespace {

constexpr std::array<double, 16> kFirstTokenBounds = {0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8,
                                                      1.5,   3,    6,     12,   25,  50,  100, 200};
constexpr std::array<double, 14> kInterTokenBounds = {0.002, 0.004, 0.008, 0.015, 0.025, 0.04, 0.06,
                                                      0.1,   0.2,   0.4,   0.8,   1.5,   3,    6};
constexpr std::array<double, 12> kDelayBounds = {0.0001, 0.00025, 0.0005, 0.001, 0.002, 0.003,
                                                 0.005,  0.01,    0.02,   0.05,  0.1,   1};
constexpr std::array<double, 14> kWholeBounds = {0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3,
                                                 6,    12,  25,  50,  100, 200, 400};

// A label's value as the format wants it.
std::string Escaped(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (c == '\n') {
      text += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') text += '\\';
    text += c;
  }
  return text;
}

class Text {
 public:
  explicit Text(std::string_view model_name)
      : label_(fmt::format("model_name=\"{}\"", Escaped(model_name))) {}

  void Add(std::string_view name, std::string_view type, std::string_view help, double value) {
    Head(name, type, help);
    text_ += fmt::format("{}{{{}}} {}\n", name, label_, value);
  }

  void Add(std::string_view name, std::string_view help, const Histogram& histogram) {
    Head(name, "histogram", help);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < histogram.counts().size(); ++i) {
      count += histogram.counts()[i];
      const std::string bound =
          i < histogram.bounds().size() ? fmt::format("{}", histogram.bounds()[i]) : "+Inf";
      text_ += fmt::format("{}_bucket{{{},le=\"{}\"}} {}\n", name, label_, bound, count);
    }
    text_ += fmt::format("{}_sum{{{}}} {}\n{}_count{{{}}} {}\n", name, label_, histogram.sum(),
                         name, label_, count);
  }

  // One line a status; 0 is told as 499.
  void AddAnswers(const std::map<int, std::int64_t>& num_answers) {
    constexpr std::string_view kName = "espalier:http_answers_total";
    Head(kName, "counter", "HTTP requests, by the status of their answers");
    for (const auto& [status, count] : num_answers) {
      text_ += fmt::format("{}{{{},status=\"{}\"}} {}\n", kName, label_, status == 0 ? 499 : status,
                           count);
    }
  }

  void AddPages(std::string_view name, std::string_view size, std::string_view count,
                const ServerGauges& gauges) {
    Head(name, "gauge", "Pages of the KV cache");
    const std::int64_t num_pages =
        gauges.page_size > 0 ? gauges.kv_cache_tokens / gauges.page_size : 0;
    text_ += fmt::format("{}{{{},{}=\"{}\",{}=\"{}\"}} 1\n", name, label_, size, gauges.page_size,
                         count, num_pages);
  }

  std::string Take() { return std::move(text_); }

 private:
  void Head(std::string_view name, std::string_view type, std::string_view help) {
    text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
  }

  const std::string label_;
  std::string text_;
};

double HitRate(const EngineMetrics& engine) {
  const std::int64_t all = engine.cached_tokens + engine.computed_tokens;
  return all > 0 ? static_cast<double>(engine.cached_tokens) / static_cast<double>(all) : 0;
}

double KvUse(const ServerGauges& gauges) {
  if (gauges.kv_cache_tokens <= 0) return 0;
  return static_cast<double>(gauges.engine.kv_tokens_used) /
         static_cast<double>(gauges.kv_cache_tokens);
}

double Throughput(const EngineMetrics& engine) {
  if (engine.total_seconds <= 0) return 0;
  return static_cast<double>(engine.output_tokens) / engine.total_seconds;
}

void AddSglangNames(const ServerMetrics& metrics, const ServerGauges& gauges, Text& text) {
  const EngineMetrics& engine = gauges.engine;
  const auto gauge = [&](std::string_view name, std::string_view help, auto value) {
    text.Add(fmt::format("sglang:{}", name), "gauge", help, static_cast<double>(value));
  };
  const auto counter = [&](std::string_view name, std::string_view help, auto value) {
    text.Add(fmt::format("sglang:{}", name), "counter", help, static_cast<double>(value));
  };
  gauge("num_running_reqs", "Choices running", engine.running);
  gauge("num_queue_reqs", "Choices waiting", engine.queued);
  gauge("num_used_tokens", "Tokens of the KV cache that are in use", engine.kv_tokens_used);
  gauge("token_usage", "Share of the KV cache that is in use", KvUse(gauges));
  gauge("gen_throughput", "Tokens generated a second of work", Throughput(engine));
  gauge("max_total_num_tokens", "Tokens that the KV cache holds", gauges.kv_cache_tokens);
  gauge("cache_hit_rate", "Share of tokens found in the prefix cache", HitRate(engine));
  counter("prompt_tokens_total", "Prompt tokens of finished requests", metrics.prompt_tokens);
  counter("generation_tokens_total", "Tokens generated", metrics.output_tokens);
  counter("cached_tokens_total", "Prompt tokens found in the prefix cache", metrics.cached_tokens);
  counter("num_requests_total", "Requests answered", metrics.num_requests);
  counter("num_so_requests_total", "Of those, with a constraint", metrics.num_constrained);
  counter("num_aborted_requests_total", "Requests that ended early", metrics.num_aborted);
  counter("num_retracted_requests_total", "Sequences that gave way when pages ran out",
          engine.num_preemptions);
  text.Add("sglang:time_to_first_token_seconds", "From the request to its first text",
           metrics.time_to_first_token_s);
  text.Add("sglang:inter_token_latency_seconds", "Between two pieces of text",
           metrics.inter_token_latency_s);
  text.Add("sglang:e2e_request_latency_seconds", "From the request to its end",
           metrics.e2e_latency_s);
  text.AddPages("sglang:cache_config_info", "page_size", "num_pages", gauges);
}

void AddVllmNames(const ServerMetrics& metrics, const ServerGauges& gauges, Text& text) {
  const EngineMetrics& engine = gauges.engine;
  const auto add = [&](std::string_view name, std::string_view type, std::string_view help,
                       auto value) {
    text.Add(fmt::format("vllm:{}", name), type, help, static_cast<double>(value));
  };
  add("num_requests_running", "gauge", "Choices running", engine.running);
  add("num_requests_waiting", "gauge", "Choices waiting", engine.queued);
  add("kv_cache_usage_perc", "gauge", "Share of the KV cache that is in use", KvUse(gauges));
  add("prefix_cache_queries_total", "counter", "Tokens looked up",
      engine.cached_tokens + engine.computed_tokens);
  add("prefix_cache_hits_total", "counter", "Tokens found", engine.cached_tokens);
  add("num_preemptions_total", "counter", "Preemptions", engine.num_preemptions);
  add("prompt_tokens_total", "counter", "Prompt tokens", metrics.prompt_tokens);
  add("generation_tokens_total", "counter", "Tokens generated", metrics.output_tokens);
  text.Add("vllm:time_to_first_token_seconds", "From the request to its first text",
           metrics.time_to_first_token_s);
  text.Add("vllm:inter_token_latency_seconds", "Between two pieces of text",
           metrics.inter_token_latency_s);
  text.Add("vllm:e2e_request_latency_seconds", "From the request to its end",
           metrics.e2e_latency_s);
  text.AddPages("vllm:cache_config_info", "block_size", "num_gpu_blocks", gauges);
}

}  // namespace

void Histogram::Add(double value) {
  const auto at = std::lower_bound(bounds_.begin(), bounds_.end(), value);
  ++counts_[static_cast<std::size_t>(at - bounds_.begin())];
  sum_ += value;
}

void ServerMetrics::CountAnswer(int http_status) { ++num_answers[http_status]; }

ServerMetrics::ServerMetrics()
    : time_to_first_token_s(kFirstTokenBounds),
      inter_token_latency_s(kInterTokenBounds),
      e2e_latency_s(kWholeBounds),
      loop_delay_s(kDelayBounds) {}

std::string MetricsText(const ServerMetrics& metrics, const ServerGauges& gauges) {
  Text text(gauges.model_name);
  AddSglangNames(metrics, gauges, text);
  for (const EngineMetric& row : EngineMetricRows()) {
    const double value = std::visit(
        [&](auto member) { return static_cast<double>(gauges.engine.*member); }, row.member);
    const bool is_gauge = row.name == "queued" || row.name == "running";
    text.Add(fmt::format("espalier:{}{}", row.name, is_gauge ? "" : "_total"),
             is_gauge ? "gauge" : "counter", row.help, value);
  }
  text.AddAnswers(metrics.num_answers);
  text.Add("espalier:loop_delay_seconds", "How late the io loop comes to what it has to do",
           metrics.loop_delay_s);
  if (gauges.vllm_names) AddVllmNames(metrics, gauges, text);
  return text.Take();
}

}  // namespace espalier
