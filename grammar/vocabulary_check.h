// Whether constraints can be kept with a vocabulary.
//
// Thread safety: a pure function.
#pragma once

#include "grammar/vocabulary.h"
#include "kernels/base/status.h"

namespace espalier {

// Whatever text a grammar wants must be within reach of tokens, byte by byte, so that no
// output can get stuck. kUnsupported: a byte of texts has no token. Bytes that hardly any
// text has may lack theirs; a grammar that demands one gets an empty mask there, which ends
// the request. kInvalidArgument: an end token is outside the vocabulary.
Status CheckVocabulary(const Vocabulary& vocabulary);

}  // namespace espalier
