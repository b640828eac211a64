// Making classes: from the body of a class statement, or for a module in C++.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend_lang/script/classes/class_object.h"
#include "frontend_lang/script/classes/descriptors.h"

namespace espalier::script {

struct ClassBody {
  std::string name, qualified_name, doc;
  Value bases;        // a tuple
  Value keywords;     // a dict
  Value annotations;  // a dict
  std::vector<std::pair<std::string, Value>> attributes;
  std::string module = "__main__";
  Value metaclass = Value::Unset();  // a class that derives from type; Unset: type
};

// What the class statement binds to its name: a ClassObject, or what its bases or its metaclass
// make of it. `cell` is told of the class before its kind looks at it.
Outcome<Value> RunClassStatement(Host& host, const ClassBody& body, lang::Extension* cell);

// The class itself, with body.metaclass as its metaclass.
Outcome<Value> BuildClass(Host& host, const ClassBody& body, lang::Extension* cell);

// A class of a module, with methods in C++. REQUIRES: `methods` outlives the heap.
Value NativeClass(Heap& heap, std::string_view name, const Metatype& metatype,
                  std::span<const NativeMethod::Row> methods, const Value& base = Value());

}  // namespace espalier::script
