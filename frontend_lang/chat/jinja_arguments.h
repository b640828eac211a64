// What the code of filters needs of its arguments, and the values that it makes.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "frontend_lang/chat/jinja_objects.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"

namespace espalier::jinja {

using Arguments = std::span<const Value>;  // unset: not given
using Values = std::vector<Value>;

inline bool Given(const Value& value) { return !value.is_unset() && !value.is_none(); }

inline Outcome<bool> Flag(Host& host, const Value& value) {
  if (value.is_unset()) return false;
  return lang::Truth(host, value);
}

inline Value MakeList(Host& host, Values items) {
  return host.heap().New<lang::List>(std::move(items));
}

}  // namespace espalier::jinja
