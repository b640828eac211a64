#include "runtime/server/programs/program_run.h"

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "runtime/local/local_backend.h"
#include "runtime/server/answer_shape.h"
#include "runtime/server/api_error.h"
#include "runtime/server/programs/metered_backend.h"
#include "runtime/server/programs/program_answer.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kDone = "data: [DONE]\n\n";

// Puts a run's events in words, on the program thread.
class EventText final : public program::RunObserver {
 public:
  void OnState(int state, std::optional<int> parent) override {
    Add({{"type", "state"}, {"state", state}, {"parent", parent ? Json(*parent) : Json(nullptr)}});
  }
  void OnText(int state, std::string_view variable, std::string_view text) override {
    Json event = {{"type", "text"}, {"state", state}};
    if (!variable.empty()) event["variable"] = variable;
    event["text"] = text;
    Add(event);
  }
  std::string Take() { return std::exchange(text_, {}); }

 private:
  void Add(const Json& event) { AddEvent(event, text_); }

  std::string text_;
};

class ProgramRun : public std::enable_shared_from_this<ProgramRun> {
 public:
  ProgramRun(Service& service, std::shared_ptr<HttpExchange> exchange, ProgramCallAsked asked)
      : service_(service),
        exchange_(std::move(exchange)),
        asked_(std::move(asked)),
        seed_(service.NextSeed()) {}

  void Start(ProgramThread& thread) {
    // The exchange is the io thread's: so the last to hold the run must be there.
    const auto self = std::make_shared<std::shared_ptr<ProgramRun>>(shared_from_this());
    const ProgramThread::RunId run = thread.Start([self](ProgramSeat& seat) {
      std::shared_ptr<ProgramRun> own = std::move(*self);
      own->RunAt(seat, std::move(own));
    });
    const auto cancel = [&thread, run] { thread.Cancel(run); };
    exchange_->OnGone(cancel);
    entry_ = service_.runs().Add({.id = exchange_->question().request_id, .cancel = cancel});
  }

 private:
  // On the program thread.
  void RunAt(ProgramSeat& seat, std::shared_ptr<ProgramRun> self) {
    program::CallResult result;
    EventText events;
    try {
      program::RunOptions options = RunOptionsAt(seat, service_.model(), asked_.limits);
      options.seed = seed_;
      if (asked_.stream) {
        options.observer = &events;
        seat.OnWait([this, &events] { Send(events.Take()); });
      }
      result = asked_.program->Call(asked_.arguments, std::move(options));
    } catch (const std::exception& error) {
      result.status = Status(Code::kInternal, error.what());
    }
    seat.OnWait(nullptr);
    if (seat.cancelled()) result.status = Status(Code::kCancelled, "the run was cancelled");
    Send(events.Take());
    Service& service = service_;
    service.Post([self = std::move(self), result = std::move(result)] { self->End(result); });
  }

  void Send(std::string text) {
    if (text.empty()) return;
    service_.Post([self = shared_from_this(), text = std::move(text)] { self->Tell(text); });
  }

  // On the io thread.
  void Tell(std::string_view text) {
    if (!std::exchange(stream_open_, true)) {
      exchange_->BeginStream({.content_type = "text/event-stream; charset=utf-8",
                              .headers = {{"Cache-Control", "no-cache"}}});
    }
    exchange_->Write(text);
  }

  void End(const program::CallResult& result) {
    service_.runs().Remove(entry_);
    asked_.on_done();
    exchange_->OnGone(nullptr);
    if (!result.status.ok()) return Fail(ProgramErrorAnswer(result));
    if (!asked_.stream) return exchange_->Answer({.body = BodyText(ProgramResultJson(result))});
    Json event = {{"type", "result"}};
    event.update(ProgramResultJson(result));
    std::string text;
    AddEvent(event, text);
    Tell(text);
    exchange_->Write(kDone);
    exchange_->EndStream();
  }

  void Fail(HttpAnswer answer) {
    if (!stream_open_) return exchange_->Answer(std::move(answer));
    exchange_->Write("data: " + answer.body + "\n\n");
    exchange_->Write(kDone);
    exchange_->EndStream();
  }

  Service& service_;
  const std::shared_ptr<HttpExchange> exchange_;
  const ProgramCallAsked asked_;
  const std::uint64_t seed_;
  RunRegistry::RunId entry_{};
  bool stream_open_ = false;
};

}  // namespace

program::RunOptions RunOptionsAt(ProgramSeat& seat, LocalModel& model,
                                 const ProgramLimits& limits) {
  program::RunOptions options;
  options.limits = {.max_steps = limits.max_steps,
                    .timeout_ms = limits.timeout_ms,
                    .max_memory_mib = limits.max_memory_mib,
                    .max_depth = limits.max_depth};
  options.make_backend = [&seat, &model,
                          most = limits.max_tokens]() -> Result<std::unique_ptr<Backend>> {
    return std::unique_ptr<Backend>(
        std::make_unique<MeteredBackend>(std::make_unique<LocalBackend>(model, seat), most));
  };
  options.pause = [&seat](std::chrono::steady_clock::time_point until) { seat.Pause(until); };
  options.stopped = [&seat] { return seat.cancelled(); };
  return options;
}

void StartProgramRun(Service& service, ProgramThread& thread,
                     std::shared_ptr<HttpExchange> exchange, ProgramCallAsked asked) {
  std::make_shared<ProgramRun>(service, std::move(exchange), std::move(asked))->Start(thread);
}

}  // namespace espalier
