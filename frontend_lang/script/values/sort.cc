#include "frontend_lang/script/values/sort.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "frontend_lang/script/values/compare.h"

namespace espalier::lang {
namespace {

// A merge sort of item numbers, bottom up. Written out because std::stable_sort may
// misbehave when a comparison fails in the middle or contradicts itself.
class Merger {
 public:
  Merger(Host& host, const std::vector<Value>& keys, bool reverse)
      : host_(host), keys_(keys), reverse_(reverse), order_(keys.size()), spare_(keys.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  Fault Run() {
    for (std::size_t width = 1; width < order_.size(); width *= 2) {
      for (std::size_t start = 0; start < order_.size(); start += 2 * width) {
        const std::size_t middle = std::min(start + width, order_.size());
        ESP_TRY(Merge(start, middle, std::min(middle + width, order_.size())));
      }
      order_.swap(spare_);
    }
    return Fault();
  }

  const std::vector<std::size_t>& order() const { return order_; }

 private:
  // Whether the right item must stand before the left one. Reversed, equal items keep
  // their order too.
  Outcome<bool> RightFirst(std::size_t left, std::size_t right) {
    ESP_TRY(host_.Step());
    if (reverse_) return Compare(host_, CompareOp::kLt, keys_[left], keys_[right]);
    return Compare(host_, CompareOp::kLt, keys_[right], keys_[left]);
  }

  Fault Merge(std::size_t start, std::size_t middle, std::size_t end) {
    std::size_t left = start, right = middle;
    for (std::size_t out = start; out < end; ++out) {
      bool take_right = left == middle;
      if (!take_right && right < end) {
        ESP_TRY_ASSIGN(take_right, RightFirst(order_[left], order_[right]));
      }
      spare_[out] = order_[take_right ? right++ : left++];
    }
    return Fault();
  }

  Host& host_;
  const std::vector<Value>& keys_;
  const bool reverse_;
  std::vector<std::size_t> order_, spare_;
};

}  // namespace

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

Outcome<std::vector<std::size_t>> SortedOrder(Host& host, const std::vector<Value>& keys,
                                              bool reverse) {
  Merger merger(host, keys, reverse);
  ESP_TRY(merger.Run());
  return merger.order();
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
  ESP_TRY_ASSIGN(const auto order, SortedOrder(host, keys, options.reverse));
  std::vector<Value> sorted;
  sorted.reserve(items.size());
  for (const std::size_t number : order) sorted.push_back(std::move(items[number]));
  items = std::move(sorted);
  return Fault();
}

}  // namespace espalier::lang
