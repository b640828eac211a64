// TracePage: a trace as one HTML page that needs nothing else: a row a state, forks
// below what they were forked from, time from left to right; the calls of a state as
// bars, cached prompt tokens apart from computed ones; texts where the mouse points.
//
// Thread safety: pure function.
#pragma once

#include <string>
#include <string_view>

#include "frontend_lang/trace/trace.h"

namespace espalier::program {

// `title`: the program's name. A call that has not ended ends now.
std::string TracePage(const Trace& trace, std::string_view title);

}  // namespace espalier::program
