// The methods of a compiled pattern: search, findall, sub, split, ... The functions of
// the module re are these, too, with the pattern compiled first.
#pragma once

#include <string_view>

#include "frontend_lang/script/regex/pattern.h"
#include "frontend_lang/script/values/methods.h"

namespace espalier::script::regex {

// A row with raw_code, whose self is a Pattern; or null.
const lang::Method* FindPatternMethod(std::string_view name);

// "expected string or bytes-like object, got 'int'"
Fault CheckSubject(const Value& subject);

}  // namespace espalier::script::regex
