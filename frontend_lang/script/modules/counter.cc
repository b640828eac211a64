// collections.Counter: a dict of counts, in which what is absent counts 0.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/collections_module.h"
#include "frontend_lang/script/modules/step_iterator.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/sort.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::BinaryOp;
using lang::Dict;
using lang::TypeError;
using Arguments = std::span<const Value>;
using Entries = std::vector<std::pair<Value, Value>>;

Entries EntriesOf(const Value& dict) {
  Entries entries;
  for (std::size_t at = 0; const auto* entry = dict.As<Dict>()->EntryAt(at); ++at) {
    entries.emplace_back(entry->key, entry->value);
  }
  return entries;
}

Outcome<Value> CountOf(Host& host, const Dict& counts, const Value& key) {
  ESP_TRY_ASSIGN(const Value* found, counts.Find(host, key));
  return found == nullptr ? Value::Int(0) : *found;
}

// One counter against the other, over the keys of both.
Outcome<bool> CountsHold(Host& host, lang::CompareOp op, const Value& left, const Value& right) {
  using lang::CompareOp;
  const bool below = op == CompareOp::kLt || op == CompareOp::kLe;
  const CompareOp each = below                                          ? CompareOp::kLe
                         : op == CompareOp::kGt || op == CompareOp::kGe ? CompareOp::kGe
                                                                        : CompareOp::kEq;
  bool equal = true;
  for (const Value& side : {left, right}) {
    for (const auto& [key, ignored] : EntriesOf(side)) {
      ESP_TRY(host.Step());
      ESP_TRY_ASSIGN(const Value mine, CountOf(host, *left.As<Dict>(), key));
      ESP_TRY_ASSIGN(const Value theirs, CountOf(host, *right.As<Dict>(), key));
      ESP_TRY_ASSIGN(const bool holds, lang::Compare(host, each, mine, theirs));
      if (!holds) return op == CompareOp::kNe;
      ESP_TRY_ASSIGN(const bool same, lang::Equals(host, mine, theirs));
      equal &= same;
    }
  }
  const bool strict = op == CompareOp::kLt || op == CompareOp::kGt || op == CompareOp::kNe;
  return !strict || !equal;
}

Fault Change(Host& host, const Value& self, const Value& key, BinaryOp op, const Value& by) {
  ESP_TRY_ASSIGN(const Value count, CountOf(host, *self.As<Dict>(), key));
  ESP_TRY_ASSIGN(Value changed, lang::Binary(host, op, count, by));
  return self.As<Dict>()->Put(host, key, std::move(changed));
}

// Adds or subtracts the counts of a dict, or one for each item of another iterable.
Fault ChangeAll(Host& host, const Value& self, BinaryOp op, const Args& args) {
  const std::string name = op == BinaryOp::kAdd ? "update" : "subtract";
  if (args.positional.size() > 1) {
    return TypeError("Counter." + name + "() takes from 1 to 2 positional arguments but " +
                     std::to_string(args.positional.size() + 1) + " were given");
  }
  if (!args.positional.empty() && !args.positional[0].is_none()) {
    const Value source = args.positional[0];
    if (source.If<Dict>() != nullptr) {
      for (const auto& [key, count] : EntriesOf(source)) {
        ESP_TRY(host.Step());
        ESP_TRY(Change(host, self, key, op, count));
      }
    } else {
      ESP_TRY(lang::ForEach(host, source, [&](const Value& item) {
        return Change(host, self, item, op, Value::Int(1));
      }));
    }
  }
  for (const lang::Keyword& keyword : args.keywords) {
    ESP_TRY(Change(host, self, lang::MakeStr(host.heap(), keyword.name), op, keyword.value));
  }
  return Fault();
}

Outcome<Value> Update(Host& host, const Value& self, const Args& args) {
  ESP_TRY(ChangeAll(host, self, BinaryOp::kAdd, args));
  return Value();
}
Outcome<Value> Subtract(Host& host, const Value& self, const Args& args) {
  ESP_TRY(ChangeAll(host, self, BinaryOp::kSub, args));
  return Value();
}

// The entries by falling count.
Outcome<Entries> Sorted(Host& host, const Value& self) {
  const Entries entries = EntriesOf(self);
  std::vector<Value> counts;
  for (const auto& [key, count] : entries) counts.push_back(count);
  ESP_TRY_ASSIGN(const auto order, lang::SortedOrder(host, counts, true));
  Entries sorted;
  for (const std::size_t i : order) sorted.push_back(entries[i]);
  return sorted;
}

Outcome<Value> MostCommon(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const Entries entries, Sorted(host, self));
  auto most = static_cast<std::int64_t>(entries.size());
  if (!args[0].is_unset() && !args[0].is_none()) {
    ESP_TRY_ASSIGN(const std::int64_t n, IndexArgument(args[0]));
    most = std::clamp<std::int64_t>(n, 0, most);
  }
  std::vector<Value> pairs;
  for (std::size_t i = 0; i < static_cast<std::size_t>(most); ++i) {
    pairs.push_back(
        host.heap().New<lang::Tuple>(std::vector<Value>{entries[i].first, entries[i].second}));
  }
  return host.heap().New<lang::List>(std::move(pairs));
}

