// Errors as HTTP answers: the one table from Code to status, and the bodies.
//
// A body is at most about kMaxMessageBytes long, whatever came, and holds nothing but the
// message: never the request's own body. Invalid UTF-8 in a message becomes U+FFFD.
//
// Source: the shapes of the OpenAI API, which SGLang's server answers with too.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "kernels/base/status.h"
#include "runtime/server/http_exchange.h"

namespace espalier {

inline constexpr std::size_t kMaxMessageBytes = 2048;

int HttpStatusOf(Code code);

// {"error": {"message", "type", "param", "code"}}. `param`: the field at fault, "" if none.
// An overload also says when to come back.
std::string ErrorBody(const Status& status, std::string_view param = "");
HttpAnswer ErrorAnswer(const Status& status, std::string_view param = "");

// The same where the status is HTTP's own affair: 404 of a path, 405, 413, 431, ...
HttpAnswer ErrorAnswer(const Status& status, int http_status);

// What the message is about, as messages here begin: "top_p must be ...",
// "messages[2].role must be ...". "" if it begins with no name.
std::string ParamOf(std::string_view message);

}  // namespace espalier
