#include "frontend_lang/script/values/sort.h"

#include <algorithm>
#include <string>
#include <utility>

#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/tim_sort.h"

namespace espalier::lang {

Outcome<SortOptions> ParseSortOptions(Host& host, std::span<const Keyword> keywords,
                                      std::string_view function) {
  SortOptions options;
  for (const Keyword& keyword : keywords) {
    if (keyword.name == "key") {
      options.key = keyword.value;
    } else if (keyword.name == "reverse") {
      ESP_TRY_ASSIGN(options.reverse, Truth(host, keyword.value));
    } else {
      return TypeError("'" + std::string(keyword.name) + "' is an invalid keyword argument for " +
                       std::string(function) + "()");
    }
  }
  return options;
}

Outcome<std::vector<std::size_t>> SortedOrder(Host& host, std::vector<Value> keys, bool reverse) {
  if (reverse) std::reverse(keys.begin(), keys.end());
  TimSort sort(host, keys);
  ESP_TRY(sort.Run());
  std::vector<std::size_t> order = std::move(sort.order());
  if (!reverse) return order;
  // Equal keys keep their order: the keys were turned around before they were sorted.
  std::reverse(order.begin(), order.end());
  for (std::size_t& number : order) number = keys.size() - 1 - number;
  return order;
}

Fault Sort(Host& host, std::vector<Value>& items, const SortOptions& options) {
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(items.size()), 4 * sizeof(Value)));
  std::vector<Value> keys = items;
  if (!options.key.is_none()) {
    for (Value& key : keys) {
      const Value item = key;
      ESP_TRY_ASSIGN(key, host.Call(options.key, {.positional = std::span(&item, 1)}));
    }
  }
  ESP_TRY_ASSIGN(const auto order, SortedOrder(host, std::move(keys), options.reverse));
  std::vector<Value> sorted;
  sorted.reserve(items.size());
  for (const std::size_t number : order) sorted.push_back(std::move(items[number]));
  items = std::move(sorted);
  return Fault();
}

}  // namespace espalier::lang
