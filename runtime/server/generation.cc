#include "runtime/server/generation.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "grammar/constraint.h"
#include "runtime/local/logprob_bound.h"
#include "runtime/server/api_error.h"

namespace espalier {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kDone = "data: [DONE]\n\n";

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Lives until the last of its requests has ended, whether or not anyone still listens.
class Generation : public std::enable_shared_from_this<Generation> {
 public:
  Generation(Service& service, std::shared_ptr<HttpExchange> exchange, Asked asked,
             std::unique_ptr<AnswerShape> shape)
      : service_(service),
        exchange_(std::move(exchange)),
        shape_(std::move(shape)),
        deadline_(service.DeadlineOf(exchange_->start(), asked.timeout_s)),
        stream_(asked.stream),
        headers_(std::move(asked.headers)),
        names_(std::move(asked.names)),
        num_open_(asked.requests.size()) {
    ids_ = std::move(asked.ids);
    pending_ = std::move(asked.requests);
  }

  void Start() {
    const auto self = shared_from_this();
    exchange_->OnGone([self] { self->OnGone(); });
    runs_.resize(pending_.size());
    for (std::size_t i = 0; i < runs_.size(); ++i) StartOne(i);
    pending_.clear();
  }

 private:
  void StartOne(std::size_t i) {
    const auto self = shared_from_this();
    const auto& generate = pending_[i].generate;
    if (generate && generate->constraint.kind != ConstraintKind::kNone) {
      ++service_.metrics().num_constrained;
    }
    runs_[i] = std::make_unique<RequestRun>(
        service_.client(), service_.tokenizer(), std::move(pending_[i]),
        RequestRun::Listener{
            .on_piece = [self, i](const RequestRun::Piece& piece) { self->OnPiece(i, piece); },
            .on_done = [self, i] { self->OnDone(i); }});
    const std::size_t num_outputs =
        runs_[i]->generates() ? runs_[i]->generated().choices().size() : 1;
    run_ids_.push_back(service_.runs().Add({.id = ids_[i],
                                            .num_outputs = num_outputs,
                                            .deadline = deadline_,
                                            .cancel = [run = runs_[i].get()] { run->Cancel(); }}));
  }

  void OnPiece(std::size_t i, const RequestRun::Piece& piece) {
    const RequestRun& run = *runs_[i];
    const FinishReason finish = run.generated().choices()[piece.choice].finish;
    if (finish != FinishReason::kError) CountPiece(i, piece);
    if (closed_ || !stream_ || finish == FinishReason::kError) return;
    // What comes of it all is not known yet: it may be an error.
    const bool ends_silent = finish == FinishReason::kCancelled && piece.text.empty();
    if (ends_silent && !stream_open_ && IsOverdue()) return;
    Guarded([&] {
      AnswerShape::News news = shape_->Piece(run, i, piece);
      if (news.text.empty()) return;
      OpenStream();
      if (news.latest_of) {
        exchange_->WriteLatest(*news.latest_of, std::move(news.text));
      } else {
        exchange_->Write(news.text);
      }
    });
  }

  // Runs what words an answer. What a library throws there is our fault, and this request's.
  template <typename Work>
  void Guarded(const Work& work) {
    try {
      work();
    } catch (const std::exception& error) {
      service_.Warn(error.what());
      closed_ = false;
      Fail(Status(Code::kInternal, "the answer could not be put in words"));
    }
  }

  void CountPiece(std::size_t i, const RequestRun::Piece& piece) {
    if (piece.text.empty()) return;
    ServerMetrics& metrics = service_.metrics();
    const Clock::time_point now = Clock::now();
    const auto [last, is_first] = last_text_.try_emplace({i, piece.choice}, now);
    if (is_first) {
      metrics.time_to_first_token_s.Add(SecondsSince(start_));
    } else {
      metrics.inter_token_latency_s.Add(std::chrono::duration<double>(now - last->second).count());
    }
    last->second = now;
  }

  void OpenStream() {
    if (std::exchange(stream_open_, true)) return;
    HttpAnswer head{.content_type = "text/event-stream; charset=utf-8",
                    .headers = {{"Cache-Control", "no-cache"}}};
    head.headers.insert(head.headers.end(), headers_.begin(), headers_.end());
    exchange_->BeginStream(std::move(head));
  }

  void OnDone(std::size_t i) {
    const auto self = shared_from_this();
    service_.runs().Remove(run_ids_[i]);
    CountDone(*runs_[i]);
    const Status& status = runs_[i]->status();
    if (!status.ok() && status.code() != Code::kCancelled) Fail(status);
    if (--num_open_ > 0) return;
    if (!closed_) Guarded([this] { Finish(); });
    exchange_->OnGone(nullptr);
    const Runs ended = std::move(runs_);  // they and this hold each other
  }

