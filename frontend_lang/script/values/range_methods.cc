// Methods of range and slice.
#include <algorithm>
#include <string>
#include <vector>

#include "frontend_lang/script/values/as_number.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"

namespace espalier::lang {
namespace {

using Arguments = std::span<const Value>;

// The place of the value in the range, or -1.
Outcome<std::int64_t> PlaceIn(Host& host, const Value& self, const Value& value) {
  const Range& range = *self.As<Range>();
  if (value.is_integral()) {
    if (!range.Contains(value.as_int())) return std::int64_t{-1};
    return (value.as_int() - range.start()) / range.step();
  }
  for (std::int64_t i = 0; i < range.size(); ++i) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const bool same, Equals(host, Value::Int(range[i]), value));
    if (same) return i;
  }
  return std::int64_t{-1};
}

Outcome<Value> Count(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const std::int64_t place, PlaceIn(host, self, args[0]));
  return Value::Int(place >= 0 ? 1 : 0);
}

Outcome<Value> Index(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const std::int64_t place, PlaceIn(host, self, args[0]));
  if (place >= 0) return Value::Int(place);
  if (!args[0].is_integer()) return ValueError("sequence.index(x): x not in sequence");
  ESP_TRY_ASSIGN(const std::string text, Repr(host, args[0]));
  return ValueError(text + " is not in range");
}

Outcome<Value> Indices(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const Value length, AsInteger(host, args[0]));
  if (!length.is_integral()) {
    return TypeError("'" + std::string(TypeName(args[0])) +
                     "' object cannot be interpreted as an integer");
  }
  if (length.as_int() < 0) return ValueError("length should not be negative");
  ESP_TRY_ASSIGN(const SliceIndexes run, ResolveSlice(*self.As<Slice>(), length.as_int()));
  const Value& step = self.As<Slice>()->step();
  return host.heap().New<Tuple>(std::vector<Value>{Value::Int(run.start), Value::Int(run.stop),
                                                   step.is_none() ? Value::Int(1) : step});
}

constexpr Method kRangeMethods[] = {
    {"count", 1, 1, Count},
    {"index", 1, 1, Index},
};
constexpr Method kSliceMethods[] = {{"indices", 1, 1, Indices}};

}  // namespace

std::span<const Method> RangeMethods() { return kRangeMethods; }
std::span<const Method> SliceMethods() { return kSliceMethods; }

}  // namespace espalier::lang
