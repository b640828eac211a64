// FormatTraceback (error_object.h): the text of an error as CPython 3.11 prints it.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/syntax/parser.h"

namespace espalier::script {
namespace {

constexpr std::size_t kMaxShown = 10000;  // bytes of a line
constexpr std::size_t kMaxSegment = 500;  // longer lines get plain carets, or none

const ErrorObject* AsError(const Value& value) { return Exactly<ErrorObject>(value); }

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

// The operator between two operands, in bytes of the segment.
Span OperatorOf(const BinaryExpr& e, std::string_view segment) {
  std::uint32_t at = e.left->span.end;
  while (at < e.right->span.begin && (IsBlank(segment[at]) || segment[at] == ')')) ++at;
  const bool two =
      at + 1 < e.right->span.begin && !IsBlank(segment[at + 1]) && segment[at + 1] != '(';
  return {at, at + (two ? 2u : 1u)};
}

// The part of an expression that did it: the operator, or the brackets of an index.
std::optional<Span> CoreOf(std::string_view segment) {
  if (segment.size() > kMaxSegment) return std::nullopt;
  auto source = Source::FromText("", std::string(segment));
  if (!source.ok()) return std::nullopt;
  const ParseResult parsed = Parse(*source);
  const auto* ast = std::get_if<std::unique_ptr<const Ast>>(&parsed);
  if (ast == nullptr || (*ast)->body.size() != 1) return std::nullopt;
  const auto* stmt = (*ast)->body[0]->If<ExprStmt>();
  if (stmt == nullptr) return std::nullopt;
  if (const auto* binary = stmt->value->If<BinaryExpr>()) return OperatorOf(*binary, segment);
  const auto* item = stmt->value->If<SubscriptExpr>();
  if (item == nullptr) return std::nullopt;
  std::uint32_t begin = item->object->span.end;
  while (begin < segment.size() && segment[begin] != '[') ++begin;
  return Span{begin, stmt->value->span.end};
}

int CountCharacters(std::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// The line with the place marked, as far as marks say something.
std::string Excerpt(const Source& source, Span span) {
  const Location at = source.Locate(span.begin);
  const std::string_view line = source.Line(at.line);
  const std::size_t indent = std::min(line.find_first_not_of(" \t\f"), line.size());
  const std::string_view shown = line.substr(indent);
  if (shown.empty()) return "";
  if (shown.size() > kMaxShown) return fmt::format("    {}...\n", shown.substr(0, kMaxShown));
  std::string out = fmt::format("    {}\n", shown);
  const auto line_begin = static_cast<std::uint32_t>(line.data() - source.text().data());
  if (span.begin < line_begin + indent) return out;
  const bool one_line = span.end <= line_begin + line.size();
  const std::string_view segment =
      line.substr(span.begin - line_begin, one_line ? span.end - span.begin : line.npos);
  const std::optional<Span> core = one_line ? CoreOf(segment) : std::nullopt;
  const bool whole = segment.size() >= shown.size();
  if (shown.size() > kMaxSegment || (whole && !core)) return out;
  std::string marks(static_cast<std::size_t>(CountCharacters(segment)), core ? '~' : '^');
  if (core) {
    const auto begin = static_cast<std::size_t>(CountCharacters(segment.substr(0, core->begin)));
    const auto end = static_cast<std::size_t>(CountCharacters(segment.substr(0, core->end)));
    std::fill(marks.begin() + static_cast<std::ptrdiff_t>(begin),
              marks.begin() + static_cast<std::ptrdiff_t>(end), '^');
  }
  const auto blanks = static_cast<std::size_t>(
      CountCharacters(line.substr(indent, span.begin - line_begin - indent)));
  return out + fmt::format("    {}{}\n", std::string(blanks, ' '), marks);
}

void FormatTrace(const std::vector<TraceEntry>& trace, std::string& out) {
  constexpr int kShownAlike = 3;
  int num_alike = 0;
  std::string last;
  const auto end_run = [&] {
    const int more = num_alike - kShownAlike;
    if (more > 0) {
      out += fmt::format("  [Previous line repeated {} more time{}]\n", more, more == 1 ? "" : "s");
    }
  };
  for (std::size_t i = trace.size(); i-- > 0;) {
    const TraceEntry& entry = trace[i];
    std::string head = fmt::format("  File \"{}\", line {}, in {}\n", entry.source->name(),
                                   entry.source->Locate(entry.span.begin).line, entry.function);
    if (head != last) {
      end_run();
      num_alike = 0;
      last = head;
    }
    if (++num_alike <= kShownAlike) out += head + Excerpt(*entry.source, entry.span);
  }
  end_run();
}

void FormatOne(Host& host, const ErrorObject& error, std::string& out) {
  if (!error.trace.empty()) out += "Traceback (most recent call last):\n";
  FormatTrace(error.trace, out);
  auto text = const_cast<ErrorObject&>(error).Text(host);
  const std::string message = text.ok() ? *text : "<exception str() failed>";
  out += QualifiedName(error);
  if (!message.empty()) out += ": " + message;
  out += error.hint + "\n";
  for (const std::string& note : error.notes) out += note + "\n";
}

}  // namespace

std::string FormatTraceback(Host& host, const ErrorObject& error) {
  constexpr int kMaxChain = 10;
  std::vector<std::pair<const ErrorObject*, bool>> chain;  // and whether the next is its cause
  const ErrorObject* at = &error;
  while (at != nullptr && chain.size() < kMaxChain) {
    const bool caused = AsError(at->cause) != nullptr;
    chain.emplace_back(at, caused);
    at = AsError(caused ? at->cause : at->suppress_context ? Value() : at->context);
  }
  std::string out;
  for (std::size_t i = chain.size(); i-- > 0;) {
    FormatOne(host, *chain[i].first, out);
    if (i == 0) break;
    out += chain[i - 1].second
               ? "\nThe above exception was the direct cause of the following exception:\n\n"
               : "\nDuring handling of the above exception, another exception occurred:\n\n";
  }
  return out;
}

}  // namespace espalier::script
