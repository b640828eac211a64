// Parts of values: length, items, slices, membership, iteration.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/extension.h"

namespace espalier::lang {

Outcome<std::int64_t> Length(Host& host, const Value& value);              // len(value)
Outcome<Value> GetItem(Host& host, const Value& value, const Value& key);  // value[key]
Fault SetItem(Host& host, const Value& value, const Value& key, Value item);
Fault DelItem(Host& host, const Value& value, const Value& key);
Outcome<bool> Contains(Host& host, const Value& container, const Value& item);  // item in container

// The half-open run of indexes that a slice means for a sequence of `length` items; an empty one
// keeps its bounds.
struct SliceIndexes {
  std::int64_t start = 0, step = 1, count = 0, stop = 0;
};
Outcome<SliceIndexes> ResolveSlice(const Slice& slice, std::int64_t length);

// iter(value): an Iterator. TypeError "'int' object is not iterable".
Outcome<Value> Iterate(Host& host, const Value& value);

// Calls `visit` for each item; a step each.
Fault ForEach(Host& host, const Value& iterable, const std::function<Fault(const Value&)>& visit);

// All items in a vector.
Outcome<std::vector<Value>> Collect(Host& host, const Value& iterable);

}  // namespace espalier::lang
