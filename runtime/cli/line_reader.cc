#include "runtime/cli/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include <fmt/format.h>

namespace espalier {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;

}  // namespace

Result<LineReader> LineReader::Open(const std::string& path) {
  ESP_ASSIGN_OR_RETURN(InputFile file, InputFile::Open(path));
  return LineReader(std::move(file));
}

LineReader LineReader::Stdin() { return LineReader(InputFile(STDIN_FILENO)); }

LineReader::LineReader(InputFile file) : file_(std::move(file)), size_bytes_(file_.size_bytes()) {}

Status LineReader::ReadSome() {
  const std::size_t old_size = buffer_.size();
  buffer_.resize(old_size + kReadBytes);
  const ssize_t got = read(fd(), buffer_.data() + old_size, kReadBytes);
  buffer_.resize(old_size + static_cast<std::size_t>(got > 0 ? got : 0));
  if (got < 0 && errno == EAGAIN) {  // who gave the descriptor wants no read to block
    pollfd fds = {.fd = fd(), .events = POLLIN, .revents = 0};
    poll(&fds, 1, -1);
  } else if (got < 0 && errno != EINTR) {
    at_end_ = true;
    return SystemError("reading the input");
  }
  if (got == 0) at_end_ = true;
  if (got > 0) num_read_bytes_ += got;
  return Status();
}

double LineReader::fraction() const {
  return size_bytes_ > 0 ? static_cast<double>(num_read_bytes_) / static_cast<double>(size_bytes_)
                         : -1.0;
}

std::optional<LineReader::Line> LineReader::Next() {
  const std::size_t end = buffer_.find('\n', looked_);
  if (end == std::string::npos && !at_end_) {
    looked_ = buffer_.size();
    if (buffer_.size() - start_ <= kMaxLineBytes) return std::nullopt;
    std::string beginning = buffer_.substr(start_, 64);
    buffer_.clear();
    start_ = looked_ = 0;
    if (std::exchange(skipping_, true)) return std::nullopt;
    return Line{std::move(beginning), ++num_lines_, true};
  }
  const std::size_t stop = end == std::string::npos ? buffer_.size() : end;
  if (stop == start_ && end == std::string::npos) return std::nullopt;  // nothing is left
  std::string text = buffer_.substr(start_, stop - start_);
  start_ = looked_ = end == std::string::npos ? buffer_.size() : end + 1;
  if (start_ > buffer_.size() / 2) {  // move what is left once for each doubling
    buffer_.erase(0, start_);
    start_ = looked_ = 0;
  }
  if (std::exchange(skipping_, false)) return Next();  // the end of a line already reported
  return Line{std::move(text), ++num_lines_, false};
}

Status AtLine(std::int64_t number, const Status& status) {
  return Status(status.code(), fmt::format("line {}: {}", number, status.message()));
}

}  // namespace espalier
