// LineReader: lines of a file descriptor as they come, without blocking longer than
// one read() does.
//
// Thread safety: none on one object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "kernels/base/status.h"
#include "runtime/cli/input_file.h"

namespace espalier {

class LineReader {
 public:
  static constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;

  // Fails as InputFile::Open does.
  static Result<LineReader> Open(const std::string& path);
  static LineReader Stdin();
  explicit LineReader(InputFile file);

  // One read(). Blocks if nothing is there: poll fd() first where that matters.
  Status ReadSome();

  struct Line {
    std::string text;         // without its end; a last line needs none
    std::int64_t number = 0;  // the first line is 1
    bool too_long = false;    // longer than kMaxLineBytes; text is cut
  };
  // The next whole line among what was read.
  std::optional<Line> Next();

  bool at_end() const { return at_end_ && buffer_.size() == start_; }
  bool wants_more() const { return !at_end_; }
  int fd() const { return file_.fd(); }
  // The share of a regular file that was read; below 0 where the size is not known.
  double fraction() const;

 private:
  InputFile file_;
  std::int64_t num_lines_ = 0;
  std::int64_t num_read_bytes_ = 0;
  std::int64_t size_bytes_ = -1;  // of a regular file
  std::string buffer_;
  std::size_t start_ = 0;   // of the next line in buffer_
  std::size_t looked_ = 0;  // no line end before this
  bool skipping_ = false;   // the rest of a line that was too long
  bool at_end_ = false;
};

// `status`, with the number of the line that it is about before its message.
Status AtLine(std::int64_t number, const Status& status);

}  // namespace espalier
