// asyncio.timeout: a block that must end in time.
#pragma once

#include "frontend_lang/script/asyncio/future.h"

namespace espalier::script::asyncio {

Outcome<Value> NewTimeout(Host& host, const Value&, const Args& args);

}  // namespace espalier::script::asyncio
