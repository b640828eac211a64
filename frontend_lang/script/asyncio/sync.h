// Lock, Semaphore, Event: what tasks wait for each other with.
#pragma once

#include "frontend_lang/script/asyncio/future.h"

namespace espalier::script::asyncio {

Outcome<Value> NewLock(Host& host, const Value&, const Args& args);
Outcome<Value> NewSemaphore(Host& host, const Value&, const Args& args);
Outcome<Value> NewBoundedSemaphore(Host& host, const Value&, const Args& args);
Outcome<Value> NewEvent(Host& host, const Value&, const Args& args);

}  // namespace espalier::script::asyncio
