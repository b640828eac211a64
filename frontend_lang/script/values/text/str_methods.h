// The methods of str, by group; str_methods.cc has their table.
#pragma once

#include <span>

#include "frontend_lang/script/values/host.h"

namespace espalier::lang::str_methods {

using Arguments = std::span<const Value>;

// str_search.cc
Outcome<Value> Count(Host&, const Value& self, Arguments);
Outcome<Value> EndsWith(Host&, const Value& self, Arguments);
Outcome<Value> Find(Host&, const Value& self, Arguments);
Outcome<Value> Index(Host&, const Value& self, Arguments);
Outcome<Value> Partition(Host&, const Value& self, Arguments);
Outcome<Value> RemovePrefix(Host&, const Value& self, Arguments);
Outcome<Value> RemoveSuffix(Host&, const Value& self, Arguments);
Outcome<Value> Replace(Host&, const Value& self, Arguments);
Outcome<Value> RFind(Host&, const Value& self, Arguments);
Outcome<Value> RIndex(Host&, const Value& self, Arguments);
Outcome<Value> RPartition(Host&, const Value& self, Arguments);
Outcome<Value> StartsWith(Host&, const Value& self, Arguments);

// str_split.cc
Outcome<Value> Join(Host&, const Value& self, Arguments);
Outcome<Value> LStrip(Host&, const Value& self, Arguments);
Outcome<Value> RSplit(Host&, const Value& self, Arguments);
Outcome<Value> RStrip(Host&, const Value& self, Arguments);
Outcome<Value> Split(Host&, const Value& self, Arguments);
Outcome<Value> SplitLines(Host&, const Value& self, Arguments);
Outcome<Value> Strip(Host&, const Value& self, Arguments);

// str_case.cc
Outcome<Value> Capitalize(Host&, const Value& self, Arguments);
Outcome<Value> CaseFold(Host&, const Value& self, Arguments);
Outcome<Value> Lower(Host&, const Value& self, Arguments);
Outcome<Value> SwapCase(Host&, const Value& self, Arguments);
Outcome<Value> Title(Host&, const Value& self, Arguments);
Outcome<Value> Upper(Host&, const Value& self, Arguments);

// str_is.cc
Outcome<Value> IsAlnum(Host&, const Value& self, Arguments);
Outcome<Value> IsAlpha(Host&, const Value& self, Arguments);
Outcome<Value> IsAscii(Host&, const Value& self, Arguments);
Outcome<Value> IsDecimal(Host&, const Value& self, Arguments);
Outcome<Value> IsDigit(Host&, const Value& self, Arguments);
Outcome<Value> IsIdentifier(Host&, const Value& self, Arguments);
Outcome<Value> IsLower(Host&, const Value& self, Arguments);
Outcome<Value> IsNumeric(Host&, const Value& self, Arguments);
Outcome<Value> IsPrintable(Host&, const Value& self, Arguments);
Outcome<Value> IsSpace(Host&, const Value& self, Arguments);
Outcome<Value> IsTitle(Host&, const Value& self, Arguments);
Outcome<Value> IsUpper(Host&, const Value& self, Arguments);

// str_layout.cc
Outcome<Value> Center(Host&, const Value& self, Arguments);
Outcome<Value> ExpandTabs(Host&, const Value& self, Arguments);
Outcome<Value> LJust(Host&, const Value& self, Arguments);
Outcome<Value> RJust(Host&, const Value& self, Arguments);
Outcome<Value> ZFill(Host&, const Value& self, Arguments);

// str_translate.cc
Outcome<Value> MakeTrans(Host&, const Value& self, Arguments);
Outcome<Value> Translate(Host&, const Value& self, Arguments);

// str_format.cc
Outcome<Value> Format(Host&, const Value& self, const Args&);
Outcome<Value> FormatMap(Host&, const Value& self, Arguments);

// An argument that must be an int; `absent` when it is not given.
Outcome<std::int64_t> IntArgument(const Value& value, std::int64_t absent);
// "replace() argument 1 must be str, not int"
Fault NotStr(std::string_view method, int place, const Value& value);

}  // namespace espalier::lang::str_methods
