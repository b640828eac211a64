// Source: one program text, and where things stand in it.
//
// Everything the front end says about a place is a Span of byte offsets; lines
// and columns are worked out only when somebody is told about them.
//
// Thread safety: immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/status.h"

namespace espalier::script {

struct Span {
  std::uint32_t begin = 0, end = 0;  // byte offsets, half open
};

struct Location {
  int line = 1, column = 1;  // both from 1; columns count characters
};

class Source {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{16} << 20;

  // Refuses text that is too long, not UTF-8 or holds a NUL. A leading byte order
  // mark is dropped; "\r\n" and "\r" become "\n".
  static Result<std::shared_ptr<const Source>> FromText(std::string name, std::string text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  std::string_view Text(Span span) const {
    return text().substr(span.begin, span.end - span.begin);
  }

  Location Locate(std::uint32_t offset) const;
  std::string_view Line(int line) const;  // without its newline; "" past the end

  // The line of `span`, without its indentation, and under it carets below the
  // part of the span on that line. Both are indented by four blanks.
  std::string Excerpt(Span span) const;

 private:
  Source(std::string name, std::string text);

  std::string name_, text_;
  std::vector<std::uint32_t> line_starts_;
};

// Why a text is not a program.
struct SyntaxProblem {
  std::string type = "SyntaxError";  // or IndentationError, TabError
  std::string message;
  std::string hint;  // what to write instead; may be empty
  Span span;
};

// As CPython: the place, the excerpt, and last "SyntaxError: message; hint".
std::string Describe(const SyntaxProblem& problem, const Source& source);

}  // namespace espalier::script
