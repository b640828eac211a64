#include "frontend_lang/script/syntax/source.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/utf8.h"

namespace espalier::script {
namespace {

std::string WithUnixNewlines(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out += text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      out += '\n';
    }
  }
  return out;
}

}  // namespace

Source::Source(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), line_starts_{0} {
  for (std::uint32_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

Result<std::shared_ptr<const Source>> Source::FromText(std::string name, std::string text) {
  if (text.size() > kMaxBytes) {
    return Status(Code::kLimit, fmt::format("{}: the program has {} bytes; the limit is {}", name,
                                            text.size(), kMaxBytes));
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  std::size_t bad = text.find('\0');
  std::string_view what = "a NUL byte";
  if (bad == std::string::npos) {
    const std::size_t valid = ValidUtf8Prefix(text);
    if (valid < text.size()) bad = valid;
    what = "a byte that is not UTF-8";
  }
  if (bad != std::string::npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(bad), '\n');
    return Status(Code::kInvalidArgument,
                  fmt::format("{}:{}: {}; save the program as UTF-8 text", name, line, what));
  }
  if (text.find('\r') != std::string::npos) text = WithUnixNewlines(text);
  return std::shared_ptr<const Source>(new Source(std::move(name), std::move(text)));
}

Location Source::Locate(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const std::uint32_t start = *(after - 1);
  return {static_cast<int>(after - line_starts_.begin()),
          static_cast<int>(NumCodePoints(text().substr(start, offset - start))) + 1};
}

std::string_view Source::Line(int line) const {
  if (line < 1 || line > static_cast<int>(line_starts_.size())) return {};
  const std::uint32_t start = line_starts_[static_cast<std::size_t>(line - 1)];
  const std::string_view rest = text().substr(start);
  return rest.substr(0, rest.find('\n'));
}

std::string Source::Excerpt(Span span) const {
  constexpr int kMaxShown = 200;
  const Location begin = Locate(span.begin);
  const std::string_view line = Line(begin.line);
  const std::size_t indent = std::min(line.find_first_not_of(" \t\f"), line.size());
  const std::uint32_t start = line_starts_[static_cast<std::size_t>(begin.line - 1)];
  const auto line_end = static_cast<std::uint32_t>(start + line.size());
  const std::uint32_t end = std::min(std::max(span.end, span.begin), line_end);
  const std::string_view marked = text().substr(span.begin, std::max(end, span.begin) - span.begin);
  const int width = std::max(static_cast<int>(NumCodePoints(marked)), 1);
  const int column = std::max(begin.column - 1 - static_cast<int>(indent), 0);
  if (column + width > kMaxShown) return fmt::format("    (column {})\n", begin.column);
  std::string_view shown = line.substr(indent);
  shown = shown.substr(0, std::min(shown.size(), std::size_t{4 * kMaxShown}));
  return fmt::format("    {}\n    {}{}\n", shown,
                     std::string(static_cast<std::size_t>(column), ' '),
                     std::string(static_cast<std::size_t>(width), '^'));
}

std::string Describe(const SyntaxProblem& problem, const Source& source) {
  const Location at = source.Locate(problem.span.begin);
  return fmt::format("  File \"{}\", line {}, column {}\n{}{}: {}{}\n", source.name(), at.line,
                     at.column, source.Excerpt(problem.span), problem.type, problem.message,
                     problem.hint.empty() ? "" : "; " + problem.hint);
}

}  // namespace espalier::script
