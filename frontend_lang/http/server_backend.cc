#include "frontend_lang/http/server_backend.h"

#include <utility>

#include <fmt/format.h>

#include "frontend_lang/http/event_reader.h"

namespace espalier {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxMessageBytes = 1000;

Code CodeOf(int http_status) {
  switch (http_status) {
    case 404: return Code::kNotFound;
    case 429:
    case 503: return Code::kOverloaded;
    default: return http_status >= 500 ? Code::kInternal : Code::kInvalidArgument;
  }
}

// The text of an error body in the shapes that servers use:
// {"error": {"message"}}, {"error": "..."}, {"message"}, {"detail"}, or plain text.
std::string MessageOf(const std::string& body) {
  const Json json = ParseAnswer(body);
  std::string message = JsonString(JsonAt(json, "error"), "message");
  for (const char* name : {"error", "message", "detail"}) {
    if (message.empty()) message = JsonString(json, name);
  }
  if (message.empty()) message = body;
  if (message.size() > kMaxMessageBytes) message.resize(kMaxMessageBytes);
  return message;
}

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Status ServerBackend::StatusOf(const HttpReply& reply) const {
  return Status(CodeOf(reply.status), fmt::format("{}: HTTP {}: {}", client_->url().Text(),
                                                  reply.status, MessageOf(reply.body)));
}

Status ServerBackend::NotUnderstood() const {
  return Status(Code::kInternal, client_->url().Text() + ": the answer is not what was expected");
}

void ServerBackend::Post(CallId call, std::string_view path, const Json& body,
                         std::function<void(const Json&)> on_json) {
  auto done = [this, call, on_json = std::move(on_json)](Result<HttpReply> reply) {
    if (!IsOpen(call)) return;
    if (!reply.ok()) return Fail(call, reply.status());
    if (reply->status != 200) return Fail(call, StatusOf(*reply));
    const Json json = ParseAnswer(reply->body);
    if (json.is_discarded()) return Fail(call, NotUnderstood());
    on_json(json);
  };
  open_[Key(call)] = client_->Start({"POST", std::string(path), Dump(body)}, std::move(done));
}

// One stream while it is read.
struct ServerBackend::Reading {
  EventReader events;
  std::unique_ptr<StreamedAnswer> answer;
  bool is_done = false;  // "[DONE]" came
};

void ServerBackend::Stream(CallId call, std::string_view path, const Json& body,
                           std::unique_ptr<StreamedAnswer> answer) {
  auto reading = std::make_shared<Reading>();
  reading->answer = std::move(answer);
  auto data = [this, call, reading](std::string_view bytes) {
    const auto take = [&](std::string_view text) { TakeEvent(call, *reading, text); };
    if (!IsOpen(call)) return;
    if (Status status = reading->events.Read(bytes, take); !status.ok()) {
      Fail(call, std::move(status));
    }
  };
  auto done = [this, call, reading](const Result<HttpReply>& reply) {
    if (IsOpen(call)) EndStream(call, *reading, reply);
  };
  open_[Key(call)] =
      client_->Start({"POST", std::string(path), Dump(body)}, std::move(done), std::move(data));
}

void ServerBackend::TakeEvent(CallId call, Reading& reading, std::string_view text) {
  if (!IsOpen(call)) return;
  if (text == "[DONE]") {
    reading.is_done = true;
    return;
  }
  Json json = ParseAnswer(text);
  if (json.is_discarded()) return Fail(call, NotUnderstood());
  if (json.is_object() && json.contains("error")) {
    return Fail(
        call, Status(Code::kInternal, client_->url().Text() + ": " + MessageOf(std::string(text))));
  }
  Result<std::string> news = reading.answer->Take(std::move(json), text.size());
  if (!news.ok()) {
    return Fail(
        call, Status(news.status().code(), client_->url().Text() + ": " + news.status().message()));
  }
  if (news->empty()) return;
  CallEvent event;
  event.call = call;
  event.text = std::move(*news);
  Tell(std::move(event));
}

void ServerBackend::EndStream(CallId call, Reading& reading, const Result<HttpReply>& reply) {
  if (reply.ok() && reply->status != 200) return Fail(call, StatusOf(*reply));
  if (!reading.is_done && !reading.answer->is_whole()) {
    return Fail(
        call, reply.ok() ? Status(Code::kDataLoss, client_->url().Text() + ": the answer broke off")
                         : reply.status());
  }
  CallEvent event = reading.answer->TakeAll();
  event.call = call;
  event.done = true;
  Tell(std::move(event));
}

void ServerBackend::Tell(CallEvent event) {
  if (event.done) {
    const auto found = open_.find(Key(event.call));
    if (found != open_.end()) client_->Cancel(found->second);
    open_.erase(Key(event.call));
  }
  news_.push_back(std::move(event));
}

void ServerBackend::Fail(CallId call, Status status) {
  CallEvent event;
  event.call = call;
  event.done = true;
  event.status = std::move(status);
  Tell(std::move(event));
}

void ServerBackend::Cancel(CallId call) {
  if (IsOpen(call)) Fail(call, Status(Code::kCancelled, "cancelled"));
}

std::vector<CallEvent> ServerBackend::Wait(Deadline deadline) {
  while (news_.empty() && client_->RunOne(deadline)) {
  }
  return std::exchange(news_, {});
}

Result<HttpReply> ServerBackend::Fetch(std::string_view method, std::string_view path,
                                       Deadline deadline) {
  ESP_ASSIGN_OR_RETURN(HttpReply reply,
                       client_->Fetch({std::string(method), std::string(path), ""}, deadline));
  if (reply.status != 200) return StatusOf(reply);
  return reply;
}

Result<nlohmann::json> ServerBackend::FetchJson(std::string_view path, Deadline deadline) {
  ESP_ASSIGN_OR_RETURN(const HttpReply reply, Fetch("GET", path, deadline));
  Json json = ParseAnswer(reply.body);
  if (json.is_discarded()) return NotUnderstood();
  return json;
}

}  // namespace espalier
