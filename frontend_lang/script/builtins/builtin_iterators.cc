// zip, map, filter, enumerate, reversed, iter, next: lazy, as in Python.
#include <string>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/builtins/builtins.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/modules/step_iterator.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/iterators.h"
#include "frontend_lang/script/values/sequence.h"

namespace espalier::script {
namespace {

using lang::Iterator;
using lang::TypeError;
using lang::ValueError;

Outcome<bool> NextOf(Host& host, const Value& iterator, Value& item) {
  const Value held = iterator;
  return lang::Next(host, held, item);
}

// Takes one item of each source: zip gives the tuple, map calls with it.
class ZipIterator final : public Iterator {
 public:
  enum class Check { kNone, kStrict };

  // `function` is Unset for zip.
  ZipIterator(Heap& heap, Value function, std::vector<Value> sources, Check check)
      : Iterator(heap),
        function_(std::move(function)),
        sources_(std::move(sources)),
        check_(check) {}

  std::string_view TypeName() const override { return function_.is_unset() ? "zip" : "map"; }

  Outcome<bool> Next(Host& host, Value& value) override {
    std::vector<Value> items(sources_.size());
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      ESP_TRY_ASSIGN(const bool more, NextOf(host, sources_[i], items[i]));
      if (more) continue;
      if (check_ == Check::kStrict) ESP_TRY(CheckLengths(host, i));
      return false;
    }
    if (items.empty()) return false;
    if (function_.is_unset()) {
      value = host.heap().New<lang::Tuple>(std::move(items));
    } else {
      ESP_TRY_ASSIGN(value, host.Call(Value(function_), Args{items, {}}));
    }
    return true;
  }

 private:
  void Clear() override {
    function_ = Value::Unset();
    sources_.clear();
  }

  // Source `ended` ran out.
  Fault CheckLengths(Host& host, std::size_t ended) {
    const auto complain = [](std::size_t at, std::string_view how) {
      return ValueError("zip() argument " + std::to_string(at + 1) + " is " + std::string(how) +
                        " than argument" + (at == 1 ? " 1" : "s 1-" + std::to_string(at)));
    };
    if (ended > 0) return complain(ended, "shorter");
    for (std::size_t i = 1; i < sources_.size(); ++i) {
      Value item;
      ESP_TRY_ASSIGN(const bool more, NextOf(host, sources_[i], item));
      if (more) return complain(i, "longer");
    }
    return Fault();
  }

  Value function_;
  std::vector<Value> sources_;
  Check check_;
};

class FilterIterator final : public Iterator {
 public:
  FilterIterator(Heap& heap, Value test, Value source)
      : Iterator(heap), test_(std::move(test)), source_(std::move(source)) {}

  std::string_view TypeName() const override { return "filter"; }

  Outcome<bool> Next(Host& host, Value& value) override {
    for (;;) {
      ESP_TRY(host.Step());
      ESP_TRY_ASSIGN(const bool more, NextOf(host, source_, value));
      if (!more) return false;
      Value verdict = value;
      if (!test_.is_none()) {
        const Value item = value;
        ESP_TRY_ASSIGN(verdict, host.Call(Value(test_), Args{{&item, 1}, {}}));
      }
      ESP_TRY_ASSIGN(const bool keep, lang::Truth(host, verdict));
      if (keep) return true;
    }
  }

 private:
  void Clear() override { test_ = source_ = Value(); }

  Value test_, source_;
};

class EnumerateIterator final : public Iterator {
 public:
  EnumerateIterator(Heap& heap, Value source, Value start)
      : Iterator(heap), source_(std::move(source)), next_(std::move(start)) {}

  std::string_view TypeName() const override { return "enumerate"; }

  Outcome<bool> Next(Host& host, Value& value) override {
    Value item;
    ESP_TRY_ASSIGN(const bool more, NextOf(host, source_, item));
    if (!more) return false;
    const Value index = next_;
    ESP_TRY_ASSIGN(next_, lang::Binary(host, lang::BinaryOp::kAdd, index, Value::Int(1)));
    value = host.heap().New<lang::Tuple>(std::vector<Value>{index, std::move(item)});
    return true;
  }

 private:
  void Clear() override { source_ = next_ = Value(); }

  Value source_, next_;
};

// A list or tuple from its end; a list that changes meanwhile is seen to change.
class ReversedSequence final : public Iterator {
 public:
  ReversedSequence(Heap& heap, Value sequence)
      : Iterator(heap), sequence_(std::move(sequence)), num_left_(Items().size()) {}

  std::string_view TypeName() const override {
    return sequence_.type() == lang::Type::kTuple ? "reversed" : "list_reverseiterator";
  }

  Outcome<bool> Next(Host&, Value& value) override {
    if (num_left_ == 0 || num_left_ > Items().size()) {
      num_left_ = 0;
      return false;
    }
    value = Items()[--num_left_];
    return true;
  }

