#include "runtime/server/http_exchange.h"

#include "kernels/base/check.h"

namespace espalier {

void HttpExchange::Answer(HttpAnswer answer) {
  if (gone_) return;
  ESP_CHECK(!answer_) << "a request is answered once";
  answer_ = std::move(answer);
  ended_ = true;
  wake_();
}

void HttpExchange::BeginStream(HttpAnswer head) {
  if (gone_) return;
  ESP_CHECK(!answer_) << "a request is answered once";
  answer_ = std::move(head);
  streams_ = true;
  wake_();
}

void HttpExchange::Write(std::string_view text) {
  if (gone_ || text.empty()) return;
  ESP_CHECK(streams_ && !ended_) << "no stream is open";
  if (backlog_.size() + text.size() > kMaxBacklogBytes) return MarkGone();
  backlog_ += text;
  wake_();
}

void HttpExchange::EndStream() {
  if (gone_) return;
  ESP_CHECK(streams_ && !ended_) << "no stream is open";
  ended_ = true;
  wake_();
}

void HttpExchange::MarkGone() {
  if (gone_) return;
  gone_ = true;
  wake_();
  const std::function<void()> on_gone = std::exchange(on_gone_, nullptr);
  if (!ended_ && on_gone) on_gone();
}

}  // namespace espalier
