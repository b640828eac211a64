// Detokenizer: bytes as they come to text in whole characters.
//
// Feed() gives back the longest valid prefix so far and keeps the rest (at most
// three bytes of one unfinished character); what can never become valid UTF-8
// comes out as U+FFFD, one for each maximal invalid sequence. The pieces
// concatenated equal the text of all bytes at once, and a piece once given never
// changes. O(bytes).
//
// Thread safety: none on one object.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

class Detokenizer {
 public:
  std::string Feed(std::string_view bytes);
  std::string Finish();  // what is left, as U+FFFD if unfinished

 private:
  std::string pending_;  // an unfinished character
};

}  // namespace espalier
