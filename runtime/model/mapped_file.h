// MappedFile: a regular file mapped read-only as a whole.
//
// The file must not shrink while it is mapped: reading past its new end would
// end the process, as with any mapping.
//
// Thread safety: immutable after opening.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "kernels/base/status.h"

namespace espalier {

class MappedFile {
 public:
  // kNotFound if there is no such file; kInvalidArgument if it cannot be read or is
  // no regular file.
  static Result<MappedFile> Open(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  // Aligned to the memory page.
  std::string_view bytes() const { return {static_cast<const char*>(memory_), size_bytes_}; }

  // Gives the pages that were read back to the system; they are read again when they
  // are used again.
  void DropPages() const;

 private:
  MappedFile() = default;
  void* memory_ = nullptr;  // null for an empty file
  std::size_t size_bytes_ = 0;
};

}  // namespace espalier
