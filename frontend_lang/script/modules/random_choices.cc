// They draw in CPython's order, so that the picks are the same.
#include "frontend_lang/script/modules/random_choices.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/random_object.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/sequence.h"

namespace espalier::script {
namespace {

using lang::TypeError;
using lang::ValueError;
using Values = std::vector<Value>;

std::uint64_t Below(const Value& self, std::int64_t bound) {
  return RandomOf(self).twister().NextBelow(static_cast<std::uint64_t>(bound));
}

Outcome<Value> Choice(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("choice", args, {"seq"}, 1));
  ESP_TRY_ASSIGN(const std::int64_t length, lang::Length(host, bound[0]));
  if (length == 0) return lang::Raise("IndexError", "Cannot choose from an empty sequence");
  return lang::GetItem(host, bound[0], Value::Int(static_cast<std::int64_t>(Below(self, length))));
}

Outcome<Value> Shuffle(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("shuffle", args, {"x"}, 1));
  ESP_TRY_ASSIGN(const std::int64_t length, lang::Length(host, bound[0]));
  for (std::int64_t i = length - 1; i > 0; --i) {
    ESP_TRY(host.Step());
    const Value at = Value::Int(i);
    const Value other = Value::Int(static_cast<std::int64_t>(Below(self, i + 1)));
    ESP_TRY_ASSIGN(const Value a, lang::GetItem(host, bound[0], at));
    ESP_TRY_ASSIGN(const Value b, lang::GetItem(host, bound[0], other));
    ESP_TRY(lang::SetItem(host, bound[0], at, b));
    ESP_TRY(lang::SetItem(host, bound[0], other, a));
  }
  return Value();
}

bool IsSequence(const Value& value) {
  return value.is_str() || value.If<lang::List>() || value.If<lang::Tuple>() ||
         value.If<lang::Range>() || (value.is_extension() && lang::TypeName(value) == "deque");
}

// A small population is copied and picked from; from a large one places are drawn until
// they are new.
Outcome<Value> Sample(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("sample", args, {"population", "k"}, 2));
  if (!IsSequence(bound[0])) {
    return TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).");
  }
  ESP_TRY_ASSIGN(const std::int64_t n, lang::Length(host, bound[0]));
  ESP_TRY_ASSIGN(const std::int64_t k, IndexArgument(bound[1]));
  if (k < 0 || k > n) return ValueError("Sample larger than population or is negative");
  ESP_TRY(host.Reserve(k, sizeof(Value) * 2));
  double pool_size = 21;
  if (k > 5) {
    pool_size += std::pow(4, std::ceil(std::log(static_cast<double>(k) * 3) / std::log(4.0)));
  }
  Values picked;
  if (static_cast<double>(n) <= pool_size) {
    ESP_TRY_ASSIGN(Values pool, lang::Collect(host, bound[0]));
    for (std::int64_t i = 0; i < k; ++i) {
      ESP_TRY(host.Step());
      const std::size_t at = Below(self, n - i);
      picked.push_back(pool[at]);
      pool[at] = pool[static_cast<std::size_t>(n - i - 1)];
    }
    return host.heap().New<lang::List>(std::move(picked));
  }
  std::unordered_set<std::uint64_t> used;
  for (std::int64_t i = 0; i < k; ++i) {
    ESP_TRY(host.Step());
    std::uint64_t at = Below(self, n);
    while (!used.insert(at).second) at = Below(self, n);
    ESP_TRY_ASSIGN(Value item,
                   lang::GetItem(host, bound[0], Value::Int(static_cast<std::int64_t>(at))));
    picked.push_back(std::move(item));
  }
  return host.heap().New<lang::List>(std::move(picked));
}

// The running sums of the weights; none without weights.
Outcome<Values> CumulativeWeights(Host& host, const Value& weights, const Value& cumulative) {
  if (!cumulative.is_unset() && !cumulative.is_none()) {
    if (!weights.is_unset() && !weights.is_none()) {
      return TypeError("Cannot specify both weights and cumulative weights");
    }
    return lang::Collect(host, cumulative);
  }
  Values sums;
  if (weights.is_unset() || weights.is_none()) return sums;
  ESP_TRY(lang::ForEach(host, weights, [&](const Value& weight) -> Fault {
    if (sums.empty()) {
      sums.push_back(weight);
      return Fault();
    }
    ESP_TRY_ASSIGN(Value sum, lang::Binary(host, lang::BinaryOp::kAdd, sums.back(), weight));
    sums.push_back(std::move(sum));
    return Fault();
  }));
  return sums;
}

Outcome<Value> Choices(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("choices", args, {"population", "weights", "cum_weights", "k"}, 1));
  std::int64_t k = 1;
  if (!bound[3].is_unset()) {
    ESP_TRY_ASSIGN(k, IndexArgument(bound[3]));
  }
  ESP_TRY(host.Reserve(std::max<std::int64_t>(0, k), sizeof(Value)));
  ESP_TRY_ASSIGN(const std::int64_t n, lang::Length(host, bound[0]));
  ESP_TRY_ASSIGN(const Values weights, CumulativeWeights(host, bound[1], bound[2]));
  const bool weighted = !weights.empty() || !bound[1].is_unset() || !bound[2].is_unset();
  const bool no_weights =
      (bound[1].is_unset() || bound[1].is_none()) && (bound[2].is_unset() || bound[2].is_none());
  std::vector<double> sums;
  for (const Value& weight : weights) {
    ESP_TRY_ASSIGN(const double sum, RealArgument(host, weight));
    sums.push_back(sum);
  }
  if (n == 0) return lang::Raise("IndexError", "list index out of range");
  if (weighted && !no_weights) {
    if (static_cast<std::int64_t>(sums.size()) != n) {
      return ValueError("The number of weights does not match the population");
    }
    if (sums.back() <= 0) return ValueError("Total of weights must be greater than zero");
    if (!std::isfinite(sums.back())) return ValueError("Total of weights must be finite");
  }
  Values picked;
  for (std::int64_t i = 0; i < k; ++i) {
    ESP_TRY(host.Step());
    const double drawn = RandomOf(self).twister().NextReal();
    std::int64_t at = 0;
    if (no_weights) {
      at = static_cast<std::int64_t>(std::floor(drawn * static_cast<double>(n)));
    } else {
      const auto last = sums.end() - 1;
      at = std::upper_bound(sums.begin(), last, drawn * sums.back()) - sums.begin();
    }
    ESP_TRY_ASSIGN(Value item, lang::GetItem(host, bound[0], Value::Int(at)));
    picked.push_back(std::move(item));
  }
  return host.heap().New<lang::List>(std::move(picked));
}

constexpr ModuleFunction kMethods[] = {
    {"choice", Choice}, {"choices", Choices}, {"shuffle", Shuffle}, {"sample", Sample}};

}  // namespace

std::span<const ModuleFunction> RandomChoiceMethods() { return kMethods; }

}  // namespace espalier::script
