// The format mini-language: what stands after ":" in f"{x:>10.2f}".
//
//   [[fill]align][sign][z][#][0][width][grouping][.precision][type]
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frontend_lang/script/values/host.h"

namespace espalier::lang {

struct FormatSpec {
  std::string fill = " ";  // one code point
  char align = 0;          // < > ^ = or 0: the type's own
  char sign = 0;           // + - blank, or 0: as -
  char grouping = 0;       // , or _
  char type = 0;
  bool negative_zero = true;  // false: z
  bool alternate = false;     // #
  std::int64_t width = 0;
  std::optional<std::int64_t> precision;
};

// A ValueError for a malformed spec; `type_name` is named in it.
Outcome<FormatSpec> ParseFormatSpec(std::string_view spec, std::string_view type_name);

// format(value, spec).
Outcome<std::string> Format(Host& host, const Value& value, std::string_view spec);

// The parts that % formatting shares: digits without sign or padding.
// `type` is one of d b o x X.
Outcome<std::string> IntDigits(Host& host, const Value& value, char type);
struct FloatForm {
  char type;  // e E f F g G
  std::int64_t precision = 6;
  bool alternate = false;  // #: keep the point and, with g, trailing zeros
};
// REQUIRES: magnitude >= 0 or NaN
Outcome<std::string> FloatDigits(Host& host, double magnitude, const FloatForm& form);

// Puts sign (and prefix) and body on a field of the spec's width.
Outcome<std::string> Align(Host& host, const FormatSpec& spec, std::string_view prefix,
                           std::string_view body, char default_align);

}  // namespace espalier::lang
