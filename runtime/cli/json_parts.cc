#include "runtime/cli/json_parts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace espalier {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::size_t kNone = std::string_view::npos;

// Behind the value that begins at `begin`; kNone if it does not end.
std::size_t EndOfValue(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  for (std::size_t i = begin; i < text.size();) {
    const char c = text[i];
    if (c == '"') {
      i = EndOfJsonString(text, i);
      if (i == kNone) return kNone;
    } else if (c == '{' || c == '[') {
      ++depth, ++i;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return kNone;
      --depth, ++i;
    } else {
      i = std::min(text.find_first_of(" \t\r\n\",:{}[]", i + 1), text.size());
      if (c == ',' || c == ':') continue;
    }
    if (depth == 0) return i;
  }
  return kNone;
}

// Reads one level of an object or an array.
class Cutter {
 public:
  explicit Cutter(std::string_view text) : text_(text) { SkipBlanks(); }

  bool Take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    SkipBlanks();
    return true;
  }

  // The next value's text; empty if there is none.
  std::string_view TakeValue() {
    const bool begins = at_ < text_.size() && std::string_view(",:}]").find(text_[at_]) == kNone;
    const std::size_t end = begins ? EndOfValue(text_, at_) : kNone;
    if (end == kNone) return "";
    const std::string_view value = text_.substr(at_, end - at_);
    at_ = end;
    SkipBlanks();
    return value;
  }

  bool at_end() const { return at_ == text_.size(); }

  Status Expected(std::string_view what) const {
    return Status(Code::kInvalidArgument,
                  fmt::format("not JSON: {} expected at byte {}", what, at_));
  }

 private:
  void SkipBlanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

  const std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::size_t EndOfJsonString(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '"') return i + 1;
    if (text[i] == '\\') ++i;
  }
  return kNone;
}

Result<std::string> StringOf(std::string_view json, std::string_view what) {
  const nlohmann::json value = nlohmann::json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (value.is_string()) return value.get<std::string>();
  return Status(Code::kInvalidArgument, fmt::format("{} must be a string", what));
}

Result<std::vector<JsonPart>> ObjectMembers(std::string_view text) {
  Cutter cutter(text);
  std::vector<JsonPart> members;
  if (!cutter.Take('{')) return cutter.Expected("'{'");
  if (!cutter.Take('}')) {
    do {
      ESP_ASSIGN_OR_RETURN(std::string name, StringOf(cutter.TakeValue(), "a member's name"));
      if (!cutter.Take(':')) return cutter.Expected("':'");
      const std::string_view value = cutter.TakeValue();
      if (value.empty()) return cutter.Expected("a value");
      members.push_back({std::move(name), value});
    } while (cutter.Take(','));
    if (!cutter.Take('}')) return cutter.Expected("',' or '}'");
  }
  if (!cutter.at_end()) return cutter.Expected("the end");
  return members;
}

Result<std::vector<std::string_view>> ArrayElements(std::string_view text) {
  Cutter cutter(text);
  std::vector<std::string_view> elements;
  if (!cutter.Take('[')) return cutter.Expected("'['");
  if (!cutter.Take(']')) {
    do {
      const std::string_view value = cutter.TakeValue();
      if (value.empty()) return cutter.Expected("a value");
      elements.push_back(value);
    } while (cutter.Take(','));
    if (!cutter.Take(']')) return cutter.Expected("',' or ']'");
  }
  if (!cutter.at_end()) return cutter.Expected("the end");
  return elements;
}

}  // namespace espalier