  void CountDone(const RequestRun& run) {
    ServerMetrics& metrics = service_.metrics();
    ++metrics.num_requests;
    if (run.status().code() == Code::kCancelled) ++metrics.num_aborted;
    metrics.prompt_tokens += run.usage().prompt_tokens;
    metrics.cached_tokens += run.usage().cached_tokens;
    metrics.output_tokens += run.usage().completion_tokens;
    metrics.e2e_latency_s.Add(SecondsSince(start_));
  }

  bool IsOverdue() const { return deadline_ && Clock::now() >= *deadline_; }

  // Whether what was aborted has something to tell.
  Status CheckWhole() const {
    bool any_aborted = false, any_text = false;
    for (const auto& run : runs_) {
      if (!run->generates() && !run->decision()) {
        return {Code::kCancelled, "the request was aborted"};
      }
      any_aborted |= run->status().code() == Code::kCancelled;
      if (!run->generates()) continue;
      for (const GeneratedChoice& choice : run->generated().choices()) {
        any_text |= !choice.text.empty();
      }
    }
    if (!any_aborted || any_text || !IsOverdue()) return Status();
    return {Code::kLimit, "timeout: the deadline came before there was any output"};
  }

  // The answer, when all went well or was aborted.
  void Finish() {
    if (Status status = CheckWhole(); !status.ok()) return Fail(status);
    if (!stream_) {
      const Result<nlohmann::ordered_json> whole = shape_->Whole(runs_);
      if (!whole.ok()) return Fail(whole.status());
      closed_ = true;
      return exchange_->Answer({.body = BodyText(*whole), .headers = headers_});
    }
    closed_ = true;
    OpenStream();
    std::string text;
    shape_->End(runs_, text);
    text += kDone;
    exchange_->Write(text);
    exchange_->EndStream();
  }

  void Fail(const Status& error) {
    if (std::exchange(closed_, true)) return;
    const Status status = InNamesOf(names_, error);
    if (stream_open_) {
      exchange_->Write("data: " + ErrorBody(status) + "\n\n");
      exchange_->Write(kDone);
      exchange_->EndStream();
    } else {
      exchange_->Answer(ErrorAnswer(status, ParamOf(status.message())));
    }
    CancelAll();
  }

  void OnGone() {
    closed_ = true;
    CancelAll();
  }

  void CancelAll() {
    for (const auto& run : runs_) {
      if (run && !run->done()) run->Cancel();
    }
  }

  Service& service_;
  const std::shared_ptr<HttpExchange> exchange_;
  const std::unique_ptr<AnswerShape> shape_;
  const std::optional<Clock::time_point> deadline_;
  const bool stream_;
  const std::vector<std::pair<std::string, std::string>> headers_;
  const FieldNames names_;
  const Clock::time_point start_ = exchange_->start();
  std::vector<std::string> ids_;
  std::vector<LineRequest> pending_;  // until they start
  Runs runs_;
  std::vector<RunRegistry::RunId> run_ids_;
  std::size_t num_open_;
  bool stream_open_ = false;
  bool closed_ = false;  // nothing more is to be said
  std::map<std::pair<std::size_t, std::size_t>, Clock::time_point> last_text_;  // of each choice
};

// To the end of the context, or of what the KV cache holds.
void Clamp(const Service& service, GenerateRequest& request) {
  const std::int32_t left = service.served().TokensLeft(request.prompt.size());
  std::int32_t& asked = request.sampling.max_new_tokens;
  if (left > 0 && asked > left) {
    asked = left;
    request.sampling.min_new_tokens = std::min(request.sampling.min_new_tokens, asked);
  }
}

}  // namespace

void StartGeneration(Service& service, std::shared_ptr<HttpExchange> exchange, Asked asked,
                     std::unique_ptr<AnswerShape> shape) {
  const bool has_keys = !service.served().options().api_keys.empty();
  std::size_t num_outputs = 0;
  std::int64_t num_logprobs = 0;
  for (LineRequest& request : asked.requests) {
    if (request.generate) {
      Clamp(service, *request.generate);
      if (has_keys) request.generate->caller = exchange->question().authorization;
      num_logprobs += MostLogprobs(*request.generate, service.served().context_length());
    }
    num_outputs += request.generate ? static_cast<std::size_t>(request.generate->sampling.n) : 1;
  }
  if (Status status = CheckNumLogprobs(num_logprobs); !status.ok()) {
    return exchange->Answer(ErrorAnswer(status));
  }
  if (Status status = service.HasRoom(num_outputs); !status.ok()) {
    return exchange->Answer(ErrorAnswer(status));
  }
  std::make_shared<Generation>(service, std::move(exchange), std::move(asked), std::move(shape))
      ->Start();
}

}  // namespace espalier
