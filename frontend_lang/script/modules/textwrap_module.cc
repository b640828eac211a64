// textwrap: wrap, fill, shorten, dedent, indent, as CPython's TextWrapper splits and
// fills with its usual options.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/modules/step_iterator.h"
#include "frontend_lang/script/modules/text_chunks.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

namespace espalier::script {
namespace {

using lang::TypeError;
using lang::ValueError;

struct WrapOptions {
  std::int64_t width = 70;
  std::string first_indent, later_indent, placeholder = " [...]";
  ChunkOptions chunks;
  bool break_long_words = true, drop_blanks = true;
  std::optional<std::int64_t> max_lines;
};

Fault ReadOption(Host& host, const lang::Keyword& keyword, WrapOptions& options) {
  const auto flag = [&](bool& to) -> Fault {
    ESP_TRY_ASSIGN(to, lang::Truth(host, keyword.value));
    return Fault();
  };
  const auto text = [&](std::string& to) -> Fault {
    if (!keyword.value.is_str()) return TypeError(std::string(keyword.name) + " must be a str");
    to = lang::TextOf(keyword.value);
    return Fault();
  };
  if (keyword.name == "initial_indent") return text(options.first_indent);
  if (keyword.name == "subsequent_indent") return text(options.later_indent);
  if (keyword.name == "placeholder") return text(options.placeholder);
  if (keyword.name == "expand_tabs") return flag(options.chunks.expand_tabs);
  if (keyword.name == "replace_whitespace") return flag(options.chunks.replace_blanks);
  if (keyword.name == "break_on_hyphens") return flag(options.chunks.break_on_hyphens);
  if (keyword.name == "break_long_words") return flag(options.break_long_words);
  if (keyword.name == "drop_whitespace") return flag(options.drop_blanks);
  if (keyword.name == "max_lines") {
    if (keyword.value.is_none()) return Fault();
    ESP_TRY_ASSIGN(options.max_lines, IndexArgument(keyword.value));
    return Fault();
  }
  if (keyword.name == "width") {
    ESP_TRY_ASSIGN(options.width, IndexArgument(keyword.value));
    return Fault();
  }
  return TypeError("TextWrapper.__init__() got an unexpected keyword argument '" +
                   std::string(keyword.name) + "'");
}

std::int64_t LengthOf(std::string_view text) { return NumCodePoints(text); }
// The length, or some number above `most` where that is less: no look at the whole of it.
std::int64_t LengthUpTo(std::string_view text, std::int64_t most) {
  const auto longest = static_cast<std::int64_t>(text.size());
  most = std::clamp<std::int64_t>(most, 0, longest);
  return LengthOf(text.substr(0, static_cast<std::size_t>(std::min(longest, 4 * (most + 1)))));
}

class Wrapper {
 public:
  Wrapper(Host& host, const WrapOptions& options) : host_(host), options_(options) {}

  Outcome<std::vector<std::string>> Wrap(std::string_view text);

 private:
  Fault FillLine(std::int64_t width);
  void TakeLongWord(std::int64_t width);
  bool EndLine(const std::string& indent);
  void AddPlaceholder(const std::string& indent, std::int64_t width);
  bool done() const { return next_ == chunks_.size(); }
  // The next chunk, without what earlier lines took of it.
  std::string_view Rest() const { return std::string_view(chunks_[next_]).substr(num_taken_); }
  void Advance() {
    ++next_;
    num_taken_ = 0;
  }

