// The tests of templates (`value is test`): one table, name -> code. A test is a
// method whose object is its input and whose result is a bool.
#pragma once

#include <string_view>

#include "frontend_lang/script/values/methods.h"

namespace espalier::jinja {

struct Test {
  lang::Method method;
};

// The test of that name, or null. The row lives for ever.
const Test* FindTest(std::string_view name);

}  // namespace espalier::jinja