 private:
  const std::vector<Value>& Items() const {
    static const std::vector<Value> kNone;
    if (const auto* list = sequence_.If<lang::List>()) return list->items();
    const auto* tuple = sequence_.If<lang::Tuple>();
    return tuple == nullptr ? kNone : tuple->items();
  }
  void Clear() override { sequence_ = Value(), num_left_ = 0; }

  Value sequence_;
  std::size_t num_left_;
};

// A dict's keys from the one added last.
class ReversedKeys final : public Iterator {
 public:
  ReversedKeys(Heap& heap, Value dict)
      : Iterator(heap), dict_(std::move(dict)), size_(Of().size()), at_(Of().entries().size()) {}

  std::string_view TypeName() const override { return "dict_reversekeyiterator"; }

  Outcome<bool> Next(Host& host, Value& value) override {
    if (dict_.is_none()) return false;
    if (Of().size() != size_) {
      return lang::Raise("RuntimeError", "dictionary changed size during iteration");
    }
    at_ = std::min(at_, Of().entries().size());  // it may have been rebuilt without holes
    while (at_ > 0) {
      const lang::HashTable::Entry& entry = Of().entries()[--at_];
      if (entry.key.is_unset()) {
        ESP_TRY(host.Step());
        continue;
      }
      value = entry.key;
      return true;
    }
    dict_ = Value();
    return false;
  }

 private:
  const lang::Dict& Of() const { return *dict_.As<lang::Dict>(); }
  void Clear() override { dict_ = Value(); }

  Value dict_;  // None at the end
  std::int64_t size_;
  std::size_t at_;
};

// The items of a list made when it began, from the last.
class ReversedIterator final : public Iterator {
 public:
  ReversedIterator(Heap& heap, std::vector<Value> items)
      : Iterator(heap), items_(std::move(items)) {}

  std::string_view TypeName() const override { return "reversed"; }

  Outcome<bool> Next(Host&, Value& value) override {
    if (items_.empty()) return false;
    value = std::move(items_.back());
    items_.pop_back();
    return true;
  }

 private:
  void Clear() override { items_.clear(); }

  std::vector<Value> items_;
};

Outcome<std::vector<Value>> IterateAll(Host& host, std::span<const Value> sources) {
  std::vector<Value> iterators;
  for (const Value& source : sources) {
    ESP_TRY_ASSIGN(Value iterator, lang::Iterate(host, source));
    iterators.push_back(std::move(iterator));
  }
  return iterators;
}

Outcome<Value> Zip(Host& host, const Value&, const Args& args) {
  auto check = ZipIterator::Check::kNone;
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name != "strict") {
      return TypeError("'" + std::string(keyword.name) +
                       "' is an invalid keyword argument for zip()");
    }
    ESP_TRY_ASSIGN(const bool strict, lang::Truth(host, keyword.value));
    if (strict) check = ZipIterator::Check::kStrict;
  }
  ESP_TRY_ASSIGN(auto sources, IterateAll(host, args.positional));
  return host.heap().New<ZipIterator>(Value::Unset(), std::move(sources), check);
}

Outcome<Value> Map(Host& host, const Value&, const Args& args) {
  if (!args.keywords.empty()) return TypeError("map() takes no keyword arguments");
  if (args.positional.size() < 2) return TypeError("map() must have at least two arguments.");
  ESP_TRY_ASSIGN(auto sources, IterateAll(host, args.positional.subspan(1)));
  return host.heap().New<ZipIterator>(args.positional[0], std::move(sources),
                                      ZipIterator::Check::kNone);
}

Outcome<Value> Filter(Host& host, const Value&, const Args& args) {
  if (args.positional.size() != 2) {
    return TypeError("filter expected 2 arguments, got " + std::to_string(args.positional.size()));
  }
  ESP_TRY_ASSIGN(Value source, lang::Iterate(host, args.positional[1]));
  return host.heap().New<FilterIterator>(args.positional[0], std::move(source));
}

Outcome<Value> Enumerate(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(auto bound, BindArguments("enumerate", args, {"iterable", "start"}, 1));
  if (!bound[1].is_unset() && !bound[1].is_integer()) {
    return TypeError("'" + std::string(lang::TypeName(bound[1])) +
                     "' object cannot be interpreted as an integer");
  }
  ESP_TRY_ASSIGN(Value source, lang::Iterate(host, bound[0]));
  return host.heap().New<EnumerateIterator>(std::move(source),
                                            bound[1].is_unset() ? Value::Int(0) : bound[1]);
}

