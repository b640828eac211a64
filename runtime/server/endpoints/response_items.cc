#include "runtime/server/endpoints/response_items.h"

#include <utility>

#include "runtime/server/request_id.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

Json TextPart(std::string text) {
  return {{"type", "output_text"},
          {"text", std::move(text)},
          {"annotations", Json::array()},
          {"logprobs", Json::array()}};
}

}  // namespace

// About the last item.
Json ResponseItems::Event(std::string_view type) const {
  return {{"type", type}, {"item_id", items_.back()["id"]}, {"output_index", items_.size() - 1}};
}

void ResponseItems::Open(Json item, Json& events) {
  Close(events);
  items_.push_back(std::move(item));
  open_ = true;
  events.push_back({{"type", "response.output_item.added"},
                    {"output_index", items_.size() - 1},
                    {"item", items_.back()}});
}

void ResponseItems::CloseMessage(Json& item, Json& events) {
  Json done = Event("response.output_text.done");
  done["content_index"] = 0;
  done["text"] = item["content"][0]["text"];
  done["logprobs"] = Json::array();
  events.push_back(std::move(done));
  Json part = Event("response.content_part.done");
  part["content_index"] = 0;
  part["part"] = item["content"][0];
  events.push_back(std::move(part));
}

void ResponseItems::Close(Json& events) {
  if (!std::exchange(open_, false)) return;
  Json& item = items_.back();
  item["status"] = "completed";
  if (item["type"] == "message") {
    CloseMessage(item, events);
  } else {
    Json done = Event("response.function_call_arguments.done");
    done["name"] = item["name"];
    done["arguments"] = item["arguments"];
    events.push_back(std::move(done));
  }
  events.push_back(
      {{"type", "response.output_item.done"}, {"output_index", items_.size() - 1}, {"item", item}});
}

void ResponseItems::AddText(const std::string& text, Json& events) {
  if (text.empty()) return;
  if (!open_ || items_.back()["type"] != "message") {
    Open({{"id", NewId("msg_")},
          {"type", "message"},
          {"status", "in_progress"},
          {"role", "assistant"},
          {"content", Json::array()}},
         events);
    items_.back()["content"].push_back(TextPart(""));
    Json part = Event("response.content_part.added");
    part["content_index"] = 0;
    part["part"] = TextPart("");
    events.push_back(std::move(part));
  }
  items_.back()["content"][0]["text"].get_ref<std::string&>() += text;
  Json delta = Event("response.output_text.delta");
  delta["content_index"] = 0;
  delta["delta"] = text;
  delta["logprobs"] = Json::array();
  events.push_back(std::move(delta));
}

void ResponseItems::AddCall(const ToolCallReader::News::Arguments& call, Json& events) {
  if (call.begins) {
    Open({{"id", NewId("fc_")},
          {"type", "function_call"},
          {"status", "in_progress"},
          {"call_id", NewId("call_")},
          {"name", reader_->calls()[call.call].name},
          {"arguments", ""}},
         events);
  }
  if (call.arguments.empty()) return;
  items_.back()["arguments"].get_ref<std::string&>() += call.arguments;
  Json delta = Event("response.function_call_arguments.delta");
  delta["delta"] = call.arguments;
  events.push_back(std::move(delta));
}

void ResponseItems::Feed(std::string_view piece, Json& events) {
  if (!reader_) return AddText(std::string(piece), events);
  const ToolCallReader::News news = reader_->Feed(piece);
  AddText(news.text, events);
  for (const ToolCallReader::News::Arguments& call : news.calls) AddCall(call, events);
}

void ResponseItems::Finish(Json& events) {
  if (reader_) AddText(reader_->Finish().text, events);
  Close(events);
}

}  // namespace espalier::endpoints
