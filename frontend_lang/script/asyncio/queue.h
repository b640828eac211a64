// Queue, PriorityQueue and LifoQueue of asyncio.
#pragma once

#include "frontend_lang/script/asyncio/future.h"

namespace espalier::script::asyncio {

Outcome<Value> NewQueue(Host& host, const Value&, const Args& args);
Outcome<Value> NewPriorityQueue(Host& host, const Value&, const Args& args);
Outcome<Value> NewLifoQueue(Host& host, const Value&, const Args& args);

}  // namespace espalier::script::asyncio
