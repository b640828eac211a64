// itertools: chains, slices and groups of iterators. (itertools_choices.cc has product,
// permutations and combinations; itertools_shared.cc has groupby and tee.)
#include <algorithm>
#include <string>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/itertools_choices.h"
#include "frontend_lang/script/modules/itertools_shared.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/modules/step_iterator.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/as_number.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/sequence.h"

namespace espalier::script {
namespace {

using lang::TypeError;
using lang::ValueError;
using Values = std::vector<Value>;

Value MakeIterator(Host& host, std::string_view name, StepIterator::Step step) {
  return host.heap().New<StepIterator>(name, std::move(step));
}

Outcome<Values> IterateAll(Host& host, std::span<const Value> sources) {
  Values iterators;
  for (const Value& source : sources) {
    ESP_TRY_ASSIGN(Value iterator, lang::Iterate(host, source));
    iterators.push_back(std::move(iterator));
  }
  return iterators;
}

Outcome<Value> Count(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("count", args, {"start", "step"}, 0));
  const Value start = bound[0].is_unset() ? Value::Int(0) : bound[0];
  const Value step = bound[1].is_unset() ? Value::Int(1) : bound[1];
  if (!start.is_number() || !step.is_number()) return TypeError("a number is required");
  return MakeIterator(host, "itertools.count",
                      [next = start, step](Host& h, Value& value) mutable -> Outcome<bool> {
                        value = next;
                        ESP_TRY_ASSIGN(next, lang::Binary(h, lang::BinaryOp::kAdd, next, step));
                        return true;
                      });
}

Outcome<Value> Cycle(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("cycle", args, 1, 1));
  ESP_TRY_ASSIGN(const Value source, lang::Iterate(host, args.positional[0]));
  const Value seen = host.heap().New<lang::List>();
  return MakeIterator(host, "itertools.cycle",
                      [source, seen, ended = false, at = std::int64_t{0}](
                          Host& h, Value& value) mutable -> Outcome<bool> {
                        auto& items = *seen.As<lang::List>();
                        if (!ended) {
                          ESP_TRY_ASSIGN(const bool more, NextOf(h, source, value));
                          if (more) {
                            items.Append(value);
                            return true;
                          }
                          ended = true;
                        }
                        if (items.size() == 0) return false;
                        value = items[at];
                        at = (at + 1) % items.size();
                        return true;
                      });
}

Outcome<Value> Repeat(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("repeat", args, {"object", "times"}, 1));
  std::int64_t left = -1;
  if (!bound[1].is_unset()) {
    ESP_TRY_ASSIGN(left, IndexArgument(bound[1]));
    left = std::max<std::int64_t>(0, left);
  }
  return MakeIterator(host, "itertools.repeat",
                      [item = bound[0], left](Host&, Value& value) mutable -> Outcome<bool> {
                        if (left == 0) return false;
                        if (left > 0) --left;
                        value = item;
                        return true;
                      });
}

Outcome<Value> Accumulate(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("accumulate", args, {"iterable", "func", "initial"}, 1));
  ESP_TRY_ASSIGN(const Value source, lang::Iterate(host, bound[0]));
  const Value function = bound[1].is_none() ? Value::Unset() : bound[1];
  Value initial = bound[2].is_none() ? Value::Unset() : bound[2];
  return MakeIterator(host, "itertools.accumulate",
                      [source, function, initial, total = Value::Unset()](
                          Host& h, Value& value) mutable -> Outcome<bool> {
                        if (total.is_unset() && !initial.is_unset()) {
                          value = total = initial;
                          return true;
                        }
                        Value item;
                        ESP_TRY_ASSIGN(const bool more, NextOf(h, source, item));
                        if (!more) return false;
                        if (total.is_unset()) {
                          total = item;
                        } else if (function.is_unset()) {
                          const Value before = total;
                          ESP_TRY_ASSIGN(total,
                                         lang::Binary(h, lang::BinaryOp::kAdd, before, item));
                        } else {
                          const Value pair[] = {total, item};
                          ESP_TRY_ASSIGN(total, h.Call(function, Args{pair, {}}));
                        }
                        value = total;
                        return true;
                      });
}

