#include "runtime/api/reasoning_reader.h"

#include <algorithm>
#include <utility>

#include "runtime/api/constraint_format.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kBegin = "<think>", kEnd = "</think>";
constexpr std::string_view kBlank = " \t\r\n";

std::string_view WithoutBlanksBehind(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

// How many of text's last bytes may be the beginning of the end mark, or blanks before it.
std::size_t HeldBack(std::string_view text) {
  std::size_t held = 0;
  for (std::size_t size = std::min(text.size(), kEnd.size() - 1); size > 0 && held == 0; --size) {
    if (kEnd.starts_with(text.substr(text.size() - size))) held = size;
  }
  return text.size() - WithoutBlanksBehind(text.substr(0, text.size() - held)).size();
}

}  // namespace

ReasoningReader::News ReasoningReader::Feed(std::string_view piece) {
  News news;
  held_ += piece;
  for (bool more = true; more && !held_.empty();) {
    switch (place_) {
      case Place::kBefore: more = TakeBefore(); break;
      case Place::kInside: more = TakeInside(news); break;
      case Place::kBehind: more = TakeBehind(); break;
      case Place::kText:
        news.text += std::exchange(held_, {});
        more = false;
        break;
    }
  }
  return news;
}

ReasoningReader::News ReasoningReader::Finish() {
  News news;
  if (place_ == Place::kInside) news.reasoning = WithoutBlanksBehind(held_);
  if (place_ == Place::kBefore) news.text = held_;
  held_.clear();
  return news;
}

bool ReasoningReader::TakeBefore() {
  const std::size_t first = std::min(held_.find_first_not_of(kBlank), held_.size());
  const std::string_view text = std::string_view(held_).substr(first);
  if (text.starts_with(kBegin)) {
    held_.erase(0, first + kBegin.size());
    place_ = Place::kInside;
    return true;
  }
  if (kBegin.starts_with(text)) return false;
  place_ = Place::kText;
  return true;
}

bool ReasoningReader::TakeInside(News& news) {
  if (!any_reasoning_) held_.erase(0, std::min(held_.find_first_not_of(kBlank), held_.size()));
  const std::size_t end = held_.find(kEnd);
  const bool found = end != std::string::npos;
  const std::string_view text =
      found ? WithoutBlanksBehind(std::string_view(held_).substr(0, end))
            : std::string_view(held_).substr(0, held_.size() - HeldBack(held_));
  news.reasoning += text;
  any_reasoning_ |= !text.empty();
  held_.erase(0, found ? end + kEnd.size() : text.size());
  if (found) place_ = Place::kBehind;
  return found;
}

bool ReasoningReader::TakeBehind() {
  held_.erase(0, std::min(held_.find_first_not_of(kBlank), held_.size()));
  if (held_.empty()) return false;
  place_ = Place::kText;
  return true;
}

std::optional<ReasoningReader::Start> ReasoningStart(std::string_view chat_template,
                                                     std::string_view prompt) {
  if (chat_template.find(kEnd) == std::string_view::npos) return std::nullopt;
  const std::string_view end = WithoutBlanksBehind(prompt);
  if (end.ends_with(kEnd)) return std::nullopt;  // it was told not to
  return end.ends_with(kBegin) ? ReasoningReader::Start::kInside : ReasoningReader::Start::kBefore;
}

Status ConstrainBehindReasoning(ReasoningReader::Start start, Json& line) {
  ESP_ASSIGN_OR_RETURN(Json format, TakeConstraintFormat(line));
  if (format.is_null()) return Status();
  const bool inside = start == ReasoningReader::Start::kInside;
  const Json reasoning = {{"type", "tag"},
                          {"begin", inside ? std::string_view() : kBegin},
                          {"content", {{"type", "any_text"}}},
                          {"end", kEnd}};
  line["structural_tag"] = {
      {"type", "structural_tag"},
      {"format",
       {{"type", "sequence"}, {"elements", Json::array({reasoning, std::move(format)})}}}};
  return Status();
}

}  // namespace espalier
