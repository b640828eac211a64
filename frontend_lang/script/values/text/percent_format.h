// The % operator of strings: "%d of %s" % (1, "two").
#pragma once

#include "frontend_lang/script/values/host.h"

namespace espalier::lang {

// REQUIRES: format is a str.
Outcome<Value> PercentFormat(Host& host, const Value& format, const Value& arguments);

}  // namespace espalier::lang
