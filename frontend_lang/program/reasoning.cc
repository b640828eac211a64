#include "frontend_lang/program/reasoning.h"

#include <algorithm>

namespace espalier::program {
namespace {

struct ReasoningMarks {
  std::string_view model_type, begin, end;
  bool begins_inside;  // the chat template has already said the begin mark
};

constexpr ReasoningMarks kMarks[] = {
    {"deepseek-r1", "<think>", "</think>", true},
    {"deepseek-v3", "<think>", "</think>", false},
    {"glm45", "<think>", "</think>", false},
    {"kimi", "\u25c1think\u25b7", "\u25c1/think\u25b7", false},
    {"minimax", "<think>", "</think>", true},
    {"qwen3", "<think>", "</think>", false},
    {"qwen3-thinking", "<think>", "</think>", true},
    {"step3", "<think>", "</think>", true},
};

const ReasoningMarks* Find(std::string_view model_type) {
  const auto* found =
      std::find_if(std::begin(kMarks), std::end(kMarks),
                   [&](const ReasoningMarks& row) { return row.model_type == model_type; });
  return found == std::end(kMarks) ? nullptr : found;
}

std::string_view Strip(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r\f\v";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string Without(std::string_view text, std::string_view mark) {
  std::string left;
  std::size_t at = 0;
  for (std::size_t found = text.find(mark); found != std::string_view::npos;
       found = text.find(mark, at)) {
    left += text.substr(at, found - at);
    at = found + mark.size();
  }
  return left.append(text.substr(at));
}

}  // namespace

Status CheckReasoningModel(std::string_view model_type) {
  if (Find(model_type) != nullptr) return Status();
  std::string known;
  for (const ReasoningMarks& row : kMarks) {
    known.append(known.empty() ? "" : ", ").append(row.model_type);
  }
  return Status(Code::kUnsupported, "separate_reasoning: there is no model type '" +
                                        std::string(model_type) + "'; there are: " + known);
}

ReasonedText SeparateReasoning(std::string_view model_type, std::string_view text) {
  const ReasoningMarks& marks = *Find(model_type);
  if (!marks.begins_inside && text.find(marks.begin) == std::string_view::npos) {
    return {"", std::string(text)};
  }
  const std::string rest = Without(text, marks.begin);
  const std::string_view stripped = Strip(rest);
  const std::size_t end = stripped.find(marks.end);
  if (end == std::string_view::npos) return {std::string(stripped), ""};
  return {std::string(stripped.substr(0, end)),
          std::string(Strip(stripped.substr(end + marks.end.size())))};
}

}  // namespace espalier::program
