// KeyReader: the bytes that keys of a terminal send, as many at once as have come.
//
// Thread safety: none on one object.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace espalier {

class KeyReader {
 public:
  explicit KeyReader(int fd) : fd_(fd) {}

  // Whether Next gives a byte without waiting, because it has been read already.
  bool has_more() const { return at_ < end_; }
  // The next byte; waits for it. Unset at the end of input.
  std::optional<unsigned char> Next();
  // The UTF-8 character that begins with `first`, which Next gave. Empty if what follows makes
  // it none: then `first` is dropped, and the rest is there for Next.
  std::string CharacterFrom(unsigned char first);

 private:
  bool Fill();

  int fd_;
  std::array<unsigned char, 4096> bytes_ = {};
  std::size_t at_ = 0, end_ = 0;  // what of them Next has not given
};

}  // namespace espalier
