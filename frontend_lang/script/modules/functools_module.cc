// functools: reduce, partial, lru_cache, cache, wraps, cmp_to_key.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/modules/function_names.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/modules/step_iterator.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::Dict;
using lang::TypeError;
using Values = std::vector<Value>;

Outcome<Value> Reduce(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("reduce", args, 2, 3));
  const Value function = args.positional[0];
  Value total = args.positional.size() == 3 ? args.positional[2] : Value::Unset();
  ESP_TRY(lang::ForEach(host, args.positional[1], [&](const Value& item) -> Fault {
    if (total.is_unset()) {
      total = item;
      return Fault();
    }
    const Value pair[] = {total, item};
    ESP_TRY_ASSIGN(total, host.Call(function, Args{pair, {}}));
    return Fault();
  }));
  if (total.is_unset()) return TypeError("reduce() of empty iterable with no initial value");
  return total;
}

// ---- partial.

class Partial final : public lang::Extension {
 public:
  Partial(Heap& heap, Value function, Value positional, Value keywords)
      : Extension(heap, lang::Type::kFunction),
        function_(std::move(function)),
        positional_(std::move(positional)),
        keywords_(std::move(keywords)) {}

  std::string_view TypeName() const override { return "functools.partial"; }
  Outcome<Value> Call(Host& host, const Args& args) override;
  Outcome<std::string> Repr(Host& host) override;
  Outcome<Value> GetAttr(Host&, std::string_view name) override {
    if (name == "func") return function_;
    if (name == "args") return positional_;
    if (name == "keywords") return keywords_;
    return Value::Unset();
  }

 private:
  void Clear() override { function_ = Value(); }

  Value function_, positional_, keywords_;  // a tuple, a dict
};

Outcome<Value> Partial::Call(Host& host, const Args& args) {
  const Value function = function_, positional = positional_, held = keywords_;
  Values all = positional.As<lang::Tuple>()->items();
  all.insert(all.end(), args.positional.begin(), args.positional.end());
  std::vector<lang::Keyword> keywords;
  const auto given = [&](std::string_view name) {
    return std::ranges::find(args.keywords, name, &lang::Keyword::name) != args.keywords.end();
  };
  for (std::size_t at = 0; const auto* entry = held.As<Dict>()->EntryAt(at); ++at) {
    const std::string_view name = lang::TextOf(entry->key);
    if (!given(name)) keywords.push_back({name, entry->value});
  }
  keywords.insert(keywords.end(), args.keywords.begin(), args.keywords.end());
  return host.Call(function, Args{all, keywords});
}

Outcome<std::string> Partial::Repr(Host& host) {
  ESP_TRY_ASSIGN(std::string text, lang::Repr(host, function_));
  for (const Value& value : positional_.As<lang::Tuple>()->items()) {
    ESP_TRY_ASSIGN(const std::string item, lang::Repr(host, value));
    text += ", " + item;
  }
  for (std::size_t at = 0; const auto* entry = keywords_.As<Dict>()->EntryAt(at); ++at) {
    ESP_TRY_ASSIGN(const std::string item, lang::Repr(host, entry->value));
    text += ", " + std::string(lang::TextOf(entry->key)) + "=" + item;
  }
  return "functools.partial(" + text + ")";
}

Outcome<Value> MakePartial(Host& host, const Value&, const Args& args) {
  if (args.positional.empty()) {
    return TypeError("type 'partial' takes at least one argument");
  }
  if (!args.positional[0].is_extension()) return TypeError("the first argument must be callable");
  const auto rest = args.positional.subspan(1);
  const Value keywords = host.heap().New<Dict>();
  for (const lang::Keyword& keyword : args.keywords) {
    keywords.As<Dict>()->PutStr(keyword.name, keyword.value);
  }
  return host.heap().New<Partial>(
      args.positional[0], host.heap().New<lang::Tuple>(Values(rest.begin(), rest.end())), keywords);
}

// ---- lru_cache.

// hits, misses, maxsize, currsize.
class CacheInfo final : public lang::Extension {
 public:
  CacheInfo(Heap& heap, Values numbers)
      : Extension(heap, lang::Type::kExtension),
        numbers_(heap.New<lang::Tuple>(std::move(numbers))) {}

