// Filters over sequences as a whole.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/chat/jinja_arguments.h"
#include "frontend_lang/chat/jinja_arithmetic.h"
#include "frontend_lang/chat/jinja_filters.h"
#include "frontend_lang/chat/jinja_objects.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/sort.h"
#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/str_methods.h"

namespace espalier::jinja {
namespace {

Value MakePair(Host& host, const Value& a, const Value& b) {
  return host.heap().New<lang::Tuple>(Values{a, b});
}

Outcome<Value> Count(Host& host, const Value& input, Arguments) {
  ESP_TRY_ASSIGN(const std::int64_t length, lang::Length(host, input));
  return Value::Int(length);
}

Outcome<Value> First(Host& host, const Value& input, Arguments) {
  ESP_TRY_ASSIGN(const Value iterator, lang::Iterate(host, input));
  Value first;
  ESP_TRY_ASSIGN(const bool any, lang::Next(host, iterator, first));
  if (any) return first;
  return MakeUndefined(host, "No first item, sequence was empty.");
}

Outcome<Value> Last(Host& host, const Value& input, Arguments) {
  ESP_TRY_ASSIGN(const Values items, lang::Collect(host, input));
  if (!items.empty()) return items.back();
  return MakeUndefined(host, "No last item, sequence was empty.");
}

Outcome<Value> ListOf(Host& host, const Value& input, Arguments) {
  ESP_TRY_ASSIGN(Values items, lang::Collect(host, input));
  return MakeList(host, std::move(items));
}

Outcome<Value> Reverse(Host& host, const Value& input, Arguments) {
  ESP_TRY_ASSIGN(Values items, lang::Collect(host, input));
  std::ranges::reverse(items);
  const Value list = MakeList(host, std::move(items));
  if (!input.is_str()) return lang::Iterate(host, list);
  return lang::str_methods::Join(host, host.heap().EmptyStr(), std::span(&list, 1));
}

// join(d="", attribute=None)
Outcome<Value> Join(Host& host, const Value& input, Arguments args) {
  ESP_TRY_ASSIGN(Values items, lang::Collect(host, input));
  for (Value& item : items) {
    ESP_TRY(host.Step());
    if (Given(args[1])) {
      ESP_TRY_ASSIGN(item, LookUpPath(host, item, args[1]));
    }
    if (item.is_str()) continue;
    ESP_TRY_ASSIGN(std::string text, lang::Text(host, item));
    item = lang::MakeStr(host.heap(), std::move(text));
  }
  const Value list = MakeList(host, std::move(items));
  Value separator = host.heap().EmptyStr();
  if (!args[0].is_unset()) {
    ESP_TRY_ASSIGN(std::string text, lang::Text(host, args[0]));
    separator = lang::MakeStr(host.heap(), std::move(text));
  }
  return lang::str_methods::Join(host, separator, std::span(&list, 1));
}

Outcome<Value> Items(Host& host, const Value& input, Arguments) {
  const lang::Dict* dict = input.If<lang::Dict>();
  if (dict == nullptr && !IsUndefined(input)) {
    return lang::TypeError("Can only get item pairs from a mapping.");
  }
  Values pairs;
  if (dict != nullptr) {
    for (std::size_t at = 0; const auto* entry = dict->EntryAt(at); ++at) {
      ESP_TRY(host.Step());
      pairs.push_back(MakePair(host, entry->key, entry->value));
    }
  }
  return lang::Iterate(host, MakeList(host, std::move(pairs)));
}

// What a value is sorted or compared by: an attribute of it, in lower case.
struct SortKey {
  Value attribute = Value::Unset();
  bool ignore_case = true;
  Value absent = Value::Unset();  // instead of an undefined attribute

