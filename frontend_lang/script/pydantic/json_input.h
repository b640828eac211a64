// What models and TypeAdapters read before they validate: the mode that a call asks for, and JSON.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string_view>

#include "frontend_lang/script/pydantic/model_checker.h"

namespace espalier::script {

// Of validate(..., strict=True).
Outcome<ModelChecker::Mode> AskedMode(Host& host, const Args& args);

// The value of a JSON text, a str or bytes. A ValidationError of `title` where it is none.
Outcome<Value> ParsedJson(Host& host, const Value& text, std::string_view title);

}  // namespace espalier::script
