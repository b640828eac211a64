// batch and slice: a sequence cut into lists, row by row or as so many columns.
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/chat/jinja_arguments.h"
#include "frontend_lang/chat/jinja_filters.h"
#include "frontend_lang/chat/jinja_objects.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/sequence.h"

namespace espalier::jinja {
namespace {

Outcome<std::int64_t> IntOf(std::string_view filter, const Value& value) {
  if (value.is_integral()) return value.as_int();
  return lang::TypeError(std::string(filter) + " needs a number of items, not " +
                         std::string(lang::TypeName(value)));
}

// batch(linecount, fill_with=None)
Outcome<Value> Batch(Host& host, const Value& input, Arguments args) {
  ESP_TRY_ASSIGN(const std::int64_t size, IntOf("batch", args[0]));
  Values rows, row;
  ESP_TRY(lang::ForEach(host, input, [&](const Value& item) -> Fault {
    if (std::ssize(row) == size) rows.push_back(MakeList(host, std::exchange(row, {})));
    row.push_back(item);
    return Fault();
  }));
  if (!row.empty()) {
    const std::int64_t missing = size - std::ssize(row);
    if (Given(args[1]) && missing > 0) {
      ESP_TRY(host.Reserve(missing, sizeof(Value)));
      ESP_TRY(host.Step(missing / 64));
      row.resize(row.size() + static_cast<std::size_t>(missing), args[1]);
    }
    rows.push_back(MakeList(host, std::move(row)));
  }
  return lang::Iterate(host, MakeList(host, std::move(rows)));
}

// slice(slices, fill_with=None): the first columns are longer by one where it does not divide.
Outcome<Value> Slice(Host& host, const Value& input, Arguments args) {
  ESP_TRY_ASSIGN(const std::int64_t num_columns, IntOf("slice", args[0]));
  if (num_columns == 0) {
    return lang::Raise("ZeroDivisionError", "integer division or modulo by zero");
  }
  ESP_TRY_ASSIGN(const Values items, lang::Collect(host, input));
  const std::int64_t least = std::ssize(items) / num_columns;
  const std::int64_t num_longer = std::ssize(items) % num_columns;
  Values columns;
  auto next = items.begin();
  for (std::int64_t i = 0; i < num_columns; ++i) {
    ESP_TRY(host.Step());
    const bool longer = i < num_longer;
    const auto end = next + least + (longer ? 1 : 0);
    Values column(next, end);
    if (Given(args[1]) && !longer) column.push_back(args[1]);
    columns.push_back(MakeList(host, std::move(column)));
    next = end;
  }
  return lang::Iterate(host, MakeList(host, std::move(columns)));
}

constexpr Filter kBatchFilters[] = {
    {{"batch", 1, 2, Batch, "linecount fill_with"}},
    {{"slice", 1, 2, Slice, "slices fill_with"}},
};

}  // namespace

std::span<const Filter> BatchFilters() { return kBatchFilters; }

}  // namespace espalier::jinja
