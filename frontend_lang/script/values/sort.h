// Stable sorting by Python's `<`, with key and reverse: list.sort, sorted(), Jinja's
// sort and dictsort.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "frontend_lang/script/values/host.h"

namespace espalier::lang {

struct SortOptions {
  Value key;  // a function of one item, or None
  bool reverse = false;
};

// Reads key= and reverse=. `function` is named in the error for another keyword.
Outcome<SortOptions> ParseSortOptions(Host& host, std::span<const Keyword> keywords,
                                      std::string_view function);

// The stable order of the keys: order[i] is the place of the i-th smallest (largest,
// when reversed).
Outcome<std::vector<std::size_t>> SortedOrder(Host& host, std::vector<Value> keys, bool reverse);

// Sorts in place; at a fault the items are all there, in some order.
Fault Sort(Host& host, std::vector<Value>& items, const SortOptions& options);

}  // namespace espalier::lang
