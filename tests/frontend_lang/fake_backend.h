// A Backend whose answers a test scripts. Calls finish in the order that the test
// chooses, one for each Wait; the log says what was asked.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "frontend_lang/backend.h"

namespace espalier::program {

struct FakeLog {
  std::vector<GenCall> gens;
  std::vector<ScoreCall> scores;
  std::size_t most_unfinished = 0;  // calls at one time
  int num_cancelled = 0;
};

class FakeBackend final : public Backend {
 public:
  enum class Order { kFirst, kLast };  // of the unfinished calls, which ends next

  explicit FakeBackend(FakeLog& log, Order order = Order::kFirst) : log_(log), order_(order) {}

  // What a gen says; by default "<number of the gen>".
  std::function<CallEvent(const GenCall&)> answer;
  // The log-probabilities of a choice's tokens; by default one token of -length.
  std::function<std::vector<double>(const std::string& choice, bool conditional)> score;
  ChatModel chat;
  // A gen's text comes in that many pieces of one byte before the rest, a Wait each.
  int increments = 0;
  bool hangs = false;  // no call ends by itself

  CallId Start(GenCall call) override {
    CallEvent event;
    if (answer) {
      event = answer(call);
    } else {
      event.outputs.push_back(
          {.text = "<" + std::to_string(log_.gens.size()) + ">", .finish_reason = "stop"});
    }
    if (event.usage.completion_tokens == 0)
      event.usage = {.prompt_tokens = 10, .completion_tokens = 2};
    log_.gens.push_back(std::move(call));
    return Enqueue(std::move(event));
  }

  CallId Start(ScoreCall call) override {
    CallEvent event;
    for (const std::string& choice : call.choices) {
      event.choice_logprobs.push_back(Score(choice, true));
      if (call.unconditional) event.unconditional_logprobs.push_back(Score(choice, false));
    }
    log_.scores.push_back(std::move(call));
    return Enqueue(std::move(event));
  }

  void Cancel(CallId call) override {
    for (CallEvent& event : unfinished_) {
      if (event.call != call) continue;
      event.status = Status(Code::kCancelled, "cancelled");
      ++log_.num_cancelled;
    }
  }

  std::vector<CallEvent> Wait(Deadline deadline) override {
    ESP_CHECK(!unfinished_.empty()) << "Wait with nothing to wait for";
    std::vector<CallEvent> events;
    if (hangs && unfinished_.front().status.ok()) {
      ESP_CHECK(deadline.has_value()) << "Wait for ever";
      std::this_thread::sleep_until(*deadline);
      return events;
    }
    CallEvent& next = order_ == Order::kFirst ? unfinished_.front() : unfinished_.back();
    int& given = given_[next.call];
    if (given < increments && !next.outputs.empty() &&
        static_cast<std::size_t>(given) < next.outputs[0].text.size()) {
      events.emplace_back().call = next.call;
      events.back().text = next.outputs[0].text.substr(static_cast<std::size_t>(given++), 1);
      return events;
    }
    if (order_ == Order::kFirst) {
      events.push_back(std::move(unfinished_.front()));
      unfinished_.pop_front();
    } else {
      events.push_back(std::move(unfinished_.back()));
      unfinished_.pop_back();
    }
    return events;
  }

  Result<ChatModel> Chat(Deadline) override { return chat; }
  Status FlushCache(Deadline) override { return Status(); }
  Result<Facts> ServerFacts(Deadline) override { return Facts{{"model_path", "fake"}}; }

 private:
  CallId Enqueue(CallEvent event) {
    event.call = static_cast<CallId>(++num_calls_);
    event.done = true;
    unfinished_.push_back(std::move(event));
    log_.most_unfinished = std::max(log_.most_unfinished, unfinished_.size());
    return unfinished_.back().call;
  }

  std::vector<ScoredToken> Score(const std::string& choice, bool conditional) const {
    std::vector<ScoredToken> tokens;
    if (!score) {
      tokens.push_back({.logprob = -static_cast<double>(choice.size())});
      return tokens;
    }
    for (const double logprob : score(choice, conditional)) {
      tokens.push_back({.logprob = logprob});
    }
    if (!conditional && !tokens.empty()) tokens[0].logprob.reset();
    return tokens;
  }

  FakeLog& log_;
  Order order_;
  std::deque<CallEvent> unfinished_;
  std::map<CallId, int> given_;  // increments
  std::uint64_t num_calls_ = 0;
};

}  // namespace espalier::program