Outcome<Value> Reversed(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("reversed", args, 1, 1));
  const lang::Type type = args.positional[0].type();
  if (auto* instance = args.positional[0].If<Instance>()) {
    ESP_TRY_ASSIGN(Value made, instance->CallSpecial(host, Special::kReversed));
    if (!made.is_unset()) return made;
  }
  const bool sequence = type == lang::Type::kStr || type == lang::Type::kList ||
                        type == lang::Type::kTuple || type == lang::Type::kDict ||
                        type == lang::Type::kRange;
  const bool iterator = type == lang::Type::kIterator;
  const auto* object = args.positional[0].If<Instance>();
  const bool plain = object != nullptr && object->payload.is_unset() &&
                     (!object->Has(Special::kLen) || !object->Has(Special::kGetItem));
  if (iterator || plain || (!sequence && !args.positional[0].is_extension())) {
    return TypeError("'" + std::string(lang::TypeName(args.positional[0])) +
                     "' object is not reversible");
  }
  const Value& source = args.positional[0];
  if (type == lang::Type::kList || type == lang::Type::kTuple) {
    return host.heap().New<ReversedSequence>(source);
  }
  if (type == lang::Type::kDict) return host.heap().New<ReversedKeys>(source);
  if (const auto* range = source.If<lang::Range>(); range != nullptr && range->size() > 1) {
    return host.heap().New<lang::RangeIterator>(*range, lang::RangeIterator::Direction::kBack);
  }
  if (object != nullptr && object->payload.is_unset() && object->Has(Special::kGetItem)) {
    ESP_TRY_ASSIGN(const std::int64_t length, lang::Length(host, source));
    return host.heap().New<StepIterator>(
        "reversed", [held = source, at = length](Host& h, Value& value) mutable -> Outcome<bool> {
          if (at <= 0) return false;
          ESP_TRY_ASSIGN(value, lang::GetItem(h, held, Value::Int(--at)));
          return true;
        });
  }
  ESP_TRY_ASSIGN(auto items, lang::Collect(host, source));
  return host.heap().New<ReversedIterator>(std::move(items));
}

// What a function gives until it gives the end's mark: iter(f, "").
class CallIterator final : public Iterator {
 public:
  CallIterator(Heap& heap, Value function, Value end)
      : Iterator(heap), function_(std::move(function)), end_(std::move(end)) {}

  std::string_view TypeName() const override { return "callable_iterator"; }

  Outcome<bool> Next(Host& host, Value& value) override {
    if (function_.is_unset()) return false;
    const Value end = end_;
    ESP_TRY_ASSIGN(value, host.Call(Value(function_), {}));
    ESP_TRY_ASSIGN(const bool ended, lang::Equals(host, value, end));
    if (ended) function_ = Value::Unset();
    return !ended;
  }

 private:
  void Clear() override { function_ = end_ = Value::Unset(); }

  Value function_, end_;
};

Outcome<Value> Iter(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("iter", args, 1, 2));
  if (args.positional.size() == 2) {
    if (!args.positional[0].is_extension()) return TypeError("iter(v, w): v must be callable");
    return host.heap().New<CallIterator>(args.positional[0], args.positional[1]);
  }
  if (auto* instance = args.positional[0].If<Instance>()) {  // an iterator of the program's own
    ESP_TRY_ASSIGN(Value made, instance->CallSpecial(host, Special::kIter));
    const auto* iterator = made.If<Instance>();
    if (iterator != nullptr && iterator->Has(Special::kNext)) return made;
    if (made.type() == lang::Type::kIterator) return made;
  }
  return lang::Iterate(host, args.positional[0]);
}

Outcome<Value> Next(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("next", args, 1, 2));
  const Value& iterator = args.positional[0];
  auto* instance = iterator.If<Instance>();
  if (instance != nullptr && instance->Has(Special::kNext)) {
    auto next = instance->CallSpecial(host, Special::kNext);
    if (next.ok() || !IsA(next.error(), "StopIteration") || args.positional.size() < 2) {
      return next;
    }
    return args.positional[1];
  }
  if (iterator.type() != lang::Type::kIterator) {
    return TypeError("'" + std::string(lang::TypeName(iterator)) + "' object is not an iterator");
  }
  Value item;
  ESP_TRY_ASSIGN(const bool more, NextOf(host, iterator, item));
  if (more) return item;
  if (args.positional.size() == 2) return args.positional[1];
  const bool returned = iterator.IfExtension<Resumable>() != nullptr;
  return RaiseStop(host.heap(), returned ? item : Value());
}

}  // namespace

void AddIteratorBuiltins(Machine& machine) {
  constexpr std::pair<std::string_view, lang::NativeCode> kFunctions[] = {
      {"zip", Zip},           {"map", Map},   {"filter", Filter}, {"enumerate", Enumerate},
      {"reversed", Reversed}, {"iter", Iter}, {"next", Next},
  };
  for (const auto& [name, code] : kFunctions) {
    machine.AddBuiltin(name, machine.heap().New<lang::NativeFunction>(name, code));
  }
}

}  // namespace espalier::script
