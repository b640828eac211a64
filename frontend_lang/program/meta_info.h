// What get_meta_info gives: a call's answer as the dict that SGLang's server sends.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/backend.h"
#include "frontend_lang/program/choices.h"
#include "frontend_lang/program/segment.h"
#include "frontend_lang/script/values/host.h"

namespace espalier::program {

// Of a gen: a dict, or with n > 1 a list of them. REQUIRES: event.outputs is not empty.
lang::Value GenMeta(lang::Host& host, const GenSegment& gen, const CallEvent& event);

lang::Value SelectMeta(lang::Host& host, const SelectSegment& select, const CallEvent& event,
                       const Decision& decision);

}  // namespace espalier::program