// `sources`: an iterator over iterables.
Value ChainOf(Host& host, const Value& sources) {
  return MakeIterator(host, "itertools.chain",
                      [sources, current = Value()](Host& h, Value& value) mutable -> Outcome<bool> {
                        for (;;) {
                          if (!current.is_none()) {
                            ESP_TRY_ASSIGN(const bool more, NextOf(h, current, value));
                            if (more) return true;
                          }
                          Value source;
                          ESP_TRY_ASSIGN(const bool more, NextOf(h, sources, source));
                          if (!more) return false;
                          ESP_TRY_ASSIGN(current, lang::Iterate(h, source));
                        }
                      });
}

Outcome<Value> Chain(Host& host, const Value&, const Args& args) {
  if (!args.keywords.empty()) return TypeError("chain() takes no keyword arguments");
  const Value all =
      host.heap().New<lang::Tuple>(Values(args.positional.begin(), args.positional.end()));
  ESP_TRY_ASSIGN(const Value sources, lang::Iterate(host, all));
  return ChainOf(host, sources);
}

Outcome<Value> ChainFromIterable(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("chain.from_iterable", args, 1, 1));
  ESP_TRY_ASSIGN(const Value sources, lang::Iterate(host, args.positional[0]));
  return ChainOf(host, sources);
}

Outcome<Value> Compress(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("compress", args, {"data", "selectors"}, 2));
  ESP_TRY_ASSIGN(const Values sources, IterateAll(host, bound));
  return MakeIterator(host, "itertools.compress",
                      [sources](Host& h, Value& value) mutable -> Outcome<bool> {
                        for (;;) {
                          Value selector;
                          ESP_TRY_ASSIGN(const bool more, NextOf(h, sources[0], value));
                          if (!more) return false;
                          ESP_TRY_ASSIGN(const bool also, NextOf(h, sources[1], selector));
                          if (!also) return false;
                          ESP_TRY_ASSIGN(const bool keep, lang::Truth(h, selector));
                          if (keep) return true;
                        }
                      });
}

Outcome<bool> Holds(Host& host, const Value& test, const Value& item) {
  if (test.is_none()) return lang::Truth(host, item);
  ESP_TRY_ASSIGN(const Value verdict, CallOne(host, test, item));
  return lang::Truth(host, verdict);
}

enum class While : unsigned char { kDrop, kTake, kFilterFalse };

template <While kind>
Outcome<Value> WhileTrue(Host& host, const Value&, const Args& args) {
  constexpr std::string_view kNames[] = {"dropwhile", "takewhile", "filterfalse"};
  constexpr std::string_view kTypes[] = {"itertools.dropwhile", "itertools.takewhile",
                                         "itertools.filterfalse"};
  ESP_TRY(CheckPositional(kNames[static_cast<int>(kind)], args, 2, 2));
  ESP_TRY_ASSIGN(const Value source, lang::Iterate(host, args.positional[1]));
  return MakeIterator(host, kTypes[static_cast<int>(kind)],
                      [test = args.positional[0], source, dropping = true](
                          Host& h, Value& value) mutable -> Outcome<bool> {
                        for (;;) {
                          ESP_TRY_ASSIGN(const bool more, NextOf(h, source, value));
                          if (!more) return false;
                          if (kind == While::kDrop && !dropping) return true;
                          ESP_TRY_ASSIGN(const bool holds, Holds(h, test, value));
                          if (kind == While::kTake) return holds;
                          if (holds) continue;
                          dropping = false;
                          return true;
                        }
                      });
}

Outcome<Value> StarMap(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("starmap", args, 2, 2));
  ESP_TRY_ASSIGN(const Value source, lang::Iterate(host, args.positional[1]));
  return MakeIterator(
      host, "itertools.starmap",
      [function = args.positional[0], source](Host& h, Value& value) -> Outcome<bool> {
        Value item;
        ESP_TRY_ASSIGN(const bool more, NextOf(h, source, item));
        if (!more) return false;
        ESP_TRY_ASSIGN(const Values arguments, lang::Collect(h, item));
        ESP_TRY_ASSIGN(value, h.Call(function, Args{arguments, {}}));
        return true;
      });
}

// A bound of islice; -1: none.
Outcome<std::int64_t> SliceBound(Host& host, const Value& given, std::string_view message) {
  if (given.is_none()) return std::int64_t{-1};
  ESP_TRY_ASSIGN(const Value value, lang::AsInteger(host, given));
  if (value.is_integral() && value.as_int() >= 0) return value.as_int();
  return ValueError(std::string(message));
}

