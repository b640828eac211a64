// The filters of templates: one table, name -> code. A filter is a method whose object
// is its input.
#pragma once

#include <string_view>

#include "frontend_lang/script/values/methods.h"

namespace espalier::jinja {

struct Filter {
  lang::Method method;
};

// The filter of that name, or null. The row lives for ever.
const Filter* FindFilter(std::string_view name);

// The tables behind it.
std::span<const Filter> TextFilters();      // jinja_text_filters.cc
std::span<const Filter> NumberFilters();    // jinja_number_filters.cc
std::span<const Filter> SequenceFilters();  // jinja_sequence_filters.cc
std::span<const Filter> BatchFilters();     // jinja_batch_filters.cc
std::span<const Filter> SelectFilters();    // jinja_select_filters.cc

}  // namespace espalier::jinja
