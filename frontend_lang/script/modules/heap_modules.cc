// heapq and bisect: lists that are heaps, lists that are sorted. The moves are those of
// CPython, so that a heap's layout is the same.
#include <algorithm>
#include <string>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/modules/step_iterator.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/sort.h"

namespace espalier::script {
namespace {

using lang::CompareOp;
using lang::List;
using lang::TypeError;

Outcome<bool> Less(Host& host, const Value& a, const Value& b) {
  ESP_TRY(host.Step());
  const Value left = a, right = b;  // comparing may run script, which may change the list
  return lang::Compare(host, CompareOp::kLt, left, right);
}

Outcome<List*> ListArgument(const Value& value) {
  if (auto* list = value.If<List>()) return list;
  return TypeError("heap argument must be a list, not " + std::string(lang::TypeName(value)));
}

Fault Changed() { return lang::Raise("RuntimeError", "list changed size during iteration"); }

// Moves the item at `at` towards the root until its parent is not larger.
Fault SiftTowardsRoot(Host& host, List& heap, std::int64_t start, std::int64_t at) {
  const Value item = heap[at];
  while (at > start) {
    const std::int64_t parent = (at - 1) / 2;
    ESP_TRY_ASSIGN(const bool less, Less(host, item, heap[parent]));
    if (at >= heap.size()) return Changed();
    if (!less) break;
    heap.Put(at, heap[parent]);
    at = parent;
  }
  heap.Put(at, item);
  return Fault();
}

// Moves the smaller children up to the leaf, then the item back: fewer comparisons.
Fault SiftFromRoot(Host& host, List& heap, std::int64_t at) {
  const std::int64_t end = heap.size(), start = at;
  const Value item = heap[at];
  for (std::int64_t child = 2 * at + 1; child < end; child = 2 * at + 1) {
    if (child + 1 < end) {
      ESP_TRY_ASSIGN(const bool less, Less(host, heap[child], heap[child + 1]));
      if (heap.size() != end) return Changed();
      if (!less) ++child;
    }
    heap.Put(at, heap[child]);
    at = child;
  }
  heap.Put(at, item);
  return SiftTowardsRoot(host, heap, start, at);
}

Outcome<Value> HeapPush(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("heappush", args, 2, 2));
  const Value held = args.positional[0];
  ESP_TRY_ASSIGN(List* const heap, ListArgument(held));
  heap->Append(args.positional[1]);
  ESP_TRY(SiftTowardsRoot(host, *heap, 0, heap->size() - 1));
  return Value();
}

Outcome<Value> PopFrom(Host& host, List& heap) {
  if (heap.size() == 0) return lang::Raise("IndexError", "index out of range");
  const Value last = heap[heap.size() - 1];
  heap.mutable_items().pop_back();
  if (heap.size() == 0) return last;
  const Value least = heap[0];
  heap.Put(0, last);
  ESP_TRY(SiftFromRoot(host, heap, 0));
  return least;
}

Outcome<Value> HeapPop(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("_heapq.heappop", args, 1, 1));
  const Value held = args.positional[0];
  ESP_TRY_ASSIGN(List* const heap, ListArgument(held));
  return PopFrom(host, *heap);
}

Outcome<Value> HeapReplace(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("heapreplace", args, 2, 2));
  const Value held = args.positional[0];
  ESP_TRY_ASSIGN(List* const heap, ListArgument(held));
  if (heap->size() == 0) return lang::Raise("IndexError", "index out of range");
  const Value least = (*heap)[0];
  heap->Put(0, args.positional[1]);
  ESP_TRY(SiftFromRoot(host, *heap, 0));
  return least;
}

Outcome<Value> HeapPushPop(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("heappushpop", args, 2, 2));
  const Value held = args.positional[0];
  ESP_TRY_ASSIGN(List* const heap, ListArgument(held));
  if (heap->size() == 0) return args.positional[1];
  ESP_TRY_ASSIGN(const bool less, Less(host, (*heap)[0], args.positional[1]));
  if (!less || heap->size() == 0) return args.positional[1];
  return HeapReplace(host, Value(), args);
}

Outcome<Value> Heapify(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("_heapq.heapify", args, 1, 1));
  const Value held = args.positional[0];
  ESP_TRY_ASSIGN(List* const heap, ListArgument(held));
  for (std::int64_t i = heap->size() / 2 - 1; i >= 0; --i) {
    if (i >= heap->size()) return Changed();
    ESP_TRY(SiftFromRoot(host, *heap, i));
  }
  return Value();
}

