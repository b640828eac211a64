#include "runtime/api/tool_call_reader.h"

#include <algorithm>
#include <utility>

namespace espalier {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

// How many of text's last bytes may be the beginning of `wanted`.
std::size_t HeldBack(std::string_view text, std::string_view wanted) {
  for (std::size_t size = std::min(text.size(), wanted.size() - 1); size > 0; --size) {
    if (wanted.starts_with(text.substr(text.size() - size))) return size;
  }
  return 0;
}

}  // namespace

ToolCallReader::News ToolCallReader::Feed(std::string_view piece) {
  held_ += piece;
  News news;
  for (bool more = true; more && !held_.empty();) {
    switch (place_) {
      case Place::kText: more = TakeText(news); break;
      case Place::kName: more = TakeName(news); break;
      case Place::kArguments: more = TakeArguments(news); break;
      case Place::kBehind: more = TakeBehind(); break;
    }
  }
  return news;
}

ToolCallReader::News ToolCallReader::Finish() {
  News news;
  const bool blank = held_.find_first_not_of(kBlank) == std::string::npos;
  if (place_ == Place::kText && !(blank && !calls_.empty())) news.text = std::exchange(held_, {});
  if (place_ == Place::kName) news.text = std::exchange(opening_, {}) + std::exchange(held_, {});
  return news;
}

bool ToolCallReader::TakeText(News& news) {
  const std::string_view trigger = format_.trigger();
  const std::size_t at = held_.find(trigger);
  const bool found = at != std::string::npos;
  const std::size_t size = found ? at : held_.size() - HeldBack(held_, trigger);
  // Blanks before a call are no text: they wait for what follows.
  const std::size_t last = std::string_view(held_).substr(0, size).find_last_not_of(kBlank);
  const std::size_t num_text = last == std::string::npos ? 0 : last + 1;
  news.text += held_.substr(0, num_text);
  opening_ = found ? held_.substr(num_text, size + trigger.size() - num_text) : "";
  held_.erase(0, found ? size + trigger.size() : num_text);
  if (!found) return false;
  if (!format_.open.empty() && held_.starts_with(format_.begin)) {
    opening_ += format_.begin;
    held_.erase(0, format_.begin.size());
  } else if (!format_.open.empty()) {
    place_ = Place::kBehind;
    return true;
  }
  place_ = Place::kName;
  return true;
}

bool ToolCallReader::TakeName(News& news) {
  const std::size_t at = held_.find(format_.middle);
  if (at == std::string::npos) return false;
  calls_.push_back({held_.substr(0, at), ""});
  held_.erase(0, at + format_.middle.size());
  news.calls.push_back({.call = calls_.size() - 1, .begins = true});
  depth_ = 0;
  in_string_ = escaped_ = false;
  place_ = Place::kArguments;
  return true;
}

// To the end of the object, which is where its braces close.
bool ToolCallReader::TakeArguments(News& news) {
  std::size_t size = 0;
  bool ended = false;
  while (size < held_.size() && !ended) {
    const char c = held_[size++];
    if (in_string_) {
      in_string_ = escaped_ || c != '"';
      escaped_ = !escaped_ && c == '\\';
    } else if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if (c == '}' || c == ']') {
      ended = --depth_ <= 0;
    }
  }
  News::Arguments added{.call = calls_.size() - 1, .arguments = held_.substr(0, size)};
  calls_.back().arguments += added.arguments;
  if (!news.calls.empty() && news.calls.back().call == added.call) {
    news.calls.back().arguments += added.arguments;
  } else {
    news.calls.push_back(std::move(added));
  }
  held_.erase(0, size);
  if (ended) place_ = Place::kBehind;
  return ended;
}

// The call's end; in a list, also what separates it from the next call.
bool ToolCallReader::TakeBehind() {
  if (format_.open.empty()) {
    if (held_.size() < format_.end.size()) return false;
    held_.erase(0, format_.end.size());
    place_ = Place::kText;
    return true;
  }
  const std::size_t at = held_.find(format_.begin);
  const std::size_t close = held_.find(format_.close);
  if (at != std::string::npos && at < close) {
    opening_.clear();  // what stood between two calls of a list is no text
    held_.erase(0, at + format_.begin.size());
    place_ = Place::kName;
    return true;
  }
  if (close == std::string::npos) return false;
  held_.erase(0, close + format_.close.size());
  place_ = Place::kText;
  return true;
}

}  // namespace espalier
