// The functions of asyncio that wait for several things, or for some time.
#pragma once

#include "frontend_lang/script/asyncio/future.h"

namespace espalier::script::asyncio {

Outcome<Value> Sleep(Host& host, const Value&, const Args& args);
Outcome<Value> Gather(Host& host, const Value&, const Args& args);
Outcome<Value> WaitFor(Host& host, const Value&, const Args& args);
Outcome<Value> Wait(Host& host, const Value&, const Args& args);
Outcome<Value> AsCompleted(Host& host, const Value&, const Args& args);
Outcome<Value> Shield(Host& host, const Value&, const Args& args);
Outcome<Value> ToThread(Host& host, const Value&, const Args& args);

// Sets a future when its time has come, if nothing else has.
EventLoop::Action Release(const Value& future, const Value& result);
// Seconds that a number says.
Outcome<double> SecondsOf(const Value& value);

}  // namespace espalier::script::asyncio
