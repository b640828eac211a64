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

// An output that was cut is "length", whatever it called; and one that a stop string ended
// within a call is "stop".
bool EndsByCalls(const GeneratedChoice& choice, const ToolCallReader& reader) {
  return choice.finish == FinishReason::kStop && !reader.calls().empty() && reader.last_is_whole();
}

}  // namespace

ChatShape::Reader::Reader(const AnswerParts& parts) {
  if (parts.reasoning) reasoning_.emplace(*parts.reasoning);
  if (parts.format != nullptr) calls_.emplace(*parts.format);
}

ChatShape::Reader::News ChatShape::Reader::Rest(ReasoningReader::News news) {
  News all{.reasoning = std::move(news.reasoning), .rest = {}};
  if (calls_) {
    all.rest = calls_->Feed(news.text);
  } else {
    all.rest.text = std::move(news.text);
  }
  return all;
}

ChatShape::Reader::News ChatShape::Reader::Feed(std::string_view piece) {
  return Rest(reasoning_ ? reasoning_->Feed(piece)
                         : ReasoningReader::News{.reasoning = "", .text = std::string(piece)});
}

ChatShape::Reader::News ChatShape::Reader::Finish() {
  News all = Rest(reasoning_ ? reasoning_->Finish() : ReasoningReader::News{});
  if (calls_) all.rest.text += calls_->Finish().text;
  return all;
}

Json ChatShape::Logprobs(std::span<const TokenLogprob> tokens) const {
  return tokens.empty() ? Json(nullptr) : ChatLogprobs(tokens, tokenizer());
}

Json ChatShape::Choice(const RequestRun& /*run*/, std::size_t /*request*/,
                       const GeneratedChoice& choice) {
  Reader reader(parts_);
  Reader::News news = reader.Feed(choice.text);
  const Reader::News last = reader.Finish();
  const std::string text = news.rest.text + last.rest.text;
  const ToolCallReader* const calls = reader.calls();
  const bool only_calls = calls != nullptr && text.empty() && !calls->calls().empty();
  Json message = {{"role", "assistant"},
                  {"content", only_calls ? Json(nullptr) : Json(text)},
                  {"refusal", nullptr}};
  if (reader.reasons()) {
    const std::string reasoning = news.reasoning + last.reasoning;
    message["reasoning_content"] = reasoning.empty() ? Json(nullptr) : Json(reasoning);
  }
  Json json = Json::object();
  if (calls != nullptr) {
    for (const ToolCallReader::Call& call : calls->calls()) {
      message["tool_calls"].push_back(CallJson(NewId("call_"), call.name, call.arguments));
    }
    if (EndsByCalls(choice, *calls)) json["finish_reason"] = "tool_calls";
  }
  json["message"] = std::move(message);
  json["logprobs"] = Logprobs(choice.logprobs);
  return json;
}

// The first chunk says whose text it is; the last, if it has no text, says nothing.
Json ChatShape::ChunkChoice(const RequestRun& /*run*/, std::size_t /*request*/, const Chunk& news) {
  while (readers_.size() <= news.index) readers_.emplace_back(parts_);
  Reader& reader = readers_[news.index];
  const bool ended = news.choice->finish != FinishReason::kNone;
  Reader::News added = reader.Feed(news.text);
  if (ended) {
    Reader::News last = reader.Finish();
    added.reasoning += last.reasoning;
    added.rest.text += last.rest.text;
  }
  Json delta = Json::object();
  if (news.is_first) delta["role"] = "assistant";
  if (!added.reasoning.empty()) delta["reasoning_content"] = std::move(added.reasoning);
  const bool is_plain = !reader.reasons() && reader.calls() == nullptr;
  if (!added.rest.text.empty() || (news.is_first && is_plain)) {
    delta["content"] = std::move(added.rest.text);
  } else if (news.is_first) {
    delta["content"] = nullptr;
  }
  Json json = Json::object();
  if (reader.calls() != nullptr) {
    AddCalls(reader, std::move(added.rest.calls), delta);
    if (ended && EndsByCalls(*news.choice, *reader.calls())) json["finish_reason"] = "tool_calls";
  }
  json["delta"] = std::move(delta);
  json["logprobs"] = Logprobs(news.logprobs);
  return json;
}

void ChatShape::AddCalls(const Reader& reader, std::vector<ToolCallReader::News::Arguments> calls,
                         Json& delta) const {
  for (ToolCallReader::News::Arguments& call : calls) {
    Json json = {{"index", call.call}};
    if (call.begins) {
      json["id"] = NewId("call_");
      json["type"] = "function";
      json["function"]["name"] = reader.calls()->calls()[call.call].name;
    }
    json["function"]["arguments"] = std::move(call.arguments);
    delta["tool_calls"].push_back(std::move(json));
  }
}

}  // namespace espalier::endpoints