  std::string_view TypeName() const override { return "CacheInfo"; }
  Outcome<Value> GetAttr(Host&, std::string_view name) override {
    const auto at = std::ranges::find(kNames, name);
    if (at == std::end(kNames)) return Value::Unset();
    return numbers_.As<lang::Tuple>()->items()[static_cast<std::size_t>(at - std::begin(kNames))];
  }
  Outcome<Value> GetItem(Host& host, const Value& key) override {
    return lang::GetItem(host, numbers_, key);
  }
  Outcome<Value> Length(Host&) override { return Value::Int(4); }
  Outcome<Value> Iterate(Host& host) override { return lang::Iterate(host, numbers_); }
  Outcome<bool> Equals(Host& host, const Value& other) override {
    const auto* info = Exactly<CacheInfo>(other);
    return lang::Equals(host, numbers_, info == nullptr ? other : info->numbers_);
  }
  Outcome<std::string> Repr(Host& host) override {
    std::string text;
    for (std::size_t i = 0; i < std::size(kNames); ++i) {
      ESP_TRY_ASSIGN(const std::string number,
                     lang::Repr(host, numbers_.As<lang::Tuple>()->items()[i]));
      text += (i > 0 ? ", " : "") + std::string(kNames[i]) + "=" + number;
    }
    return "CacheInfo(" + text + ")";
  }

 private:
  static constexpr std::string_view kNames[] = {"hits", "misses", "maxsize", "currsize"};
  void Clear() override { numbers_ = heap().New<lang::Tuple>(Values(4)); }

  Value numbers_;
};

class CachedFunction final : public lang::Extension {
 public:
  CachedFunction(Heap& heap, Value function, std::optional<std::int64_t> max_size)
      : Extension(heap, lang::Type::kFunction),
        function_(std::move(function)),
        max_size_(max_size),
        results_(heap.New<Dict>()) {}

  bool BindsAsMethod() const override { return true; }
  std::string_view TypeName() const override { return "functools._lru_cache_wrapper"; }
  Outcome<std::string> Repr(Host& host) override {
    ESP_TRY_ASSIGN(const Value name, lang::GetAttr(host, function_, "__name__"));
    ESP_TRY_ASSIGN(const std::string text, lang::Text(host, name));
    return "<functools._lru_cache_wrapper object of " + text + ">";
  }
  Outcome<Value> Call(Host& host, const Args& args) override;
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

 private:
  void Clear() override {
    function_ = Value();
    results_ = heap().New<Dict>();
  }
  Dict& results() const { return *results_.As<Dict>(); }
  static Outcome<Value> ShowInfo(Host& host, const Value& self, const Args& args);
  static Outcome<Value> Forget(Host& host, const Value& self, const Args& args);

  Value function_;
  std::optional<std::int64_t> max_size_;  // unset: without bound
  Value results_;                         // the one used longest ago first
  std::int64_t num_hits_ = 0, num_misses_ = 0;
};

// The arguments as one hashable value.
Value KeyOf(Host& host, const Args& args) {
  Values parts(args.positional.begin(), args.positional.end());
  for (const lang::Keyword& keyword : args.keywords) {
    const Value name = lang::MakeStr(host.heap(), keyword.name);
    parts.push_back(host.heap().New<lang::Tuple>(Values{Value(), name, keyword.value}));
  }
  return host.heap().New<lang::Tuple>(std::move(parts));
}

Outcome<Value> CachedFunction::Call(Host& host, const Args& args) {
  const Value self(this), function = function_;
  const Value key = KeyOf(host, args);
  ESP_TRY_ASSIGN(const Value* found, results().Find(host, key));
  if (found != nullptr) {
    const Value value = *found;
    ++num_hits_;
    if (max_size_) {  // it is the one used last now
      ESP_TRY_ASSIGN([[maybe_unused]] const Value taken, results().Pop(host, key));
      ESP_TRY(results().Put(host, key, value));
    }
    return value;
  }
  ++num_misses_;
  ESP_TRY_ASSIGN(Value value, host.Call(function, args));
  if (max_size_ && *max_size_ == 0) return value;
  ESP_TRY(results().Put(host, key, value));
  if (max_size_ && results().size() > *max_size_) {
    std::size_t at = 0;
    results().EntryAt(at);
    const Value gone = results().TakeAt(at);
  }
  return value;
}

Outcome<Value> CachedFunction::ShowInfo(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("cache_info", args, 0, 0));
  const auto& cached = *static_cast<CachedFunction*>(self.object());
  return host.heap().New<CacheInfo>(
      Values{Value::Int(cached.num_hits_), Value::Int(cached.num_misses_),
             cached.max_size_ ? Value::Int(*cached.max_size_) : Value(),
             Value::Int(cached.results().size())});
}

