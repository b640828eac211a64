#include "runtime/cli/jsonl.h"

#include <poll.h>

#include <utility>

#include <fmt/format.h>

#include "kernels/base/random.h"
#include "runtime/cli/output.h"
#include "runtime/cli/result_json.h"
#include "runtime/local/json_text.h"
#include "runtime/local/prompt.h"
#include "runtime/local/token_text.h"

namespace espalier {
namespace {

constexpr std::chrono::milliseconds kProgressDelay(500);

program::TokenScores Scored(const std::vector<std::vector<TokenLogprob>>& rows,
                            const Tokenizer& tokenizer) {
  program::TokenScores scores;
  for (const std::vector<TokenLogprob>& row : rows) scores.push_back(ToScored(row, tokenizer));
  return scores;
}

}  // namespace

JsonlRun::JsonlRun(EngineClient& client, LineReader& input, LineDefaults defaults,
                   std::uint64_t seed)
    : client_(client),
      input_(input),
      defaults_(std::move(defaults)),
      seed_(seed),
      progress_(Progress::Place::kTerminalOnly, kProgressDelay) {}

Status JsonlRun::Run() {
  while (!input_.at_end() || !lines_.empty()) ESP_RETURN_IF_ERROR(Step());
  progress_.Clear();
  return Status();
}

Status JsonlRun::Step() {
  ESP_RETURN_IF_ERROR(StartLines());
  client_.Poll();
  ESP_RETURN_IF_ERROR(WriteResults());
  DrawProgress();
  WaitForNews();
  return Status();
}

// Reads what there is without blocking, as far as the window has room.
Status JsonlRun::StartLines() {
  while (HasRoom()) {
    if (std::optional<LineReader::Line> line = input_.Next()) {
      StartLine(*line);
      continue;
    }
    if (!input_.wants_more()) return Status();
    pollfd fds = {.fd = input_.fd(), .events = POLLIN, .revents = 0};
    if (poll(&fds, 1, 0) <= 0) return Status();
    ESP_RETURN_IF_ERROR(input_.ReadSome());
  }
  return Status();
}

// Until the engine has something, or there is input that the window has room for.
void JsonlRun::WaitForNews() {
  const bool done_in_front = !lines_.empty() && !lines_.front()->result.empty();
  const bool can_read = HasRoom() && input_.wants_more();
  if (done_in_front || (!can_read && lines_.empty())) return;
  pollfd fds[] = {{.fd = client_.model().event_fd(), .events = POLLIN, .revents = 0},
                  {.fd = input_.fd(), .events = POLLIN, .revents = 0}};
  poll(fds, can_read ? 2 : 1, -1);
}

void JsonlRun::StartLine(const LineReader::Line& text) {
  ++num_lines_;
  if (text.text.find_first_not_of(" \t\r") == std::string::npos) return;
  lines_.push_back(std::make_unique<Line>());
  Line& line = *lines_.back();
  line.number = num_lines_;
  line.size_bytes = text.text.size();
  window_bytes_ += line.size_bytes;
  const Status status = Parse(text, line);
  ++num_read_;
  if (!status.ok()) return Fail(line, status);
  line.num_open = (line.request.generate ? 1 : 0) + (line.request.score ? 1 : 0);
  if (line.request.generate) StartGenerate(line);
  if (line.request.score) StartScore(line);
}

Status JsonlRun::Parse(const LineReader::Line& text, Line& line) {
  const std::uint64_t seed = ChildSeed(seed_, num_read_);
  if (text.too_long) {
    return {Code::kLimit, fmt::format("longer than {} bytes", LineReader::kMaxLineBytes)};
  }
  ESP_RETURN_IF_ERROR(CheckUtf8(text.text, "the line"));
  ESP_ASSIGN_OR_RETURN(const nlohmann::ordered_json json, ParseJson(text.text));
  if (!IsOpenAiLine(json)) {
    ESP_ASSIGN_OR_RETURN(line.request, ParseRequestLine(json, defaults_, seed));
    return Status();
  }
  line.openai = ReadOpenAiLine(json);
  ESP_ASSIGN_OR_RETURN(const nlohmann::ordered_json native, ToRequestLine(json, *line.openai));
  ESP_ASSIGN_OR_RETURN(line.request, ParseRequestLine(native, defaults_, seed));
  return Status();
}

void JsonlRun::StartGenerate(Line& line) {
  line.generated = std::make_unique<Generated>(line.request.generate->sampling.n);
  client_.Submit(std::move(*line.request.generate),
                 [this, &line](TokenEvent event) { OnToken(line, std::move(event)); });
}

void JsonlRun::StartScore(Line& line) {
  line.scorer = std::make_unique<ChoiceScorer>(
      client_, *line.request.score,
      [this, &line](ChoiceScores scores) { OnScores(line, std::move(scores)); });
}

void JsonlRun::OnToken(Line& line, TokenEvent event) {
  line.generated->Add(std::move(event));
  if (line.generated->done()) Close(line, line.generated->status());
}

void JsonlRun::OnScores(Line& line, ChoiceScores scores) {
  if (!scores.status.ok()) return Close(line, scores.status);
  const Tokenizer& tokenizer = *defaults_.tokenizer;
  Result<program::Decision> decision =
      program::Decide(line.request.method, Scored(scores.conditional, tokenizer),
                      Scored(scores.unconditional, tokenizer));
  line.score_usage = scores.usage;
  if (decision.ok()) line.decision = std::move(decision).value();
  Close(line, decision.status());
}

// A part of the line's request has ended with `status`.
void JsonlRun::Close(Line& line, const Status& status) {
  if (line.status.ok()) line.status = status;
  if (--line.num_open > 0) return;
  if (!line.status.ok()) return Fail(line, line.status);
  totals_.Add(line.generated ? line.generated->usage() : line.score_usage);
  line.result = JsonLine(Answer(line));
  line.generated.reset();
}

nlohmann::ordered_json JsonlRun::Answer(const Line& line) const {
  if (!line.generated) {
    return ScoredJson(line.request.score->choices, *line.decision, line.score_usage);
  }
  if (line.openai) return OpenAiAnswer(*line.openai, *line.generated, *defaults_.tokenizer);
  nlohmann::ordered_json result = ResultJson(*line.generated, *defaults_.tokenizer);
  if (line.decision) result["choices"] = ChoicesJson(line.request.score->choices, *line.decision);
  return result;
}

void JsonlRun::Fail(Line& line, const Status& status) {
  totals_.AddFailure();
  const Status placed(status.code(), fmt::format("line {}: {}", line.number, status.message()));
  line.result = JsonLine(line.openai ? OpenAiFailure(*line.openai, placed) : ErrorJson(placed));
}

Status JsonlRun::WriteResults() {
  std::string text;
  while (!lines_.empty() && !lines_.front()->result.empty()) {
    text += lines_.front()->result;
    window_bytes_ -= lines_.front()->size_bytes;
    lines_.pop_front();
  }
  if (!text.empty()) progress_.Clear();
  return WriteOut(text);
}

void JsonlRun::DrawProgress() {
  if (!progress_.Due()) return;
  const std::int64_t num_done = totals_.num_done() + totals_.num_failed();
  progress_.Draw(input_.fraction(), fmt::format("{} done, {} in flight, {:.0f} tokens/s", num_done,
                                                lines_.size(), totals_.output_tokens_per_second()));
}

}  // namespace espalier
