// How much memory this process may still take.
#pragma once

#include <cstdint>

namespace espalier {

// Bytes that can be had without swapping: the machine's, or what its control group
// leaves, whichever is less. A guess of 2 GiB where the system does not say.
std::int64_t FreeMemoryBytes();

}  // namespace espalier