  Host& host_;
  const WrapOptions& options_;
  std::vector<std::string> chunks_, lines_, line_;
  std::size_t next_ = 0;
  std::size_t num_taken_ = 0;  // bytes of chunks_[next_]
  std::int64_t length_ = 0;    // of line_
};

// Chunks from next_ on that fit the width.
Fault Wrapper::FillLine(std::int64_t width) {
  line_.clear();
  length_ = 0;
  while (!done()) {
    ESP_TRY(host_.Step());
    const std::int64_t length = LengthUpTo(Rest(), width - length_);
    if (length_ + length > width) break;
    line_.emplace_back(Rest());
    Advance();
    length_ += length;
  }
  if (!done() && LengthUpTo(Rest(), width) > width) TakeLongWord(width);
  return Fault();
}

// A word longer than a line: as much of it as fits, or all where it may not be broken.
void Wrapper::TakeLongWord(std::int64_t width) {
  const std::int64_t room = width < 1 ? 1 : width - length_;
  const std::string_view word = Rest();
  if (options_.break_long_words) {
    std::size_t end = 0, hyphen = 0;
    bool other_before = false;
    for (std::int64_t i = 0; i < room && end < word.size(); ++i) {
      const std::size_t begin = end;
      NextCodePoint(word, end);
      if (options_.chunks.break_on_hyphens && word[begin] == '-' && other_before) hyphen = end;
      other_before |= word[begin] != '-';
    }
    if (hyphen > 0 && end < word.size()) end = hyphen;
    line_.emplace_back(word.substr(0, end));
    num_taken_ += end;
    if (end == word.size()) Advance();
  } else if (line_.empty()) {
    line_.emplace_back(word);
    Advance();
  }
}

bool IsBlank(std::string_view chunk) {
  return chunk.find_first_not_of(" \t\n\r\v\f") == chunk.npos;
}

std::string Join(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += part;
  return all;
}

// The rest does not fit the lines that are left.
void Wrapper::AddPlaceholder(const std::string& indent, std::int64_t width) {
  const std::int64_t room = width - LengthOf(options_.placeholder);
  while (!line_.empty()) {
    if (!IsBlank(line_.back()) && length_ <= room) {
      lines_.push_back(indent + Join(line_) + options_.placeholder);
      return;
    }
    length_ -= LengthOf(line_.back());
    line_.pop_back();
  }
  if (!lines_.empty()) {
    std::string last = lines_.back();
    last.erase(last.find_last_not_of(" \t\n\r\v\f") + 1);
    if (LengthOf(last) + LengthOf(options_.placeholder) <= options_.width) {
      lines_.back() = last + options_.placeholder;
      return;
    }
  }
  std::string placeholder = options_.placeholder;
  placeholder.erase(0, std::min(placeholder.find_first_not_of(' '), placeholder.size()));
  lines_.push_back(indent + placeholder);
}

Outcome<std::vector<std::string>> Wrapper::Wrap(std::string_view text) {
  if (options_.width <= 0) {
    return ValueError("invalid width " + std::to_string(options_.width) + " (must be > 0)");
  }
  const auto& max_lines = options_.max_lines;
  if (max_lines) {
    const std::string& indent = *max_lines > 1 ? options_.later_indent : options_.first_indent;
    std::string placeholder = options_.placeholder;
    placeholder.erase(0, std::min(placeholder.find_first_not_of(' '), placeholder.size()));
    if (LengthOf(indent) + LengthOf(placeholder) > options_.width) {
      return ValueError("placeholder too large for max width");
    }
  }
  ESP_TRY(host_.Step(static_cast<std::int64_t>(text.size()) / 64));
  ESP_TRY(host_.Reserve(static_cast<std::int64_t>(text.size()), 8));
  chunks_ = SplitIntoChunks(text, options_.chunks);
  while (!done()) {
    ESP_TRY(host_.Step());
    const std::string& indent = lines_.empty() ? options_.first_indent : options_.later_indent;
    const std::int64_t width = options_.width - LengthOf(indent);
    if (options_.drop_blanks && !lines_.empty() && IsBlank(Rest())) Advance();
    ESP_TRY(FillLine(width));
    length_ = 0;
    for (const std::string& chunk : line_) length_ += LengthOf(chunk);
    if (options_.drop_blanks && !line_.empty() && IsBlank(line_.back())) {
      length_ -= LengthOf(line_.back());
      line_.pop_back();
    }
    if (line_.empty()) continue;
    const auto num_lines = static_cast<std::int64_t>(lines_.size());
    const bool rest_is_blank =
        done() || (options_.drop_blanks && next_ + 1 == chunks_.size() && IsBlank(Rest()));
    if (!max_lines || num_lines + 1 < *max_lines || (rest_is_blank && length_ <= width)) {
      lines_.push_back(indent + Join(line_));
      continue;
    }
    AddPlaceholder(indent, width);
    break;
  }
  return std::move(lines_);
}

// The first argument and, by position or name, the width.
Outcome<std::vector<std::string>> WrapWith(Host& host, std::string_view function, const Args& args,
                                           bool collapse) {
  if (args.positional.empty() || args.positional.size() > 2) {
    return TypeError(std::string(function) + "() missing 1 required positional argument: 'text'");
  }
  if (!args.positional[0].is_str()) {
    return TypeError("'" + std::string(lang::TypeName(args.positional[0])) +
                     "' object has no attribute 'expandtabs'");
  }
  WrapOptions options;
  if (args.positional.size() == 2) {
    ESP_TRY_ASSIGN(options.width, IndexArgument(args.positional[1]));
  }
  if (collapse) options.max_lines = 1;
  for (const lang::Keyword& keyword : args.keywords) ESP_TRY(ReadOption(host, keyword, options));
  std::string text(lang::TextOf(args.positional[0]));
  if (collapse) {
    ESP_TRY_ASSIGN(const Value words, lang::CallAttr(host, args.positional[0], "split", {}));
    const Value blank = lang::MakeStr(host.heap(), std::string(" "));
    ESP_TRY_ASSIGN(const Value joined, lang::CallAttr(host, blank, "join", {{&words, 1}, {}}));
    text = lang::TextOf(joined);
  }
  return Wrapper(host, options).Wrap(text);
}

Outcome<Value> Wrap(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto lines, WrapWith(host, "wrap", args, false));
  const Value made = host.heap().New<lang::List>();
  for (const std::string& line : lines) {
    made.As<lang::List>()->Append(lang::MakeStr(host.heap(), line));
  }
  return made;
}

Outcome<Value> Joined(Host& host, const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i > 0 ? "\n" : "") + lines[i];
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> Fill(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto lines, WrapWith(host, "fill", args, false));
  return Joined(host, lines);
}

