// What exceptions tell beside their text: OSError.errno, ImportError.name, and how the
// arguments of their types are read.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string_view>

#include "frontend_lang/script/machine/error_object.h"

namespace espalier::script {

// error.name where its kind has such a field; else Unset. What a raising operation has not told
// is read from its text.
Outcome<Value> ErrorField(Host& host, const ErrorObject& error, std::string_view name);

// Takes the arguments of a call of the error's type, or of its __init__.
Fault ReadErrorArgs(Host& host, ErrorObject& error, const Args& args);

// The text of an error whose fields make it; Unset where the arguments are the text.
Outcome<Value> TextOfFields(Host& host, const ErrorObject& error);

// How many of the arguments error.args shows: an OSError keeps the name of the file apart.
std::size_t NumShownArgs(const ErrorObject& error);

// The fields of a JSONDecodeError: where in `doc` it is, and its text.
void SetPlaceInText(Host& host, ErrorObject& error, const Value& message, const Value& doc,
                    std::int64_t position);

}  // namespace espalier::script
