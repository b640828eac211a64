// inspect model: what a model file holds, read from its header alone.
#include <map>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "kernels/base/utf8.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/flags.h"
#include "runtime/cli/plan_flags.h"
#include "runtime/local/model_file.h"
#include "runtime/model/registry.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t KvBytesPerToken(const ModelConfig& config) {
  return KvShape{.num_layers = config.num_layers,
                 .num_kv_heads = config.num_kv_heads,
                 .head_dim = config.head_dim}
      .bytes_per_token();
}

// {format: {"tensors", "bytes"}}, in the order of the dtype table.
Json Formats(const Gguf& gguf) {
  std::map<DType, std::pair<std::int64_t, std::int64_t>> totals;
  for (const Gguf::Tensor& tensor : gguf.tensors()) {
    auto& [count, bytes] = totals[tensor.view.dtype];
    ++count;
    bytes += tensor.view.size_bytes();
  }
  Json formats = Json::object();
  for (const auto& [dtype, total] : totals) {
    formats[Traits(dtype).name] = {{"tensors", total.first}, {"bytes", total.second}};
  }
  return formats;
}

Json Tensors(const Gguf& gguf) {
  Json tensors = Json::array();
  for (const Gguf::Tensor& tensor : gguf.tensors()) {
    tensors.push_back({{"name", tensor.name},
                       {"format", Traits(tensor.view.dtype).name},
                       {"shape", tensor.dims},
                       {"bytes", tensor.view.size_bytes()}});
  }
  return tensors;
}

Json Describe(const Gguf& gguf, const ModelConfig& config) {
  std::int64_t parameters = 0;
  for (const Gguf::Tensor& tensor : gguf.tensors()) {
    parameters += tensor.view.rows * tensor.view.columns;
  }
  return {{"name", config.name},
          {"architecture", config.architecture.name},
          {"file_bytes", gguf.file_bytes()},
          {"parameters", parameters},
          {"layers", config.num_layers},
          {"hidden_size", config.hidden_size},
          {"ffn_size", config.ffn_size},
          {"heads", config.num_heads},
          {"kv_heads", config.num_kv_heads},
          {"head_dim", config.head_dim},
          {"vocab_size", config.vocab_size},
          {"tied_head", gguf.FindTensor("output.weight") == nullptr},
          {"context_length", config.context_length},
          {"kv_bytes_per_token", KvBytesPerToken(config)},
          {"isa", AvailableIsas().back()},
          {"formats", Formats(gguf)},
          {"tensors", Tensors(gguf)}};
}

// The same for people: one line a field, then one a tensor.
std::string Table(const Json& facts) {
  std::string out;
  for (const auto& [key, value] : facts.items()) {
    if (key == "tensors") continue;
    if (key != "formats") {
      out += fmt::format("{:<20} {}\n", key,
                         value.is_string() ? Printable(value.get<std::string>()) : value.dump());
      continue;
    }
    for (const auto& [format, total] : value.items()) {
      out += fmt::format("{:<20} {} tensors, {} bytes\n", "format " + format,
                         total["tensors"].dump(), total["bytes"].dump());
    }
  }
  out += fmt::format("\n{:<28} {:<6} {:<18} {}\n", "tensor", "format", "shape", "bytes");
  for (const Json& tensor : facts["tensors"]) {
    out += fmt::format("{:<28} {:<6} {:<18} {}\n", Printable(tensor["name"].get<std::string>()),
                       tensor["format"].get<std::string>(), tensor["shape"].dump(),
                       tensor["bytes"].dump());
  }
  return out;
}

// A plan for people: one line a number, speeds in one line.
std::string PlanTable(const Json& plan) {
  std::string out;
  for (const auto& [key, value] : plan.items()) {
    if (!value.is_object()) {
      out += fmt::format("{:<24} {}\n", key, value.dump());
      continue;
    }
    out += fmt::format("{:<24} {:.1f} tokens/s, {:.4g} s a step, bound by {}\n", key,
                       value["tokens_per_s"].get<double>(), value["seconds"].get<double>(),
                       value["bound_by"].get<std::string>());
  }
  return out;
}

struct InspectFlags {
  CommonFlags common;
  PlanFlags plan;
};

Result<ExitCode> InspectModel(const InspectFlags& flags) {
  const std::string& file = flags.common.local.model;
  ESP_ASSIGN_OR_RETURN(const auto gguf, OpenModelFile(file));
  ESP_ASSIGN_OR_RETURN(const ModelConfig config, OfModelFile(file, ReadConfig(*gguf)));
  if (flags.plan.plan) {
    ESP_ASSIGN_OR_RETURN(const Json plan, PlanJson(flags.plan, *gguf, config));
    ESP_RETURN_IF_ERROR(flags.common.json ? WriteJson(plan) : WriteOut(PlanTable(plan)));
    return ExitCode::kDone;
  }
  const Json facts = Describe(*gguf, config);
  ESP_RETURN_IF_ERROR(flags.common.json ? WriteJson(facts) : WriteOut(Table(facts)));
  return ExitCode::kDone;
}

}  // namespace

CommandBody DeclareInspectModel(CLI::App& app) {
  auto flags = std::make_shared<InspectFlags>();
  app.add_option("FILE,--model", flags->common.local.model,
                 "A GGUF file, or 'tiny' (default: the default model)")
      ->group("Model");
  AddPlanFlags(app, flags->plan);
  AddJsonFlag(app, flags->common);
  return [flags] { return InspectModel(*flags); };
}

}  // namespace espalier
