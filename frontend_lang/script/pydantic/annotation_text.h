// Annotations written as text: "Node", "list[Node] | None", or all of them in a file
// that imports annotations from __future__.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string_view>

#include "frontend_lang/script/classes/class_object.h"

namespace espalier::script {

// The type that the text means: names are the file's, built-in ones, those of typing and
// pydantic under their own names, or `around`. A NameError where there is no such name.
Outcome<Value> EvaluateAnnotation(Host& host, std::string_view text, ClassObject& around);

}  // namespace espalier::script
