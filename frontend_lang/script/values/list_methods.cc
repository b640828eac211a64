// Methods of list and tuple.
#include <algorithm>
#include <string>

#include "frontend_lang/script/values/as_number.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/sort.h"

namespace espalier::lang {
namespace {

using Arguments = std::span<const Value>;

List& ListOf(const Value& self) { return *self.As<List>(); }

Outcome<std::int64_t> IndexArgument(Host& host, const Value& value, std::int64_t absent) {
  if (value.is_unset()) return absent;
  ESP_TRY_ASSIGN(const Value index, AsInteger(host, value));
  return ToIndex(index);
}

Outcome<Value> Append(Host&, const Value& self, Arguments args) {
  ListOf(self).Append(args[0]);
  return Value();
}

Outcome<Value> ClearList(Host&, const Value& self, Arguments) {
  ListOf(self).Replace({});
  return Value();
}

Outcome<Value> CopyList(Host& host, const Value& self, Arguments) {
  ESP_TRY_ASSIGN(auto items, Collect(host, self));
  return host.heap().New<List>(std::move(items));
}

Outcome<Value> CountItems(Host& host, const Value& self, Arguments args) {
  std::int64_t count = 0;
  ESP_TRY(ForEach(host, self, [&](const Value& item) -> Fault {
    ESP_TRY_ASSIGN(const bool same, Same(host, item, args[0]));
    count += same;
    return Fault();
  }));
  return Value::Int(count);
}

Outcome<Value> Extend(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const auto items, Collect(host, args[0]));
  for (const Value& item : items) ListOf(self).Append(item);
  return Value();
}

Outcome<Value> IndexOfItem(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const std::int64_t length, Length(host, self));
  ESP_TRY_ASSIGN(std::int64_t start, IndexArgument(host, args[1], 0));
  ESP_TRY_ASSIGN(std::int64_t stop, IndexArgument(host, args[2], length));
  start = std::max<std::int64_t>(0, start < 0 ? start + length : start);
  stop = std::min(length, stop < 0 ? stop + length : stop);
  for (std::int64_t i = start; i < stop; ++i) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const Value item, GetItem(host, self, Value::Int(i)));
    ESP_TRY_ASSIGN(const bool same, Same(host, item, args[0]));
    if (same) return Value::Int(i);
  }
  if (self.If<Tuple>() != nullptr) return ValueError("tuple.index(x): x not in tuple");
  ESP_TRY_ASSIGN(const std::string text, Repr(host, args[0]));
  return ValueError(text + " is not in list");
}

Outcome<Value> Insert(Host& host, const Value& self, Arguments args) {
  List& list = ListOf(self);
  ESP_TRY_ASSIGN(std::int64_t index, IndexArgument(host, args[0], 0));
  if (index < 0) index += list.size();
  index = std::clamp<std::int64_t>(index, 0, list.size());
  ESP_TRY(host.Step((list.size() - index) / 64));
  InsertItem(list.mutable_items(), static_cast<std::size_t>(index), args[1]);
  list.Recount();
  return Value();
}

Outcome<Value> Pop(Host& host, const Value& self, Arguments args) {
  List& list = ListOf(self);
  ESP_TRY_ASSIGN(std::int64_t index, IndexArgument(host, args[0], -1));
  if (list.size() == 0) return Raise("IndexError", "pop from empty list");
  if (index < 0) index += list.size();
  if (index < 0 || index >= list.size()) return Raise("IndexError", "pop index out of range");
  ESP_TRY(host.Step((list.size() - index) / 64));
  const Value item = list[index];
  EraseItem(list.mutable_items(), static_cast<std::size_t>(index));
  return item;
}

Outcome<Value> Remove(Host& host, const Value& self, Arguments args) {
  List& list = ListOf(self);
  for (std::int64_t i = 0; i < list.size(); ++i) {
    ESP_TRY(host.Step());
    const Value item = list[i];
    ESP_TRY_ASSIGN(const bool same, Same(host, item, args[0]));
    if (!same) continue;
    if (i < list.size()) EraseItem(list.mutable_items(), static_cast<std::size_t>(i));
    return Value();
  }
  return ValueError("list.remove(x): x not in list");
}

Outcome<Value> Reverse(Host& host, const Value& self, Arguments) {
  ESP_TRY(host.Step(ListOf(self).size() / 64));
  std::ranges::reverse(ListOf(self).mutable_items());
  return Value();
}

// While it is being sorted a list is empty, as in CPython; a key function that looks
// or appends cannot break the sort.
Outcome<Value> SortList(Host& host, const Value& self, const Args& args) {
  if (!args.positional.empty()) return TypeError("sort() takes no positional arguments");
  ESP_TRY_ASSIGN(const SortOptions options, ParseSortOptions(host, args.keywords, "sort"));
  std::vector<Value> items = ListOf(self).Take();
  Fault fault = Sort(host, items, options);
  const bool changed = ListOf(self).size() > 0;
  ListOf(self).Replace(std::move(items));
  if (!fault.ok()) return fault;
  if (changed) return ValueError("list modified during sort");
  return Value();
}

constexpr Method kListMethods[] = {
    {"append", 1, 1, Append},
    {"clear", 0, 0, ClearList},
    {"copy", 0, 0, CopyList},
    {"count", 1, 1, CountItems},
    {"extend", 1, 1, Extend},
    {"index", 1, 3, IndexOfItem},
    {"insert", 2, 2, Insert},
    {"pop", 0, 1, Pop},
    {"remove", 1, 1, Remove},
    {"reverse", 0, 0, Reverse},
    {.name = "sort", .raw_code = SortList},
};
constexpr Method kTupleMethods[] = {
    {"count", 1, 1, CountItems},
    {"index", 1, 3, IndexOfItem},
};

}  // namespace

std::span<const Method> ListMethods() { return kListMethods; }
std::span<const Method> TupleMethods() { return kTupleMethods; }

}  // namespace espalier::lang
