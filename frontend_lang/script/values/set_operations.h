// | & - ^ of sets and | of dicts; also what their methods share.
#pragma once

#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/host.h"
#include "frontend_lang/script/values/operators.h"

namespace espalier::lang {

// left op right for two sets, or left | right for two dicts; else Unset.
Outcome<Value> SetBinary(Host& host, BinaryOp op, const Value& left, const Value& right);
// The same in `target` itself; false when it has no such form.
Outcome<bool> UpdateInPlace(Host& host, BinaryOp op, Value& target, const Value& right);

// Adds all items of an iterable.
Fault AddAll(Host& host, Set& set, const Value& iterable);
// The dict that `source` is or stands for, or one of the items of an object with keys() and
// []; Unset where it is no mapping.
Outcome<Value> AsMapping(Host& host, const Value& source);
// dict.update(source): a mapping, or an iterable of pairs.
Fault UpdateDict(Host& host, Dict& dict, const Value& source);

Outcome<Value> MakeSet(Host& host, const Value& iterable, Set::Kind kind = Set::Kind::kSet);
// Of the same kind.
Outcome<Value> CopyDict(Host& host, const Value& dict);

}  // namespace espalier::lang
