// FormatTraceback (error_object.h): the text of an error as CPython 3.11 prints it.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "frontend_lang/script/machine/error_group.h"
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

// Writes errors with their causes and contexts; those of a group stand in a frame, deeper ones
// further to the right.
class ErrorWriter {
 public:
  explicit ErrorWriter(Host& host) : host_(host) {}

  void WriteChain(const ErrorObject& error);
  std::string TakeText() { return std::move(out_); }

 private:
  static constexpr int kMaxDepth = 10, kMaxWidth = 15;  // of groups: what CPython shows

  void WriteOne(const ErrorObject& error);
  void WriteGroup(const ErrorObject& group, const std::vector<Value>& errors);
  void WriteParts(const std::vector<Value>& errors);
  // Each line of the text, behind the margin of its group.
  void Emit(std::string_view text, char margin = '|');
  std::string Indent() const { return std::string(static_cast<std::size_t>(2 * depth_), ' '); }
  std::string LastLines(const ErrorObject& error);

  Host& host_;
  std::string out_;
  int depth_ = 0;             // of groups
  bool needs_close_ = false;  // whether the innermost group's frame has no end yet
};

void ErrorWriter::Emit(std::string_view text, char margin) {
  if (depth_ == 0) {
    out_ += text;
    return;
  }
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    out_ += Indent();
    out_ += margin;
    out_ += ' ';
    out_ += text.substr(0, end);
    text.remove_prefix(end);
  }
}

std::string ErrorWriter::LastLines(const ErrorObject& error) {
  auto text = const_cast<ErrorObject&>(error).Text(host_);
  const std::string message = text.ok() ? *text : "<exception str() failed>";
  std::string lines = QualifiedName(error);
  if (!message.empty()) lines += ": " + message;
  lines += error.hint + "\n";
  for (const std::string& note : error.notes) lines += note + "\n";
  return lines;
}

void ErrorWriter::WriteOne(const ErrorObject& error) {
  const Value held(const_cast<ErrorObject*>(&error));
  if (IsGroup(held)) {
    auto errors = ErrorsOf(host_, held);
    if (errors.ok()) return WriteGroup(error, errors.value());
  }
  std::string trace;
  if (!error.trace.empty()) trace += "Traceback (most recent call last):\n";
  FormatTrace(error.trace, trace);
  Emit(trace + LastLines(error));
}

void ErrorWriter::WriteGroup(const ErrorObject& group, const std::vector<Value>& errors) {
  if (depth_ > kMaxDepth) return Emit(fmt::format("... (max_group_depth is {})\n", kMaxDepth));
  const bool outermost = depth_ == 0;
  if (outermost) ++depth_;
  if (!group.trace.empty()) {
    Emit("Exception Group Traceback (most recent call last):\n", outermost ? '+' : '|');
    std::string trace;
    FormatTrace(group.trace, trace);
    Emit(trace);
  }
  Emit(LastLines(group));
  WriteParts(errors);
  if (outermost) --depth_;
}

void ErrorWriter::WriteParts(const std::vector<Value>& errors) {
  const auto total = static_cast<int>(errors.size());
  const int shown = std::min(total, kMaxWidth + 1);
  needs_close_ = false;
  for (int i = 0; i < shown; ++i) {
    const bool last = i == shown - 1, cut = i >= kMaxWidth;
    if (last) needs_close_ = true;
    out_ += fmt::format("{}{}+---------------- {} ----------------\n", Indent(),
                        i == 0 ? "+-" : "  ", cut ? "..." : std::to_string(i + 1));
    ++depth_;
    const auto* error = AsError(errors[static_cast<std::size_t>(i)]);
    if (cut) {
      const int more = total - kMaxWidth;
      Emit(fmt::format("and {} more exception{}\n", more, more > 1 ? "s" : ""));
    } else if (error != nullptr) {
      WriteChain(*error);
    }
    if (last && needs_close_) {
      out_ += Indent() + "+------------------------------------\n";
      needs_close_ = false;
    }
    --depth_;
  }
}

void ErrorWriter::WriteChain(const ErrorObject& error) {
  constexpr int kMaxChain = 10;
  std::vector<std::pair<const ErrorObject*, bool>> chain;  // and whether the next is its cause
  const ErrorObject* at = &error;
  while (at != nullptr && chain.size() < kMaxChain) {
    const bool caused = AsError(at->cause) != nullptr;
    chain.emplace_back(at, caused);
    at = AsError(caused ? at->cause : at->suppress_context ? Value() : at->context);
  }
  for (std::size_t i = chain.size(); i-- > 0;) {
    WriteOne(*chain[i].first);
    if (i == 0) break;
    Emit(chain[i - 1].second
             ? "\nThe above exception was the direct cause of the following exception:\n\n"
             : "\nDuring handling of the above exception, another exception occurred:\n\n");
  }
}

}  // namespace

std::string FormatTraceback(Host& host, const ErrorObject& error) {
  ErrorWriter writer(host);
  writer.WriteChain(error);
  return writer.TakeText();
}

}  // namespace espalier::script
