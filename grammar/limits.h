// How much a constraint may ask for. Each limit is named in the error that it causes.
#pragma once

#include <cstddef>

namespace espalier {

struct GrammarLimits {
  std::size_t max_choices = 65'536;
  std::size_t max_choice_bytes = std::size_t{1} << 20;  // of all choices together
};

}  // namespace espalier
