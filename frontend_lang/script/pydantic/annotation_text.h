// Annotations written as text: "Node", "list[Node] | None", or all of them in a file
// that imports annotations from __future__.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string_view>

#include "frontend_lang/script/classes/class_object.h"

namespace espalier::script {

// The type that the text means: names are those of the dict `names` (or None), `around` (or null),
// the file's, or built-in ones. A NameError where there is no such name.
Outcome<Value> EvaluateAnnotation(Host& host, std::string_view text, ClassObject* around,
                                  const Value& names = Value());

}  // namespace espalier::script