Outcome<Value> CachedFunction::Forget(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("cache_clear", args, 0, 0));
  auto& cached = *static_cast<CachedFunction*>(self.object());
  cached.results().EraseAll();
  cached.num_hits_ = cached.num_misses_ = 0;
  return Value();
}

Outcome<Value> CachedFunction::GetAttr(Host& host, std::string_view name) {
  Heap& heap = host.heap();
  if (name == "cache_info")
    return heap.New<lang::NativeFunction>("cache_info", ShowInfo, Value(this));
  if (name == "cache_clear")
    return heap.New<lang::NativeFunction>("cache_clear", Forget, Value(this));
  if (name == "__wrapped__") return function_;
  if (name == "__name__" || name == "__doc__") return lang::GetAttr(host, function_, name);
  return Value::Unset();
}

// What lru_cache(maxsize=...) gives: it takes the function.
class CacheDecorator final : public lang::Extension {
 public:
  CacheDecorator(Heap& heap, std::optional<std::int64_t> max_size)
      : Extension(heap, lang::Type::kFunction), max_size_(max_size) {}
  std::string_view TypeName() const override { return "function"; }
  Outcome<Value> Call(Host& host, const Args& args) override {
    ESP_TRY(CheckPositional("decorating_function", args, 1, 1));
    return host.heap().New<CachedFunction>(args.positional[0], max_size_);
  }

 private:
  std::optional<std::int64_t> max_size_;
};

Outcome<Value> LruCache(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("lru_cache", args, {"maxsize", "typed"}, 0));
  std::optional<std::int64_t> max_size = 128;
  if (bound[0].is_none()) {
    max_size.reset();
  } else if (bound[0].is_integral()) {
    max_size = std::max<std::int64_t>(0, bound[0].as_int());
  } else if (bound[0].is_extension()) {
    return host.heap().New<CachedFunction>(bound[0], max_size);
  } else if (!bound[0].is_unset()) {
    return TypeError("Expected first argument to be an integer, a callable, or None");
  }
  return host.heap().New<CacheDecorator>(max_size);
}

Outcome<Value> Cache(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("cache", args, 1, 1));
  return host.heap().New<CachedFunction>(args.positional[0], std::nullopt);
}

// ---- wraps, cmp_to_key.

// Compares as a function says that returns a number below, at or above 0.
class ComparisonKey final : public lang::Extension {
 public:
  ComparisonKey(Heap& heap, Value function, Value item)
      : Extension(heap, lang::Type::kExtension),
        function_(std::move(function)),
        item_(std::move(item)) {}

  std::string_view TypeName() const override { return "functools.KeyWrapper"; }
  Outcome<bool> Equals(Host& host, const Value& other) override {
    ESP_TRY_ASSIGN(const Value answer, Compare(host, lang::CompareOp::kEq, other));
    return answer.is_bool() && answer.as_bool();
  }
  Outcome<Value> Compare(Host& host, lang::CompareOp op, const Value& other) override {
    const auto* key = Exactly<ComparisonKey>(other);
    if (key == nullptr) return Value::Unset();
    const Value function = function_, pair[] = {item_, key->item_};
    ESP_TRY_ASSIGN(const Value order, host.Call(function, Args{pair, {}}));
    return lang::CompareValue(host, op, order, Value::Int(0));
  }

 private:
  void Clear() override { function_ = item_ = Value(); }

  Value function_, item_;
};

Outcome<Value> MakeKey(Host& host, const Value& function, const Args& args) {
  ESP_TRY(CheckPositional("K", args, 1, 1));
  return host.heap().New<ComparisonKey>(function, args.positional[0]);
}

// A property that is asked once an object.
Outcome<Value> CachedProperty(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("cached_property", args, 1, 1));
  Value made = host.heap().New<Property>(args.positional[0]);
  Exactly<Property>(made)->cached = true;
  return made;
}

Outcome<Value> CmpToKey(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("cmp_to_key", args, {"mycmp"}, 1));
  return host.heap().New<lang::NativeFunction>("K", MakeKey, bound[0]);
}

}  // namespace

Value MakeFunctoolsModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {
      {"reduce", Reduce},
      {"lru_cache", LruCache},
      {"cache", Cache},
      {"wraps", Wraps},
      {"cmp_to_key", CmpToKey},
      {"update_wrapper", UpdateWrapper},
      {"cached_property", CachedProperty},
  };
  const Value module = NewModule(machine, "functools", kFunctions);
  ModuleOf(module).Add(
      "partial", NewType(machine, "functools.partial", MakePartial,
                         [](const Value& value) { return Exactly<Partial>(value) != nullptr; }));
  return module;
}

}  // namespace espalier::script
