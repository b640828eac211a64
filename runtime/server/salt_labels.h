// SaltLabels: names of cache salts for people, that do not tell the salts.
//
// A label is the beginning of a keyed hash; the key is drawn when the server starts and never
// leaves it, so that nobody can try guesses of a salt against its label.
//
// Thread safety: immutable.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace espalier {

class SaltLabels {
 public:
  SaltLabels();

  // Eight hexadecimal digits; of no salt, "".
  std::string Of(std::string_view salt) const;

 private:
  std::array<unsigned char, 32> key_;
};

}  // namespace espalier
