#include "runtime/server/endpoints/chat_shape.h"

#include <utility>

#include "runtime/api/openai_answer.h"
#include "runtime/server/request_id.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

Json CallJson(std::string id, const std::string& name, std::string arguments) {
  return {{"id", std::move(id)},
          {"type", "function"},
          {"function", {{"name", name}, {"arguments", std::move(arguments)}}}};
}

// An output that was cut is "length", whatever it called.
bool EndsByCalls(const GeneratedChoice& choice, const ToolCallReader& reader) {
  return choice.finish == FinishReason::kStop && !reader.calls().empty();
}

}  // namespace

Json ChatShape::Logprobs(std::span<const TokenLogprob> tokens) const {
  return tokens.empty() ? Json(nullptr) : ChatLogprobs(tokens, tokenizer());
}

Json ChatShape::Choice(const RequestRun& /*run*/, std::size_t /*request*/,
                       const GeneratedChoice& choice) {
  Json message = {{"role", "assistant"}, {"content", choice.text}, {"refusal", nullptr}};
  Json json = Json::object();
  if (format_ != nullptr) {
    ToolCallReader reader(*format_);
    std::string text = reader.Feed(choice.text).text;
    text += reader.Finish().text;
    for (const ToolCallReader::Call& call : reader.calls()) {
      message["tool_calls"].push_back(CallJson(NewId("call_"), call.name, call.arguments));
    }
    message["content"] = text.empty() && !reader.calls().empty() ? Json(nullptr) : Json(text);
    if (EndsByCalls(choice, reader)) json["finish_reason"] = "tool_calls";
  }
  json["message"] = std::move(message);
  json["logprobs"] = Logprobs(choice.logprobs);
  return json;
}

// The first chunk says whose text it is; the last, if it has no text, says nothing.
Json ChatShape::ChunkChoice(const RequestRun& /*run*/, std::size_t /*request*/, const Chunk& news) {
  Json delta = Json::object();
  if (news.is_first) delta["role"] = "assistant";
  Json json = Json::object();
  if (format_ == nullptr) {
    if (news.is_first || !news.text.empty()) delta["content"] = news.text;
  } else {
    json = ToolDelta(news, delta);
  }
  json["delta"] = std::move(delta);
  json["logprobs"] = Logprobs(news.logprobs);
  return json;
}

// Adds to the delta; gives what the choice says beside it.
Json ChatShape::ToolDelta(const Chunk& news, Json& to) {
  while (told_.size() <= news.index) told_.emplace_back(*format_);
  Told& told = told_[news.index];
  ToolCallReader::News added = told.reader.Feed(news.text);
  const bool ended = news.choice->finish != FinishReason::kNone;
  if (ended) added.text += told.reader.Finish().text;
  if (!added.text.empty()) {
    to["content"] = std::move(added.text);
  } else if (news.is_first) {
    to["content"] = nullptr;
  }
  for (ToolCallReader::News::Arguments& call : added.calls) {
    Json json = {{"index", call.call}};
    if (call.begins) {
      told.ids.push_back(NewId("call_"));
      json["id"] = told.ids.back();
      json["type"] = "function";
      json["function"]["name"] = told.reader.calls()[call.call].name;
    }
    json["function"]["arguments"] = std::move(call.arguments);
    to["tool_calls"].push_back(std::move(json));
  }
  Json beside = Json::object();
  if (ended && EndsByCalls(*news.choice, told.reader)) beside["finish_reason"] = "tool_calls";
  return beside;
}

}  // namespace espalier::endpoints
