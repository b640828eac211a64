// InputFile: a file or stdin, open to be read.
//
// Thread safety: none on one object.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/base/status.h"

namespace espalier {

class InputFile {
 public:
  // "-" is stdin. The error names the path: kNotFound if there is no such file,
  // kInvalidArgument if it is a folder or cannot be opened.
  static Result<InputFile> Open(const std::string& path);
  explicit InputFile(int fd) : fd_(fd) {}  // closes it in the end, unless it is stdin
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  int fd() const { return fd_; }
  std::int64_t size_bytes() const;  // of a regular file; else -1

 private:
  int fd_;
};

// "<what>: <what errno says>", kNotFound where it says that.
Status SystemError(const std::string& what);

}  // namespace espalier
