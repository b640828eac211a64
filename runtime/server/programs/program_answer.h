// How a run of a program is put in words: its result, its events, its errors.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "frontend_lang/program/runner.h"
#include "runtime/server/http_exchange.h"

namespace espalier {

// {"return", "variables", "text", "usage"}
nlohmann::ordered_json ProgramResultJson(const program::CallResult& result);

// Of a run that failed: 400 for its arguments; 422, type program_error, with file and line, for
// what it raised; 422, type limit, for a limit of its own; else as the status says.
HttpAnswer ProgramErrorAnswer(const program::CallResult& result);

}  // namespace espalier