Outcome<Value> ISlice(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("islice", args, 2, 4));
  constexpr std::string_view kIndices =
      "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.";
  const auto& given = args.positional;
  const bool only_stop = given.size() == 2;
  ESP_TRY_ASSIGN(const Value source, lang::Iterate(host, given[0]));
  std::int64_t start = 0, step = 1;
  ESP_TRY_ASSIGN(
      const std::int64_t stop,
      SliceBound(host, given[only_stop ? 1 : 2],
                 "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."));
  if (!only_stop) {
    ESP_TRY_ASSIGN(start, SliceBound(host, given[1], kIndices));
    start = std::max<std::int64_t>(0, start);
  }
  if (given.size() == 4) {
    ESP_TRY_ASSIGN(const Value third, lang::AsInteger(host, given[3]));
    if (!third.is_none() && (!third.is_integral() || third.as_int() < 1)) {
      return ValueError("Step for islice() must be a positive integer or None.");
    }
    if (!third.is_none()) step = third.as_int();
  }
  return MakeIterator(host, "itertools.islice",
                      [source, next = start, at = std::int64_t{0}, stop, step](
                          Host& h, Value& value) mutable -> Outcome<bool> {
                        while (stop < 0 || at < stop) {
                          if (stop >= 0 && next >= stop) next = stop;
                          ESP_TRY_ASSIGN(const bool more, NextOf(h, source, value));
                          if (!more) return false;
                          if (at++ != next) continue;
                          next += step;
                          return true;
                        }
                        return false;
                      });
}

Outcome<Value> PairWise(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("pairwise", args, 1, 1));
  ESP_TRY_ASSIGN(const Value source, lang::Iterate(host, args.positional[0]));
  return MakeIterator(
      host, "itertools.pairwise",
      [source, last = Value::Unset()](Host& h, Value& value) mutable -> Outcome<bool> {
        if (last.is_unset()) {
          ESP_TRY_ASSIGN(const bool any, NextOf(h, source, last));
          if (!any) return false;
        }
        Value item;
        ESP_TRY_ASSIGN(const bool more, NextOf(h, source, item));
        if (!more) return false;
        value = h.heap().New<lang::Tuple>(Values{last, item});
        last = std::move(item);
        return true;
      });
}

Outcome<Value> ZipLongest(Host& host, const Value&, const Args& args) {
  Value fill;
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name != "fillvalue") {
      return TypeError("zip_longest() got an unexpected keyword argument");
    }
    fill = keyword.value;
  }
  ESP_TRY_ASSIGN(Values sources, IterateAll(host, args.positional));
  return MakeIterator(host, "itertools.zip_longest",
                      [sources, fill](Host& h, Value& value) mutable -> Outcome<bool> {
                        Values items(sources.size(), fill);
                        bool any = false;
                        for (std::size_t i = 0; i < sources.size(); ++i) {
                          if (sources[i].is_none()) continue;
                          ESP_TRY_ASSIGN(const bool more, NextOf(h, sources[i], items[i]));
                          any |= more;
                          if (more) continue;
                          items[i] = fill;
                          sources[i] = Value();
                        }
                        if (!any) return false;
                        value = h.heap().New<lang::Tuple>(std::move(items));
                        return true;
                      });
}

}  // namespace

Value MakeItertoolsModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {
      {"count", Count},
      {"cycle", Cycle},
      {"repeat", Repeat},
      {"accumulate", Accumulate},
      {"compress", Compress},
      {"dropwhile", WhileTrue<While::kDrop>},
      {"takewhile", WhileTrue<While::kTake>},
      {"filterfalse", WhileTrue<While::kFilterFalse>},
      {"starmap", StarMap},
      {"islice", ISlice},
      {"pairwise", PairWise},
      {"zip_longest", ZipLongest},
  };
  Heap& heap = machine.heap();
  const Value module = NewModule(machine, "itertools", kFunctions);
  for (const auto rows : {ChoiceFunctions(), SharedIteratorFunctions()}) {
    for (const ModuleFunction& row : rows) ModuleOf(module).AddFunction(row.name, row.code);
  }
  const Value chain = NewType(machine, "itertools.chain", Chain, [](const Value& value) {
    return value.is_extension() && lang::TypeName(value) == "itertools.chain";
  });
  Exactly<TypeObject>(chain)->AddMember(
      "from_iterable", heap.New<lang::NativeFunction>("from_iterable", ChainFromIterable));
  ModuleOf(module).Add("chain", chain);
  return module;
}

}  // namespace espalier::script
