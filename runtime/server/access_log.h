// The access log: one JSON object a request.
//
// Thread safety: pure functions.
#pragma once

#include <string>

#include "runtime/server/http_exchange.h"

namespace espalier {

// {"time", "request_id", "method", "path", "status", "bytes", "duration_ms"}, without a
// newline. A client that went before its answer has status 499.
std::string AccessLine(const HttpExchange& ended);

}  // namespace espalier