template <bool largest>
Outcome<Value> Extremes(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments(largest ? "nlargest" : "nsmallest", args,
                                                 {"n", "iterable", "key"}, 2));
  std::int64_t n = 0;  // more than there are will do
  if (bound[0].is_integer()) {
    n = lang::NearestIndex(bound[0]);
  } else {
    ESP_TRY_ASSIGN(n, IndexArgument(bound[0]));
  }
  ESP_TRY_ASSIGN(auto items, lang::Collect(host, bound[1]));
  lang::SortOptions options{.key = bound[2].is_unset() ? Value() : bound[2], .reverse = largest};
  ESP_TRY(lang::Sort(host, items, options));
  const auto size = static_cast<std::int64_t>(items.size());
  items.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(n, 0, size)));
  return host.heap().New<List>(std::move(items));
}

// heapq.merge of sorted iterables, all of them read: the order is that of a stable sort.
Outcome<Value> Merge(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const lang::SortOptions options,
                 lang::ParseSortOptions(host, args.keywords, "merge"));
  std::vector<Value> all;
  for (const Value& source : args.positional) {
    ESP_TRY_ASSIGN(const auto items, lang::Collect(host, source));
    all.insert(all.end(), items.begin(), items.end());
  }
  ESP_TRY(lang::Sort(host, all, options));
  return lang::Iterate(host, host.heap().New<List>(std::move(all)));
}

// ---- bisect.

enum class Side : unsigned char { kLeft, kRight };

struct Search {
  Value sequence, item, key;  // key: a function or None
  std::int64_t low = 0, high = 0;
};

Outcome<Search> ReadSearch(Host& host, std::string_view function, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments(function, args, {"a", "x", "lo", "hi", "key"}, 2));
  Search search{bound[0], bound[1], bound[4].is_unset() ? Value() : bound[4]};
  ESP_TRY_ASSIGN(search.high, lang::Length(host, bound[0]));
  if (!bound[2].is_unset()) {
    ESP_TRY_ASSIGN(search.low, IndexArgument(bound[2]));
  }
  if (search.low < 0) return lang::ValueError("lo must be non-negative");
  if (!bound[3].is_unset() && !bound[3].is_none()) {
    ESP_TRY_ASSIGN(const std::int64_t high, IndexArgument(bound[3]));
    if (high != -1) search.high = high;  // which stands for the end
  }
  return search;
}

Outcome<std::int64_t> Place(Host& host, const Search& search, Side side) {
  std::int64_t low = search.low, high = search.high;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    ESP_TRY_ASSIGN(Value item, lang::GetItem(host, search.sequence, Value::Int(middle)));
    if (!search.key.is_none()) {
      ESP_TRY_ASSIGN(item, CallOne(host, search.key, item));
    }
    ESP_TRY_ASSIGN(const bool less, side == Side::kLeft ? Less(host, item, search.item)
                                                        : Less(host, search.item, item));
    if (less == (side == Side::kLeft)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

template <Side side>
Outcome<Value> Bisect(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const Search search,
                 ReadSearch(host, side == Side::kLeft ? "bisect_left" : "bisect_right", args));
  ESP_TRY_ASSIGN(const std::int64_t place, Place(host, search, side));
  return Value::Int(place);
}

template <Side side>
Outcome<Value> Insort(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(Search search,
                 ReadSearch(host, side == Side::kLeft ? "insort_left" : "insort_right", args));
  const Value item = search.item;
  if (!search.key.is_none()) {
    ESP_TRY_ASSIGN(search.item, CallOne(host, search.key, item));
  }
  ESP_TRY_ASSIGN(const std::int64_t place, Place(host, search, side));
  auto* list = search.sequence.If<List>();
  if (list == nullptr) return TypeError("insort needs a list");
  ESP_TRY(host.Step((list->size() - place) / 64));
  auto& items = list->mutable_items();
  items.insert(items.begin() + std::min<std::int64_t>(place, list->size()), item);
  list->Recount();
  return Value();
}

}  // namespace

Value MakeHeapqModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {
      {"heappush", HeapPush},         {"heappop", HeapPop}, {"heapreplace", HeapReplace},
      {"heappushpop", HeapPushPop},   {"heapify", Heapify}, {"nlargest", Extremes<true>},
      {"nsmallest", Extremes<false>}, {"merge", Merge},
  };
  return NewModule(machine, "heapq", kFunctions);
}

Value MakeBisectModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {
      {"bisect", Bisect<Side::kRight>},       {"bisect_left", Bisect<Side::kLeft>},
      {"bisect_right", Bisect<Side::kRight>}, {"insort", Insort<Side::kRight>},
      {"insort_left", Insort<Side::kLeft>},   {"insort_right", Insort<Side::kRight>},
  };
  return NewModule(machine, "bisect", kFunctions);
}

}  // namespace espalier::script
