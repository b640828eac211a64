#include "runtime/cli/line_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace espalier {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;

Status SystemError(const std::string& what) {
  const Code code = errno == ENOENT ? Code::kNotFound : Code::kInvalidArgument;
  return Status(code, fmt::format("{}: {}", what,
                                  std::strerror(errno)));  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace

Result<LineReader> LineReader::Open(const std::string& path) {
  if (path == "-") return Stdin();
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return SystemError(path);
  LineReader reader(fd);
  struct stat file = {};
  if (fstat(fd, &file) == 0 && S_ISDIR(file.st_mode)) {
    return Status(Code::kInvalidArgument, fmt::format("{}: is a folder, not a file", path));
  }
  return reader;
}

LineReader LineReader::Stdin() { return LineReader(STDIN_FILENO); }

LineReader::LineReader(int fd) : fd_(fd) {
  struct stat file = {};
  if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode)) size_bytes_ = file.st_size;
}

LineReader::LineReader(LineReader&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      num_lines_(other.num_lines_),
      num_read_bytes_(other.num_read_bytes_),
      size_bytes_(other.size_bytes_),
      buffer_(std::move(other.buffer_)),
      start_(other.start_),
      looked_(other.looked_),
      skipping_(other.skipping_),
      at_end_(other.at_end_) {}

LineReader::~LineReader() {
  if (fd_ > STDIN_FILENO) close(fd_);
}

Status LineReader::ReadSome() {
  const std::size_t old_size = buffer_.size();
  buffer_.resize(old_size + kReadBytes);
  const ssize_t got = read(fd_, buffer_.data() + old_size, kReadBytes);
  buffer_.resize(old_size + static_cast<std::size_t>(got > 0 ? got : 0));
  if (got < 0 && errno != EINTR && errno != EAGAIN) {
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
