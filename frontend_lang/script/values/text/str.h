// Str: an immutable string of code points, kept as UTF-8.
//
//   1. bytes() is valid UTF-8 (MakeStr replaces what is not by U+FFFD).
//   2. Indexing by code points costs O(1) on ASCII, and O(64) otherwise after one
//      pass that notes the byte offset of every 64th code point.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/script/values/heap.h"

namespace espalier::lang {

class Str : public Object {
 public:
  static constexpr Type kType = Type::kStr;

  // REQUIRES: bytes is valid UTF-8.
  Str(Heap& heap, std::string bytes);

  const std::string& bytes() const { return bytes_; }
  std::int64_t length() const { return length_; }  // in code points
  bool ascii() const { return length_ == static_cast<std::int64_t>(bytes_.size()); }

  // Byte offset of code point `index`. REQUIRES: 0 <= index <= length().
  std::size_t OffsetOf(std::int64_t index) const;
  // The code point that begins at byte `offset`: its index.
  std::int64_t IndexOf(std::size_t offset) const;
  std::string_view Slice(std::int64_t start, std::int64_t stop) const;  // REQUIRES: start <= stop

  std::uint64_t Hash() const;  // cached

  // Appends in place. REQUIRES: unique(), so nobody sees a string change.
  void Append(std::string_view utf8, std::int64_t num_code_points);

 private:
  std::string bytes_;
  std::int64_t length_;
  mutable std::uint64_t hash_ = 0;                           // 0: not computed
  mutable std::unique_ptr<std::vector<std::size_t>> marks_;  // offset of each 64th code point
};

// A string value; what is not UTF-8 in `bytes` becomes U+FFFD.
Value MakeStr(Heap& heap, std::string bytes);
Value MakeStr(Heap& heap, std::string_view bytes);
// The same for text that is known to be valid UTF-8.
Value MakeValidStr(Heap& heap, std::string bytes);

inline std::string_view TextOf(const Value& str) { return str.As<Str>()->bytes(); }

}  // namespace espalier::lang
