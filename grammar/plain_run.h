// PlainRun: how much plain text (vocabulary_slices.h) may follow a regex, so that the tokens
// of that text need no look.
//
// What `[^/]+` refuses is one kind of character: the run leaves that out, and the tokens that
// hold it are looked at.
//
// Thread safety: as RegexSet.
#pragma once

#include <cstddef>

#include "grammar/regex/byte_set.h"
#include "grammar/regex/regex_set.h"
#include "grammar/vocabulary_slices.h"

namespace espalier {

struct PlainRun {
  ByteSet without;  // the kinds of characters that are left out
  // Every plain text of the other kinds of at most this many code points is the beginning of
  // some string of the language; at most VocabularySlices::kMaxChars.
  std::size_t num_chars = 0;
  // No longer such text is, and none of at most that length is a string of the language.
  bool refuses_more = false;

  // True if what the regex makes of all short tokens of that text is known.
  bool is_whole() const {
    return num_chars == VocabularySlices::kMaxChars || (num_chars > 0 && refuses_more);
  }
};
PlainRun MeasurePlainRun(RegexSet& set, RegexId regex);

}  // namespace espalier