Outcome<Value> Elements(Host& host, const Value& self, Arguments) {
  return host.heap().New<StepIterator>(
      "itertools.chain",
      [entries = EntriesOf(self), at = std::size_t{0}, given = std::int64_t{0}](
          Host& h, Value& value) mutable -> Outcome<bool> {
        for (; at < entries.size(); ++at, given = 0) {
          ESP_TRY(h.Step());
          ESP_TRY_ASSIGN(const std::int64_t count, IndexArgument(entries[at].second));
          if (given >= count) continue;
          ++given;
          value = entries[at].first;
          return true;
        }
        return false;
      });
}

Outcome<Value> Total(Host& host, const Value& self, Arguments) {
  Value total = Value::Int(0);
  for (const auto& [key, count] : EntriesOf(self)) {
    ESP_TRY_ASSIGN(total, lang::Binary(host, BinaryOp::kAdd, total, count));
  }
  return total;
}

Outcome<Value> NoFromKeys(Host&, const Value&, const Args&) {
  return lang::Raise("NotImplementedError",
                     "Counter.fromkeys() is undefined.  Use Counter(iterable) instead.");
}

constexpr lang::Method kMethods[] = {
    {"elements", 0, 0, Elements},
    {"most_common", 0, 1, MostCommon, "n"},
    {.name = "subtract", .raw_code = Subtract},
    {"total", 0, 0, Total},
    {.name = "update", .raw_code = Update},
};
const lang::Method* FindOwn(std::string_view name) { return lang::FindIn(kMethods, name); }

Outcome<Value> Absent(Host&, const Value&, const Value&) { return Value::Int(0); }

Outcome<std::string> ReprCounter(Host& host, const Value& self) {
  if (self.As<Dict>()->size() == 0) return std::string("Counter()");
  auto sorted = Sorted(host, self);
  if (!sorted.ok() && sorted.error().kind == lang::LangError::Kind::kLimit) {
    return sorted.TakeFault();
  }
  const Value plain = host.heap().New<Dict>();
  for (const auto& [key, count] : sorted.ok() ? *sorted : EntriesOf(self)) {
    ESP_TRY(plain.As<Dict>()->Put(host, key, count));
  }
  ESP_TRY_ASSIGN(const std::string text, lang::Repr(host, plain));
  return "Counter(" + text + ")";
}

// left op right for one key.
Outcome<Value> Combine(Host& host, BinaryOp op, const Value& left, const Value& right) {
  if (op == BinaryOp::kAdd || op == BinaryOp::kSub) return lang::Binary(host, op, left, right);
  const auto better = op == BinaryOp::kOr ? lang::CompareOp::kLt : lang::CompareOp::kGt;
  ESP_TRY_ASSIGN(const bool other, lang::Compare(host, better, left, right));
  return other ? right : left;
}

extern const lang::DictKind kCounter;

// + - | &: what is left above 0.
Outcome<Value> BinaryCounter(Host& host, BinaryOp op, const Value& left, const Value& right) {
  const bool known =
      op == BinaryOp::kAdd || op == BinaryOp::kSub || op == BinaryOp::kOr || op == BinaryOp::kAnd;
  const bool both = left.As<Dict>()->kind() == right.As<Dict>()->kind();
  if (!known || !both) return Value::Unset();
  const Value result = host.heap().New<Dict>(&kCounter);
  const auto put = [&](const Value& key, const Value& count) -> Fault {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const bool positive,
                   lang::Compare(host, lang::CompareOp::kGt, count, Value::Int(0)));
    return positive ? result.As<Dict>()->Put(host, key, count) : Fault();
  };
  for (const auto& [key, count] : EntriesOf(left)) {
    ESP_TRY_ASSIGN(const Value other, CountOf(host, *right.As<Dict>(), key));
    ESP_TRY_ASSIGN(const Value combined, Combine(host, op, count, other));
    ESP_TRY(put(key, combined));
  }
  if (op == BinaryOp::kAnd) return result;
  for (const auto& [key, count] : EntriesOf(right)) {
    ESP_TRY_ASSIGN(const bool had, left.As<Dict>()->Contains(host, key));
    if (had) continue;
    ESP_TRY_ASSIGN(const Value combined, Combine(host, op, Value::Int(0), count));
    ESP_TRY(put(key, combined));
  }
  return result;
}

const lang::DictKind kCounter{.name = "Counter",
                              .find_method = FindOwn,
                              .missing = Absent,
                              .repr = ReprCounter,
                              .binary = BinaryCounter,
                              .forgives_delete = true,
                              .holds = CountsHold};

Outcome<Value> MakeCounter(Host& host, const Value&, const Args& args) {
  const Value made = host.heap().New<Dict>(&kCounter);
  ESP_TRY(ChangeAll(host, made, BinaryOp::kAdd, args));
  return made;
}

}  // namespace

Value NewCounterType(Machine& machine) {
  const Value type = NewType(machine, "collections.Counter", MakeCounter, [](const Value& value) {
    const auto* dict = value.If<Dict>();
    return dict != nullptr && dict->kind() == &kCounter;
  });
  auto& object = *Exactly<TypeObject>(type);
  object.AddMember("fromkeys", machine.heap().New<lang::NativeFunction>("fromkeys", NoFromKeys));
  object.ShareMethods([](std::string_view name) {
    const lang::Method* own = FindOwn(name);
    return own != nullptr ? own : lang::FindMethod(lang::Type::kDict, name);
  });
  return type;
}

}  // namespace espalier::script
