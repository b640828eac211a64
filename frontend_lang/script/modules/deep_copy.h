// copy.deepcopy, for C++ that copies likewise.
#pragma once

#include "frontend_lang/script/values/host.h"

namespace espalier::script {

// A copy of a value and of all in it; an object met again is copied once.
lang::Outcome<lang::Value> DeepCopied(lang::Host& host, const lang::Value& value);

}  // namespace espalier::script
