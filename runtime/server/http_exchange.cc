#include "runtime/server/http_exchange.h"

namespace espalier {
namespace {

constexpr std::string_view kTooSlow =
    "data: {\"error\":{\"message\":\"the stream is read too slowly\",\"type\":\"server_error\","
    "\"param\":null,\"code\":\"slow_client\"}}\n\n";

}  // namespace

HttpExchange::HttpExchange(HttpQuestion question, std::function<void()> wake)
    : question_(std::move(question)), wake_(std::move(wake)) {
  if (!question_.request_id.empty()) AddHeader("X-Request-Id", question_.request_id);
}

HttpExchange::~HttpExchange() {
  if (on_end_) on_end_(*this);
}

void HttpExchange::AddHeader(std::string name, std::string value) {
  headers_.emplace_back(std::move(name), std::move(value));
}

void HttpExchange::Answer(HttpAnswer answer) {
  if (gone_) return;
  if (answer_) return MarkGone();
  answer.headers.insert(answer.headers.end(), headers_.begin(), headers_.end());
  num_body_bytes_ = static_cast<std::int64_t>(answer.body.size());
  answer_ = std::move(answer);
  ended_ = true;
  wake_();
}

void HttpExchange::BeginStream(HttpAnswer head) {
  if (gone_) return;
  if (answer_) return MarkGone();
  head.headers.insert(head.headers.end(), headers_.begin(), headers_.end());
  answer_ = std::move(head);
  streams_ = true;
  wake_();
}

bool HttpExchange::CanWrite(std::size_t num_more_bytes) {
  if (gone_ || ended_) return false;
  if (!streams_) {
    MarkGone();
    return false;
  }
  if (backlog_bytes_ == 0 || backlog_bytes_ + num_more_bytes <= kMaxBacklogBytes) return true;
  CutStream();
  return false;
}

void HttpExchange::Write(std::string_view text) {
  if (text.empty() || !CanWrite(text.size())) return;
  backlog_.emplace_back(text);
  backlog_bytes_ += text.size();
  wake_();
}

void HttpExchange::WriteLatest(std::size_t key, std::string text) {
  const auto waiting = latest_.find(key);
  std::string* const older = waiting == latest_.end() ? nullptr : &backlog_[waiting->second];
  const std::size_t num_bytes_before = older == nullptr ? 0 : older->size();
  backlog_bytes_ -= num_bytes_before;
  if (!CanWrite(text.size())) return;
  backlog_bytes_ += text.size();
  if (older != nullptr) {
    *older = std::move(text);
  } else {
    latest_.emplace(key, backlog_.size());
    backlog_.push_back(std::move(text));
  }
  wake_();
}

void HttpExchange::EndStream() {
  if (gone_ || ended_) return;
  if (!streams_) return MarkGone();
  ended_ = true;
  wake_();
}

std::string HttpExchange::TakeBacklog() {
  std::string text;
  text.reserve(backlog_bytes_);
  for (const std::string& piece : backlog_) text += piece;
  backlog_.clear();
  latest_.clear();
  backlog_bytes_ = 0;
  num_body_bytes_ += static_cast<std::int64_t>(text.size());
  return text;
}

void HttpExchange::CutStream() {
  latest_.clear();
  backlog_.assign(1, std::string(kTooSlow));
  backlog_bytes_ = kTooSlow.size();
  TellGone();
  ended_ = true;
  wake_();
}

void HttpExchange::MarkGone() {
  if (gone_) return;
  gone_ = true;
  wake_();
  TellGone();
}

void HttpExchange::TellGone() {
  const std::function<void()> on_gone = std::exchange(on_gone_, nullptr);
  if (!ended_ && on_gone) on_gone();
}

}  // namespace espalier
