// What a figure was measured on.
#pragma once

#include <string>

namespace espalier {

// "Intel(R) Xeon(R) CPU @ 2.50GHz, 2 CPUs"
std::string MachineName();

}  // namespace espalier
