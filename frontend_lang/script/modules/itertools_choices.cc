// Each is a pool of items and a vector of places in it, which a step moves on to the
// next in lexicographic order.
#include "frontend_lang/script/modules/itertools_choices.h"

#include <numeric>
#include <string>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/step_iterator.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/sequence.h"

namespace espalier::script {
namespace {

using Places = std::vector<std::size_t>;
using Values = std::vector<Value>;

// Moves the places on; false when they were the last.
using Advance = bool (*)(Places& places, std::size_t pool_size);

Value ChoicesOf(Host& host, std::string_view name, const Value& pool, Places places,
                Advance advance) {
  return host.heap().New<StepIterator>(
      name,
      [pool, places = std::move(places), advance, started = false](
          Host& h, Value& value) mutable -> Outcome<bool> {
        const auto& items = pool.As<lang::Tuple>()->items();
        if (std::exchange(started, true) && !advance(places, items.size())) return false;
        ESP_TRY(h.Step(1 + static_cast<std::int64_t>(places.size()) / 8));
        Values chosen;
        for (std::size_t i = 0; i < places.size(); ++i) chosen.push_back(items[places[i]]);
        value = h.heap().New<lang::Tuple>(std::move(chosen));
        return true;
      });
}

Value Nothing(Host& host, std::string_view name) {
  return host.heap().New<StepIterator>(name, nullptr);
}

bool AdvanceCombination(Places& places, std::size_t n) {
  const std::size_t r = places.size();
  std::size_t i = r;
  while (i > 0 && places[i - 1] == i - 1 + n - r) --i;
  if (i == 0) return false;
  ++places[i - 1];
  for (; i < r; ++i) places[i] = places[i - 1] + 1;
  return true;
}

bool AdvanceWithReplacement(Places& places, std::size_t n) {
  std::size_t i = places.size();
  while (i > 0 && places[i - 1] == n - 1) --i;
  if (i == 0) return false;
  const std::size_t next = places[i - 1] + 1;
  for (--i; i < places.size(); ++i) places[i] = next;
  return true;
}

// The next choice of r distinct places: the last that can grow takes the next free one,
// those behind it the smallest free ones.
bool AdvancePermutation(Places& places, std::size_t n) {
  std::vector<bool> used(n, false);
  for (const std::size_t place : places) used[place] = true;
  for (std::size_t i = places.size(); i-- > 0;) {
    used[places[i]] = false;
    std::size_t next = places[i] + 1;
    while (next < n && used[next]) ++next;
    if (next == n) continue;
    places[i] = next;
    used[next] = true;
    std::size_t free = 0;
    for (++i; i < places.size(); ++i) {
      while (used[free]) ++free;
      places[i] = free;
      used[free] = true;
    }
    return true;
  }
  return false;
}

struct Choice {
  Value pool;
  std::int64_t r = 0;
};

Outcome<Choice> ReadChoice(Host& host, std::string_view function, const Args& args,
                           int num_required) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments(function, args, {"iterable", "r"}, num_required));
  ESP_TRY_ASSIGN(auto items, lang::Collect(host, bound[0]));
  Choice choice;
  choice.r = static_cast<std::int64_t>(items.size());
  choice.pool = host.heap().New<lang::Tuple>(std::move(items));
  if (!bound[1].is_unset() && !bound[1].is_none()) {
    ESP_TRY_ASSIGN(choice.r, IndexArgument(bound[1]));
  }
  if (choice.r < 0) return lang::ValueError("r must be non-negative");
  ESP_TRY(host.Reserve(choice.r, sizeof(Value) + sizeof(std::size_t)));
  return choice;
}

Outcome<Value> Combinations(Host& host, const Value&, const Args& args) {
  constexpr std::string_view kName = "itertools.combinations";
  ESP_TRY_ASSIGN(const Choice choice, ReadChoice(host, "combinations", args, 2));
  if (choice.r > choice.pool.As<lang::Tuple>()->size()) return Nothing(host, kName);
  Places places(static_cast<std::size_t>(choice.r));
  std::iota(places.begin(), places.end(), std::size_t{0});
  return ChoicesOf(host, kName, choice.pool, std::move(places), AdvanceCombination);
}

