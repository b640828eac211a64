// repr() and str() of values, as CPython 3.11 prints them.
#pragma once

#include <string>
#include <string_view>

#include "frontend_lang/script/values/host.h"

namespace espalier::lang {

Outcome<std::string> Repr(Host& host, const Value& value);
Outcome<std::string> Text(Host& host, const Value& value);  // str(value)

// The shortest digits that read back as the same float: 0.1, 1e+16, inf, nan.
std::string ReprFloat(double value);
// A quoted string, with the escapes and the choice of quote that Python makes.
std::string ReprStr(std::string_view text);

}  // namespace espalier::lang
