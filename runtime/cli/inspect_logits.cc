// `espalier inspect logits`: the likeliest next tokens at every position of a text, or of
// given token ids, to compare this engine with another program. The model runs alone here:
// no cache, no scheduler, no sampling.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "runtime/cli/commands.h"
#include "runtime/cli/each_line.h"
#include "runtime/cli/flags.h"
#include "runtime/cli/next_tokens.h"
#include "runtime/cli/output.h"
#include "runtime/local/model_file.h"
#include "runtime/local/prompt.h"
#include "runtime/local/token_text.h"
#include "runtime/model/registry.h"
#include "runtime/tokenizer/load.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kTop = 20;
constexpr int kChunk = 64;  // tokens of one forward pass

double Round6(double x) { return std::round(x * 1e6) / 1e6; }

struct LogitsRequest {
  std::string name;
  std::vector<TokenId> ids;
};

Status ParseIds(const Json& ids, const Model& model, std::vector<TokenId>& out) {
  if (!ids.is_array() || ids.empty()) {
    return Status(Code::kInvalidArgument, "'ids' must be a list of one or more token ids");
  }
  if (std::cmp_greater(ids.size(), model.context_length())) {
    return Status(Code::kLimit, fmt::format("'ids' has {} tokens, the context only {}", ids.size(),
                                            model.context_length()));
  }
  for (const Json& id : ids) {
    const std::int64_t value = id.is_number_integer() ? id.get<std::int64_t>() : -1;
    if (value < 0 || value >= model.vocab_size()) {
      return Status(Code::kInvalidArgument,
                    fmt::format("'ids' has no token id of this model at index {}", out.size()));
    }
    out.push_back(static_cast<TokenId>(value));
  }
  return Status();
}

Result<LogitsRequest> ParseRequest(const Json& json, const Model& model) {
  if (!json.is_object()) return Status(Code::kInvalidArgument, "a line is a JSON object");
  LogitsRequest request;
  for (const auto& [key, value] : json.items()) {
    if (key == "name" && value.is_string()) {
      request.name = value.get<std::string>();
    } else if (key == "name") {
      return Status(Code::kInvalidArgument, "'name' must be a string");
    } else if (key != "ids") {
      return Status(Code::kInvalidArgument, "unknown key '" + key + "'");
    }
  }
  const auto ids = json.find("ids");
  if (ids == json.end()) return Status(Code::kInvalidArgument, "'ids' is missing");
  ESP_RETURN_IF_ERROR(ParseIds(*ids, model, request.ids));
  return request;
}

// A model and the KV memory of one sequence at a time.
class LogitsReport {
 public:
  explicit LogitsReport(std::unique_ptr<Model> model) : model_(std::move(model)) {}

  const Model& model() const { return *model_; }

  Result<Json> Run(const LogitsRequest& request) {
    ESP_RETURN_IF_ERROR(Reserve(std::ssize(request.ids)));
    Json rows = Json::array();
    const auto size = static_cast<int>(request.ids.size());
    for (int begin = 0; begin < size; begin += kChunk) {
      ESP_RETURN_IF_ERROR(RunChunk(request.ids, begin, std::min(begin + kChunk, size), rows));
    }
    return Json{{"name", request.name}, {"ids", request.ids}, {"rows", std::move(rows)}};
  }

 private:
  // Makes the pool hold `num_tokens`.
  Status Reserve(std::int64_t num_tokens) {
    const int page_size = model_->kv_shape().page_size;
    const auto pages = static_cast<int>((num_tokens + page_size - 1) / page_size);
    if (pool_ && pool_->num_pages() >= pages) return Status();
    ESP_ASSIGN_OR_RETURN(pool_, KvPool::Create(model_->kv_shape(), pages));
    return Status();
  }

  Status RunChunk(const std::vector<TokenId>& ids, int begin, int end, Json& rows) {
    const int page_size = model_->kv_shape().page_size;
    batch_.Clear();
    batch_.seq.push_back(SeqId{0});
    for (int page = 0; page * page_size < end; ++page) batch_.pages.push_back(PageId{page});
    for (int p = begin; p < end; ++p) {
      batch_.logits_tokens.push_back(p - begin);
      batch_.tokens.push_back(ids[static_cast<std::size_t>(p)]);
      batch_.position.push_back(p);
      batch_.slots.push_back(p);
      batch_.slot_start.push_back(p - begin + 1);
    }
    batch_.start.push_back(end - begin);
    batch_.page_start.push_back(static_cast<std::int32_t>(batch_.pages.size()));
    batch_.logits_start.push_back(end - begin);
    const auto width = static_cast<std::size_t>(model_->vocab_size());
    logits_.resize(batch_.num_logits() * width);
    model_->Forward(batch_, *pool_, {logits_});
    for (int p = begin; p < end; ++p) {
      const auto row =
          std::span(logits_).subspan(static_cast<std::size_t>(p - begin) * width, width);
      if (!std::ranges::all_of(row, [](float x) { return std::isfinite(x); })) {
        return Status(Code::kInternal,
                      fmt::format("the model gave logits that are not numbers at position {}", p));
      }
      next_.Set(row);
      AppendRow(ids, static_cast<std::size_t>(p), rows);
    }
    return Status();
  }

