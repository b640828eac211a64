#include "frontend_lang/http/event_reader.h"

namespace espalier {

Status EventReader::Read(std::string_view bytes,
                         const std::function<void(std::string_view)>& on_event) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    if (line_.size() + data_.size() + part.size() > kMaxEventBytes) {
      return Status(Code::kLimit, "the server sent an event without end");
    }
    if (end == std::string_view::npos) {
      line_ += part;
      break;
    }
    bytes.remove_prefix(end + 1);
    if (line_.empty()) {
      TakeLine(part, on_event);
      continue;
    }
    line_ += part;
    const std::string line = std::move(line_);
    line_.clear();
    TakeLine(line, on_event);
  }
  return Status();
}

void EventReader::TakeLine(std::string_view line,
                           const std::function<void(std::string_view)>& on_event) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) {
    if (has_data_) on_event(data_);
    data_.clear();
    has_data_ = false;
    return;
  }
  if (!line.starts_with("data:")) return;
  line.remove_prefix(5);
  if (line.starts_with(' ')) line.remove_prefix(1);
  if (has_data_) data_ += '\n';
  data_ += line;
  has_data_ = true;
}

}  // namespace espalier