Outcome<Value> Shorten(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto lines, WrapWith(host, "shorten", args, true));
  return Joined(host, lines);
}

// Lines with their ends.
std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const std::size_t size = newline == text.npos ? text.size() : newline + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

// Takes the blanks off that all lines begin with; lines of blanks alone become empty.
Outcome<Value> Dedent(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("dedent", args, {"text"}, 1));
  if (!bound[0].is_str()) return TypeError("expected string or bytes-like object");
  const auto lines = Lines(lang::TextOf(bound[0]));
  ESP_TRY(host.Step(static_cast<std::int64_t>(lines.size())));
  std::optional<std::string_view> margin;
  for (const std::string_view line : lines) {
    const std::size_t size = line.find_first_not_of(" \t");
    if (size == line.npos || line[size] == '\n') continue;
    std::string_view indent = line.substr(0, size);
    if (margin) {
      const auto differ = std::ranges::mismatch(indent, *margin).in1;
      indent = indent.substr(0, static_cast<std::size_t>(differ - indent.begin()));
    }
    margin = indent;
  }
  std::string text;
  for (const std::string_view line : lines) {
    const std::size_t size = line.find_first_not_of(" \t");
    if (size == line.npos) continue;
    text += line[size] == '\n' ? line.substr(size) : line.substr(margin->size());
  }
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> Indent(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("indent", args, {"text", "prefix", "predicate"}, 2));
  if (!bound[0].is_str() || !bound[1].is_str()) return TypeError("text and prefix must be str");
  const Value keep = Value::Bool(true);
  ESP_TRY_ASSIGN(const Value lines, lang::CallAttr(host, bound[0], "splitlines", {{&keep, 1}, {}}));
  const bool has_predicate = !bound[2].is_unset() && !bound[2].is_none();
  std::string text;
  for (const Value& line : lines.As<lang::List>()->items()) {
    ESP_TRY(host.Step());
    ESP_TRY(host.Reserve(static_cast<std::int64_t>(text.size())));
    ESP_TRY_ASSIGN(const Value wanted, has_predicate ? CallOne(host, bound[2], line)
                                                     : lang::CallAttr(host, line, "strip", {}));
    ESP_TRY_ASSIGN(const bool truth, lang::Truth(host, wanted));
    if (truth) text += lang::TextOf(bound[1]);
    text += lang::TextOf(line);
  }
  return lang::MakeStr(host.heap(), std::move(text));
}

}  // namespace

Value MakeTextwrapModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {
      {"wrap", Wrap}, {"fill", Fill}, {"shorten", Shorten}, {"dedent", Dedent}, {"indent", Indent}};
  return NewModule(machine, "_textwrap", kFunctions);
}

}  // namespace espalier::script
