// EventReader: the bytes of a text/event-stream -> the data of its events.
//
// Source: HTML Living Standard, section 9.2 (server-sent events); only `data` fields are
// read, which is all that model servers send.
//
// Thread safety: thread-compatible.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "kernels/base/status.h"

namespace espalier {

class EventReader {
 public:
  static constexpr std::size_t kMaxEventBytes = std::size_t{64} << 20;

  // Calls `on_event` with the data of each event that ends in `bytes`.
  // kLimit when an event is longer than kMaxEventBytes.
  Status Read(std::string_view bytes, const std::function<void(std::string_view)>& on_event);

 private:
  void TakeLine(std::string_view line, const std::function<void(std::string_view)>& on_event);

  std::string line_;  // what has come of a line
  std::string data_;  // of the event so far
  bool has_data_ = false;
};

}  // namespace espalier