Outcome<Value> WithReplacement(Host& host, const Value&, const Args& args) {
  constexpr std::string_view kName = "itertools.combinations_with_replacement";
  ESP_TRY_ASSIGN(const Choice choice, ReadChoice(host, "combinations_with_replacement", args, 2));
  if (choice.r > 0 && choice.pool.As<lang::Tuple>()->size() == 0) return Nothing(host, kName);
  return ChoicesOf(host, kName, choice.pool, Places(static_cast<std::size_t>(choice.r), 0),
                   AdvanceWithReplacement);
}

Outcome<Value> Permutations(Host& host, const Value&, const Args& args) {
  constexpr std::string_view kName = "itertools.permutations";
  ESP_TRY_ASSIGN(const Choice choice, ReadChoice(host, "permutations", args, 1));
  if (choice.r > choice.pool.As<lang::Tuple>()->size()) return Nothing(host, kName);
  Places places(static_cast<std::size_t>(choice.r));
  std::iota(places.begin(), places.end(), std::size_t{0});
  return ChoicesOf(host, kName, choice.pool, std::move(places), AdvancePermutation);
}

// The last pool turns fastest.
Outcome<Value> Product(Host& host, const Value&, const Args& args) {
  std::int64_t repeat = 1;
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name != "repeat") {
      return lang::TypeError("'" + std::string(keyword.name) +
                             "' is an invalid keyword argument for product()");
    }
    ESP_TRY_ASSIGN(repeat, IndexArgument(keyword.value));
  }
  if (repeat < 0) return lang::ValueError("repeat argument cannot be negative");
  ESP_TRY(host.Reserve(repeat, 64));
  Values pools;
  for (const Value& source : args.positional) {
    ESP_TRY_ASSIGN(auto items, lang::Collect(host, source));
    pools.push_back(host.heap().New<lang::Tuple>(std::move(items)));
  }
  const std::size_t once = pools.size();
  ESP_TRY(host.Reserve(repeat, static_cast<std::int64_t>(1 + once) * 64));
  for (std::int64_t i = 1; i < repeat; ++i) {
    ESP_TRY(host.Step());
    for (std::size_t j = 0; j < once; ++j) pools.push_back(Value(pools[j]));
  }
  if (repeat == 0) pools.clear();
  return host.heap().New<StepIterator>(
      "itertools.product",
      [pools = std::move(pools), places = Places(), started = false](
          Host& h, Value& value) mutable -> Outcome<bool> {
        const auto size_of = [&](std::size_t i) {
          return static_cast<std::size_t>(pools[i].As<lang::Tuple>()->size());
        };
        ESP_TRY(h.Step(1 + static_cast<std::int64_t>(pools.size()) / 8));
        if (!std::exchange(started, true)) {
          places.assign(pools.size(), 0);
          for (std::size_t i = 0; i < pools.size(); ++i) {
            if (size_of(i) == 0) return false;
          }
        } else {
          std::size_t i = places.size();
          while (i > 0 && ++places[i - 1] == size_of(i - 1)) places[--i] = 0;
          if (i == 0) return false;
        }
        Values items;
        for (std::size_t i = 0; i < places.size(); ++i) {
          items.push_back(pools[i].As<lang::Tuple>()->items()[places[i]]);
        }
        value = h.heap().New<lang::Tuple>(std::move(items));
        return true;
      });
}

constexpr ModuleFunction kFunctions[] = {
    {"combinations", Combinations},
    {"combinations_with_replacement", WithReplacement},
    {"permutations", Permutations},
    {"product", Product},
};

}  // namespace

std::span<const ModuleFunction> ChoiceFunctions() { return kFunctions; }

}  // namespace espalier::script
