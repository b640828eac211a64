#include "runtime/cli/jsonl.h"

#include <poll.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "kernels/base/random.h"
#include "runtime/api/result_json.h"
#include "runtime/cli/output.h"
#include "runtime/local/json_text.h"
#include "runtime/local/logprob_bound.h"
#include "runtime/local/prompt.h"
#include "runtime/local/token_text.h"

namespace espalier {
namespace {

constexpr std::chrono::milliseconds kProgressDelay(500);
constexpr std::size_t kWriteBytes = std::size_t{1} << 20;

// About what the result comes to as text, if no output ends early.
std::size_t MostResultBytes(const GenerateRequest& request, std::int32_t context_length) {
  constexpr std::int64_t kBytesPerToken = 24, kBytesPerLogprob = 80;
  const std::int64_t num_tokens =
      std::int64_t{std::min(request.sampling.max_new_tokens, context_length)} * request.sampling.n;
  return static_cast<std::size_t>(kBytesPerToken * num_tokens +
                                  kBytesPerLogprob * MostLogprobs(request, context_length));
}

}  // namespace

JsonlRun::JsonlRun(EngineClient& client, LineReader& input, LineDefaults defaults,
                   std::uint64_t seed)
    : client_(client),
      input_(input),
      defaults_(std::move(defaults)),
      seed_(seed),
      progress_(kProgressDelay) {}

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
  pollfd fds[] = {{.fd = client_.model().events().fd(), .events = POLLIN, .revents = 0},
                  {.fd = input_.fd(), .events = POLLIN, .revents = 0}};
  poll(fds, can_read ? 2 : 1, -1);
}

void JsonlRun::StartLine(const LineReader::Line& text) {
  if (text.text.find_first_not_of(" \t\r") == std::string::npos) return;
  lines_.push_back(std::make_unique<Line>());
  Line& line = *lines_.back();
  line.number = text.number;
  Resize(line, text.text.size());
  Result<LineRequest> request = Parse(text, line);
  ++num_read_;
  if (!request.ok()) return Fail(line, request.status());
  if (Status status = ReserveResult(*request, line); !status.ok()) return Fail(line, status);
  line.run = std::make_unique<RequestRun>(
      client_, *defaults_.tokenizer, std::move(request).value(),
      RequestRun::Listener{.on_piece = nullptr, .on_done = [this, &line] { Finish(line); }});
}

void JsonlRun::Resize(Line& line, std::size_t size_bytes) {
  window_bytes_ = window_bytes_ - line.size_bytes + size_bytes;
  line.size_bytes = size_bytes;
}

// Makes the window hold what the result may come to.
Status JsonlRun::ReserveResult(const LineRequest& request, Line& line) {
  if (!request.generate) return Status();
  const std::int32_t context_length = client_.model().context_length();
  ESP_RETURN_IF_ERROR(CheckNumLogprobs(MostLogprobs(*request.generate, context_length)));
  Resize(line, line.size_bytes + request.generate->prompt.size() * sizeof(TokenId) +
                   MostResultBytes(*request.generate, context_length));
  return Status();
}

Result<LineRequest> JsonlRun::Parse(const LineReader::Line& text, Line& line) {
  const std::uint64_t seed = ChildSeed(seed_, num_read_);
  if (text.too_long) {
    return Status(Code::kLimit, fmt::format("longer than {} bytes", LineReader::kMaxLineBytes));
  }
  ESP_RETURN_IF_ERROR(CheckUtf8(text.text, "the line"));
  ESP_ASSIGN_OR_RETURN(const nlohmann::ordered_json json, ParseJson(text.text));
  if (!IsOpenAiLine(json)) return ParseRequestLine(json, defaults_, seed);
  line.openai = ReadOpenAiLine(json);
  ESP_ASSIGN_OR_RETURN(const nlohmann::ordered_json native, ToRequestLine(json, *line.openai));
  return ParseRequestLine(native, defaults_, seed);
}

void JsonlRun::Finish(Line& line) {
  const std::unique_ptr<RequestRun> run = std::move(line.run);  // no longer needed then
  if (!run->status().ok()) return Fail(line, run->status());
  totals_.Add(run->usage());
  SetResult(line, Answer(line, *run));
}

nlohmann::ordered_json JsonlRun::Answer(const Line& line, const RequestRun& run) const {
  if (!run.generates()) return ScoredJson(run.choices(), *run.decision(), run.usage());
  if (line.openai) return OpenAiAnswer(*line.openai, run.generated(), *defaults_.tokenizer);
  nlohmann::ordered_json result = ResultJson(run.generated(), *defaults_.tokenizer);
  if (run.decision()) result["choices"] = ChoicesJson(run.choices(), *run.decision());
  return result;
}

void JsonlRun::Fail(Line& line, const Status& status) {
  totals_.AddFailure();
  const Status placed = AtLine(line.number, status);
  SetResult(line, line.openai ? OpenAiFailure(*line.openai, placed) : ErrorJson(placed));
}

void JsonlRun::SetResult(Line& line, const nlohmann::ordered_json& result) {
  line.result = JsonLine(result);
  line.result.shrink_to_fit();
  Resize(line, line.result.size());
}

Status JsonlRun::WriteResults() {
  std::string text;
  while (!lines_.empty() && !lines_.front()->result.empty()) {
    text += lines_.front()->result;
    Resize(*lines_.front(), 0);
    lines_.pop_front();
    if (text.size() < kWriteBytes) continue;
    progress_.Clear();
    ESP_RETURN_IF_ERROR(WriteOut(std::exchange(text, {})));
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
