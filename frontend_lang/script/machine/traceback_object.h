// What error.__traceback__ gives: the calls that an error came through, from one on inwards.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/machine/error_object.h"

namespace espalier::script {

// From the outermost call on. REQUIRES: the error has been raised.
Value NewTraceback(ErrorObject& error);
// The error that a traceback is of; null: the value is no traceback.
const ErrorObject* ErrorOfTraceback(const Value& value);

}  // namespace espalier::script
