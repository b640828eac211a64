#include "frontend_lang/script/modules/itertools_shared.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/step_iterator.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/sequence.h"

namespace espalier::script {
namespace {

using lang::ValueError;
using Values = std::vector<Value>;

Value MakeIterator(Host& host, std::string_view name, StepIterator::Step step) {
  return host.heap().New<StepIterator>(name, std::move(step));
}

// What groupby and its groups share.
struct Grouping {
  Value source, function;
  Value key = Value::Unset(), item = Value::Unset();  // read ahead
  std::int64_t number = 0;                            // of the group that is current
  bool ended = false;

  Fault ReadAhead(Host& host) {
    ESP_TRY_ASSIGN(const bool more, NextOf(host, source, item));
    ended = !more;
    if (ended) return Fault();
    if (function.is_none()) {
      key = item;
    } else {
      ESP_TRY_ASSIGN(key, CallOne(host, function, item));
    }
    return Fault();
  }
};

Value GroupIterator(Host& host, std::shared_ptr<Grouping> shared, Value key) {
  const std::int64_t number = shared->number;
  return MakeIterator(host, "itertools._grouper",
                      [shared = std::move(shared), key = std::move(key), number](
                          Host& h, Value& value) mutable -> Outcome<bool> {
                        if (shared->number != number || shared->ended) return false;
                        ESP_TRY_ASSIGN(const bool same, lang::Same(h, Value(shared->key), key));
                        if (!same) return false;
                        value = shared->item;
                        ESP_TRY(shared->ReadAhead(h));
                        return true;
                      });
}

Outcome<Value> GroupBy(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("groupby", args, {"iterable", "key"}, 1));
  ESP_TRY_ASSIGN(Value source, lang::Iterate(host, bound[0]));
  auto shared = std::make_shared<Grouping>();
  shared->source = std::move(source);
  shared->function = bound[1].is_unset() ? Value() : bound[1];
  return MakeIterator(
      host, "itertools.groupby",
      [shared, last = Value::Unset()](Host& h, Value& value) mutable -> Outcome<bool> {
        ++shared->number;
        if (shared->key.is_unset()) ESP_TRY(shared->ReadAhead(h));
        while (!shared->ended && !last.is_unset()) {
          ESP_TRY_ASSIGN(const bool same, lang::Same(h, Value(shared->key), Value(last)));
          if (!same) break;
          ESP_TRY(shared->ReadAhead(h));
        }
        if (shared->ended) return false;
        last = shared->key;
        value = h.heap().New<lang::Tuple>(Values{last, GroupIterator(h, shared, last)});
        return true;
      });
}

// tee keeps what the slowest has not had yet.
struct Tee {
  Value source;
  std::deque<Value> items;
  std::vector<std::size_t> next;  // of each, counted from the first ever
  std::size_t num_dropped = 0;
};

Outcome<Value> TeeFunction(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("tee", args, 1, 2));
  std::int64_t n = 2;
  if (args.positional.size() == 2) {
    ESP_TRY_ASSIGN(n, IndexArgument(args.positional[1]));
  }
  if (n < 0) return ValueError("n must be >= 0");
  ESP_TRY(host.Reserve(n, 256));
  ESP_TRY(host.Step(n));
  ESP_TRY_ASSIGN(Value source, lang::Iterate(host, args.positional[0]));
  auto shared = std::make_shared<Tee>();
  shared->source = std::move(source);
  shared->next.assign(static_cast<std::size_t>(n), 0);
  Values iterators;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    iterators.push_back(
        MakeIterator(host, "itertools._tee", [shared, i](Host& h, Value& value) -> Outcome<bool> {
          std::size_t at = shared->next[i] - shared->num_dropped;
          if (at == shared->items.size()) {
            Value item;
            ESP_TRY_ASSIGN(const bool more, NextOf(h, shared->source, item));
            if (!more) return false;
            shared->items.push_back(std::move(item));
            at = shared->next[i] - shared->num_dropped;  // the source may have asked this one too
            ESP_TRY(h.Reserve(static_cast<std::int64_t>(shared->items.size() * sizeof(Value))));
          }
          value = shared->items[at];
          ++shared->next[i];
          const std::size_t slowest = *std::ranges::min_element(shared->next);
          while (shared->num_dropped < slowest) {
            shared->items.pop_front();
            ++shared->num_dropped;
          }
          return true;
        }));
  }
  return host.heap().New<lang::Tuple>(std::move(iterators));
}

constexpr ModuleFunction kFunctions[] = {{"groupby", GroupBy}, {"tee", TeeFunction}};

}  // namespace

std::span<const ModuleFunction> SharedIteratorFunctions() { return kFunctions; }

}  // namespace espalier::script