  void AppendRow(const std::vector<TokenId>& ids, std::size_t position, Json& rows) {
    Json top = Json::array();
    for (const TokenId token : next_.Top(kTop)) {
      top.push_back(Json::array({token, Round6(next_.logprob(token))}));
    }
    Json following;
    if (position + 1 < ids.size()) following = Round6(next_.logprob(ids[position + 1]));
    rows.push_back({{"position", position},
                    {"top", std::move(top)},
                    {"entropy", Round6(next_.Entropy())},
                    {"next", std::move(following)}});
  }

  std::unique_ptr<Model> model_;
  std::optional<KvPool> pool_;
  Batch batch_;
  std::vector<float> logits_;
  NextTokens next_;
};

struct LogitsFlags {
  CommonFlags common;
  std::string text;
  std::string jsonl;
  bool exact = false;
};

// A row a token of the text: what the model holds likeliest behind it.
std::string Table(const Json& report, const Tokenizer& tokenizer) {
  constexpr std::size_t kShown = 5;
  const auto quoted = [&](const Json& id) {
    return Json(TokenText(tokenizer, id.get<TokenId>())).dump();
  };
  std::string table = fmt::format("{:>8}  {:<16} next, with probabilities\n", "position", "token");
  for (const Json& row : report["rows"]) {
    const auto position = row["position"].get<std::size_t>();
    table += fmt::format("{:>8}  {:<16}", position, quoted(report["ids"][position]));
    for (std::size_t i = 0; i < std::min(kShown, row["top"].size()); ++i) {
      const Json& next = row["top"][i];
      table += fmt::format(" {} {:.3f} ", quoted(next[0]), std::exp(next[1].get<double>()));
    }
    table += "\n";
  }
  return table;
}

Result<ExitCode> AnswerText(const LogitsFlags& flags, const Gguf& gguf, LogitsReport& report) {
  ESP_ASSIGN_OR_RETURN(const auto tokenizer, TokenizerFromGguf(gguf));
  Json ids = EncodePrompt(*tokenizer, flags.text);
  LogitsRequest request;
  ESP_RETURN_IF_ERROR(ParseIds(ids, report.model(), request.ids));
  ESP_ASSIGN_OR_RETURN(const Json answer, report.Run(request));
  ESP_RETURN_IF_ERROR(flags.common.json ? WriteJson(answer) : WriteOut(Table(answer, *tokenizer)));
  return ExitCode::kDone;
}

Result<ExitCode> AnswerLines(const std::string& path, LogitsReport& report) {
  return AnswerEachLine(path, [&report](const Json& line) -> Result<Json> {
    ESP_ASSIGN_OR_RETURN(const LogitsRequest request, ParseRequest(line, report.model()));
    return report.Run(request);
  });
}

Result<ExitCode> InspectLogits(const LogitsFlags& flags) {
  ESP_RETURN_IF_ERROR(RefuseUrl(flags.common));
  ESP_RETURN_IF_ERROR(CheckTextOrLines(flags.text, flags.jsonl));
  const LocalModelOptions& local = flags.common.local;
  ESP_ASSIGN_OR_RETURN(const auto gguf, OpenModelFile(local.model));
  ThreadPool pool(local.threads);
  const ModelOptions options{.device = local.device,
                             .isa = local.isa,
                             .precision = flags.exact ? Precision::kExact : Precision::kQuantized,
                             .kv_dtype = flags.exact ? DType::kF32 : DType::kF16,
                             .page_size = local.page_size,
                             .limits = {.max_tokens = kChunk, .max_logits = kChunk}};
  ESP_ASSIGN_OR_RETURN(auto model, OfModelFile(local.model, LoadModel(gguf, options, pool)));
  LogitsReport report(std::move(model));
  return flags.jsonl.empty() ? AnswerText(flags, *gguf, report) : AnswerLines(flags.jsonl, report);
}

}  // namespace

CommandBody DeclareInspectLogits(CLI::App& app) {
  auto flags = std::make_shared<LogitsFlags>();
  app.add_option("TEXT", flags->text, "The text; special tokens in it are parsed");
  app.add_option("--jsonl", flags->jsonl, R"(Token ids, {"name", "ids"} a line; '-': stdin)")
      ->type_name("FILE");
  app.add_flag("--exact", flags->exact,
               "float32 throughout, KV included; activations are not quantized");
  AddJsonFlag(app, flags->common);
  AddEngineFlags(app, flags->common);
  return [flags] { return InspectLogits(*flags); };
}

}  // namespace espalier
