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
  const Json json = Json::parse(body, nullptr, false);
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

const Json& JsonAt(const Json& json, std::string_view name) {
  static const Json kNull;
  if (!json.is_object()) return kNull;
  const auto found = json.find(name);
  return found == json.end() ? kNull : *found;
}

std::int64_t JsonInt(const Json& json, std::string_view name) {
  const Json& value = JsonAt(json, name);
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

std::string JsonString(const Json& json, std::string_view name) {
  const Json& value = JsonAt(json, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

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
    const Json json = Json::parse(reply->body, nullptr, false);
    if (json.is_discarded()) return Fail(call, NotUnderstood());
    on_json(json);
  };
  open_[Key(call)] = client_->Start({"POST", std::string(path), Dump(body)}, std::move(done));
}

void ServerBackend::Stream(CallId call, std::string_view path, const Json& body,
                           std::function<void(const Json&)> on_event,
                           std::function<void()> on_end) {
  auto take = [this, call, on_event = std::move(on_event)](std::string_view text) {
    if (text == "[DONE]" || !IsOpen(call)) return;
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) return Fail(call, NotUnderstood());
    if (json.is_object() && json.contains("error")) {
      return Fail(call, Status(Code::kInternal,
                               client_->url().Text() + ": " + MessageOf(std::string(text))));
    }
    on_event(json);
  };
  auto reader = std::make_shared<EventReader>();
  auto data = [this, call, reader, take = std::move(take)](std::string_view bytes) {
    if (!IsOpen(call)) return;
    if (Status status = reader->Read(bytes, take); !status.ok()) Fail(call, std::move(status));
  };
  auto done = [this, call, on_end = std::move(on_end)](Result<HttpReply> reply) {
    if (!IsOpen(call)) return;
    if (!reply.ok()) return Fail(call, reply.status());
    if (reply->status != 200) return Fail(call, StatusOf(*reply));
    on_end();
  };
  open_[Key(call)] =
      client_->Start({"POST", std::string(path), Dump(body)}, std::move(done), std::move(data));
}

void ServerBackend::Tell(CallEvent event) {
  if (event.done) open_.erase(Key(event.call));
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
  const auto found = open_.find(Key(call));
  if (found == open_.end()) return;
  client_->Cancel(found->second);
  Fail(call, Status(Code::kCancelled, "cancelled"));
}

std::vector<CallEvent> ServerBackend::Wait() {
  while (news_.empty()) client_->RunOne();
  return std::exchange(news_, {});
}

Result<HttpReply> ServerBackend::Fetch(std::string_view method, std::string_view path) {
  ESP_ASSIGN_OR_RETURN(HttpReply reply,
                       client_->Fetch({std::string(method), std::string(path), ""}));
  if (reply.status != 200) return StatusOf(reply);
  return reply;
}

Result<nlohmann::json> ServerBackend::FetchJson(std::string_view path) {
  ESP_ASSIGN_OR_RETURN(const HttpReply reply, Fetch("GET", path));
  Json json = Json::parse(reply.body, nullptr, false);
  if (json.is_discarded()) return NotUnderstood();
  return json;
}

}  // namespace espalier