  // Several attributes, "a,b", are a list of them: only sort takes them.
  Outcome<Value> OfSeveral(Host& host, const Value& value) const {
    const std::string_view names = attribute.is_str() ? lang::TextOf(attribute) : "";
    if (names.find(',') == std::string_view::npos) return Of(host, value);
    Values keys;
    for (std::size_t at = 0; at <= names.size();) {
      const std::size_t end = std::min(names.find(',', at), names.size());
      const Value name = lang::MakeStr(host.heap(), std::string(names.substr(at, end - at)));
      ESP_TRY_ASSIGN(Value key, (SortKey{name, ignore_case}.Of(host, value)));
      keys.push_back(std::move(key));
      at = end + 1;
    }
    return MakeList(host, std::move(keys));
  }

  Outcome<Value> Of(Host& host, const Value& value) const {
    Value key = value;
    if (Given(attribute)) {
      ESP_TRY_ASSIGN(key, LookUpPath(host, value, attribute));
    }
    if (IsUndefined(key) && Given(absent)) key = absent;
    if (!ignore_case || !key.is_str()) return key;
    return lang::str_methods::Lower(host, key, {});
  }
};

// Sorts by keys made beforehand: stable, as Python sorts.
Outcome<Values> SortBy(Host& host, const Values& items, const SortKey& key, bool reverse) {
  Values keys;
  for (const Value& item : items) {
    ESP_TRY_ASSIGN(Value made, key.OfSeveral(host, item));
    keys.push_back(std::move(made));
  }
  ESP_TRY_ASSIGN(const auto order, lang::SortedOrder(host, keys, reverse));
  Values sorted;
  for (const std::size_t i : order) sorted.push_back(items[i]);
  return sorted;
}

// sort(reverse=False, case_sensitive=False, attribute=None)
Outcome<Value> Sort(Host& host, const Value& input, Arguments args) {
  ESP_TRY_ASSIGN(const Values items, lang::Collect(host, input));
  ESP_TRY_ASSIGN(const bool reverse, Flag(host, args[0]));
  ESP_TRY_ASSIGN(const bool case_sensitive, Flag(host, args[1]));
  ESP_TRY_ASSIGN(Values sorted, SortBy(host, items, {args[2], !case_sensitive}, reverse));
  return MakeList(host, std::move(sorted));
}

// dictsort(case_sensitive=False, by="key", reverse=False)
Outcome<Value> DictSort(Host& host, const Value& input, Arguments args) {
  const lang::Dict* dict = input.If<lang::Dict>();
  if (dict == nullptr) return lang::TypeError("dictsort needs a mapping");
  ESP_TRY_ASSIGN(const bool case_sensitive, Flag(host, args[0]));
  ESP_TRY_ASSIGN(const bool reverse, Flag(host, args[2]));
  std::int64_t place = 0;
  if (!args[1].is_unset()) {
    const std::string_view by = args[1].is_str() ? lang::TextOf(args[1]) : "";
    if (by != "key" && by != "value") {
      return lang::Raise("FilterArgumentError", "You can only sort by either \"key\" or \"value\"");
    }
    place = by == "value" ? 1 : 0;
  }
  Values pairs;
  for (std::size_t at = 0; const auto* entry = dict->EntryAt(at); ++at) {
    ESP_TRY(host.Step());
    pairs.push_back(MakePair(host, entry->key, entry->value));
  }
  ESP_TRY_ASSIGN(Values sorted, SortBy(host, pairs, {Value::Int(place), !case_sensitive}, reverse));
  return MakeList(host, std::move(sorted));
}

// unique(case_sensitive=False, attribute=None)
Outcome<Value> Unique(Host& host, const Value& input, Arguments args) {
  ESP_TRY_ASSIGN(const bool case_sensitive, Flag(host, args[0]));
  const SortKey key{args[1], !case_sensitive};
  const Value seen = host.heap().New<lang::Set>();
  Values items;
  ESP_TRY(lang::ForEach(host, input, [&](const Value& item) -> Fault {
    ESP_TRY_ASSIGN(const Value made, key.Of(host, item));
    const std::int64_t before = seen.As<lang::Set>()->size();
    ESP_TRY(seen.As<lang::Set>()->Add(host, made));
    if (seen.As<lang::Set>()->size() > before) items.push_back(item);
    return Fault();
  }));
  return lang::Iterate(host, MakeList(host, std::move(items)));
}

// groupby(attribute, default=None, case_sensitive=False): of the items in order of it.
Outcome<Value> GroupBy(Host& host, const Value& input, Arguments args) {
  ESP_TRY_ASSIGN(const bool case_sensitive, Flag(host, args[2]));
  const SortKey key{args[0], !case_sensitive, args[1]}, shown{args[0], false, args[1]};
  ESP_TRY_ASSIGN(const Values items, lang::Collect(host, input));
  ESP_TRY_ASSIGN(const Values sorted, SortBy(host, items, key, false));
  Values groups, group;
  Value last;
  for (std::size_t i = 0; i <= sorted.size(); ++i) {
    Value made;
    bool same = false;
    if (i < sorted.size()) {
      ESP_TRY_ASSIGN(made, key.Of(host, sorted[i]));
      ESP_TRY_ASSIGN(same, lang::Equals(host, last, made));
    }
    if (!group.empty() && !same) {
      ESP_TRY_ASSIGN(Value grouper, shown.Of(host, group[0]));
      groups.push_back(host.heap().New<Group>(std::move(grouper), std::exchange(group, {})));
    }
    if (i < sorted.size()) group.push_back(sorted[i]);
    last = std::move(made);
  }
  return MakeList(host, std::move(groups));
}

// sum(attribute=None, start=0)
Outcome<Value> Sum(Host& host, const Value& input, Arguments args) {
  Value total = args[1].is_unset() ? Value::Int(0) : args[1];
  const SortKey key{args[0], false};
  ESP_TRY(lang::ForEach(host, input, [&](const Value& item) -> Fault {
    ESP_TRY_ASSIGN(const Value part, key.Of(host, item));
    ESP_TRY_ASSIGN(total, Arithmetic(host, lang::BinaryOp::kAdd, total, part));
    return Fault();
  }));
  return total;
}

template <lang::CompareOp op>
Outcome<Value> Extreme(Host& host, const Value& input, Arguments args) {
  ESP_TRY_ASSIGN(const bool case_sensitive, Flag(host, args[0]));
  const SortKey key{args[1], !case_sensitive};
  Value best = Value::Unset(), best_key;
  ESP_TRY(lang::ForEach(host, input, [&](const Value& item) -> Fault {
    ESP_TRY_ASSIGN(const Value made, key.Of(host, item));
    bool better = best.is_unset();
    if (!better) {
      ESP_TRY_ASSIGN(better, lang::Compare(host, op, made, best_key));
    }
    if (better) best = item, best_key = made;
    return Fault();
  }));
  if (best.is_unset()) return MakeUndefined(host, "No aggregated item, sequence was empty.");
  return best;
}

constexpr Filter kSequenceFilters[] = {
    {{"count", 0, 0, Count}},
    {{"dictsort", 0, 3, DictSort, "case_sensitive by reverse"}},
    {{"first", 0, 0, First}},
    {{"groupby", 1, 3, GroupBy, "attribute default case_sensitive"}},
    {{"items", 0, 0, Items}},
    {{"join", 0, 2, Join, "d attribute"}},
    {{"last", 0, 0, Last}},
    {{"length", 0, 0, Count}},
    {{"list", 0, 0, ListOf}},
    {{"max", 0, 2, Extreme<lang::CompareOp::kGt>, "case_sensitive attribute"}},
    {{"min", 0, 2, Extreme<lang::CompareOp::kLt>, "case_sensitive attribute"}},
    {{"reverse", 0, 0, Reverse}},
    {{"sort", 0, 3, Sort, "reverse case_sensitive attribute"}},
    {{"sum", 0, 2, Sum, "attribute start"}},
    {{"unique", 0, 2, Unique, "case_sensitive attribute"}},
};

}  // namespace

std::span<const Filter> SequenceFilters() { return kSequenceFilters; }

}  // namespace espalier::jinja
