// ByteReader: a cursor over untrusted little-endian bytes that never passes their
// end. A read that does not fit returns false and moves nothing.
//
// Thread safety: thread-compatible.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace espalier {

static_assert(std::endian::native == std::endian::little, "fields are read as they lie");

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes, std::size_t offset = 0)
      : bytes_(bytes), offset_(offset < bytes.size() ? offset : bytes.size()) {}

  template <typename T>
  [[nodiscard]] bool Read(T& value) {
    static_assert(std::is_arithmetic_v<T>);
    if (remaining() < sizeof(T)) return false;
    std::memcpy(&value, bytes_.data() + offset_, sizeof(T));
    offset_ += sizeof(T);
    return true;
  }

  [[nodiscard]] bool ReadBytes(std::uint64_t length, std::string_view& value) {
    if (length > remaining()) return false;
    value = bytes_.substr(offset_, static_cast<std::size_t>(length));
    offset_ += value.size();
    return true;
  }

  // A u64 length and that many bytes.
  [[nodiscard]] bool ReadString(std::string_view& value) {
    const std::size_t start = offset_;
    std::uint64_t length = 0;
    if (Read(length) && ReadBytes(length, value)) return true;
    offset_ = start;
    return false;
  }

  std::size_t offset() const { return offset_; }
  std::size_t remaining() const { return bytes_.size() - offset_; }

 private:
  std::string_view bytes_;
  std::size_t offset_;
};

}  // namespace espalier
