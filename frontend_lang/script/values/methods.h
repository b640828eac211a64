// The methods of the built-in types: one table a type, name -> code, that scripts and
// templates share.
//
// A row also tells how many arguments a method takes and which may be named, so that
// counting arguments and its error texts stand in one place.
#pragma once

#include <span>
#include <string_view>

#include "frontend_lang/script/values/extension.h"

namespace espalier::lang {

// The code of a method. `args` has max_args values; an absent one is Unset.
using MethodCode = Outcome<Value> (*)(Host& host, const Value& self, std::span<const Value> args);

// Which of CPython's two wordings a wrong number of arguments gets.
enum class CountWording : unsigned char {
  kExpected,  // "replace expected at least 2 arguments, got 1"
  kTakes,     // "find() takes at most 3 arguments (4 given)"
};

struct Method {
  std::string_view name;
  int min_args = 0, max_args = 0;
  MethodCode code = nullptr;
  // Names of the arguments, separated by blanks; empty: by position only.
  std::string_view names = {};
  // Instead of `code`: gets the arguments as they are (str.format, dict.update).
  NativeCode raw_code = nullptr;
  CountWording wording = CountWording::kExpected;  // where no argument has a name
};

// The method of that name, or null. The row lives for ever, so callers may keep it.
const Method* FindMethod(Type type, std::string_view name);
// The same for a value: a Counter has more of them than a dict, a frozenset fewer than a set.
const Method* FindMethod(const Value& self, std::string_view name);
// A Counter, a frozenset, ...: its methods are not those of its Type.
bool IsOfKind(const Value& self);
const Method* FindIn(std::span<const Method> methods, std::string_view name);

// self.method(args...). REQUIRES: `method` belongs to self's type.
Outcome<Value> CallMethod(Host& host, const Method& method, const Value& self, const Args& args);

// self.name as a value: a bound method, or an extension object's attribute. An
// AttributeError "'str' object has no attribute 'x'" when there is none.
Outcome<Value> GetAttr(Host& host, const Value& self, std::string_view name);

// self.name(args...) without making a bound method where self is a built-in type.
Outcome<Value> CallAttr(Host& host, const Value& self, std::string_view name, const Args& args);

// The tables, sorted by name.
std::span<const Method> StrMethods();
std::span<const Method> ListMethods();
std::span<const Method> TupleMethods();
std::span<const Method> DictMethods();
std::span<const Method> SetMethods();
std::span<const Method> RangeMethods();
std::span<const Method> SliceMethods();
std::span<const Method> IntMethods();
std::span<const Method> FloatMethods();

}  // namespace espalier::lang
