// What the methods of dict, its constructors and | share.
//
// Each may run the program's own code: the caller holds the dict and the source.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/host.h"

namespace espalier::lang {

// The dict that `source` is or stands for, or one of the items of an object with keys() and
// []; Unset where it is no mapping.
Outcome<Value> AsMapping(Host& host, const Value& source);
// dict.update(source): a mapping, or an iterable of pairs.
Fault UpdateDict(Host& host, Dict& dict, const Value& source);
// Of the same kind.
Outcome<Value> CopyDict(Host& host, const Value& dict);

}  // namespace espalier::lang
