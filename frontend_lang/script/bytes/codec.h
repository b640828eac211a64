// Texts as bytes and back: UTF-8, ASCII and Latin-1, with Python's ways of dealing with what
// does not fit: strict, ignore, replace, backslashreplace.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "frontend_lang/script/values/extension.h"

namespace espalier::script {

// `encoding` and `errors` are as the program wrote them; Unset: UTF-8, strict.
lang::Outcome<std::string> EncodeText(std::string_view text, const lang::Value& encoding,
                                      const lang::Value& errors);
// The text as UTF-8.
lang::Outcome<std::string> DecodeBytes(std::string_view bytes, const lang::Value& encoding,
                                       const lang::Value& errors);

}  // namespace espalier::script
