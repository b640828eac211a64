// ResponseItems: the output of a response as it grows: a message, calls of tools, and the
// events that tell of them.
//
// Source: OpenAI's API reference, streaming events of responses.
//
// Thread safety: none on one object.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "runtime/api/tool_call_reader.h"

namespace espalier::endpoints {

class ResponseItems {
 public:
  // `format`: how calls are written; null: there are none.
  explicit ResponseItems(const ToolFormat* format) {
    if (format != nullptr) reader_.emplace(*format);
  }

  // Each appends events to `events`, a list of {"type": ..., ...}.
  void Feed(std::string_view piece, nlohmann::ordered_json& events);
  void Finish(nlohmann::ordered_json& events);

  // The items. Whole after Finish.
  const nlohmann::ordered_json& items() const { return items_; }

 private:
  void AddText(const std::string& text, nlohmann::ordered_json& events);
  void AddCall(const ToolCallReader::News::Arguments& call, nlohmann::ordered_json& events);
  void Open(nlohmann::ordered_json item, nlohmann::ordered_json& events);
  void Close(nlohmann::ordered_json& events);
  void CloseMessage(nlohmann::ordered_json& item, nlohmann::ordered_json& events);
  nlohmann::ordered_json Event(std::string_view type) const;

  std::optional<ToolCallReader> reader_;
  nlohmann::ordered_json items_ = nlohmann::ordered_json::array();
  bool open_ = false;  // the last item
};

}  // namespace espalier::endpoints
