// Device and instruction set by name: the one list of both.
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <array>
#include <cstddef>
#include <string>

#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/ops.h"
#include "kernels/kernels.h"

namespace espalier {
namespace {

struct Isa {
  std::string_view name;
  bool (*is_on_this_machine)();
  const CpuOps& (*ops)();
};

#if defined(__x86_64__)
// The builtin reads cpuid and asks whether the system saves the registers. F16C, which it
// does not know in every compiler, came before AVX2 and is asked for by its bit.
bool HasAvx2() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  const bool has_f16c = __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
  return has_f16c && __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

bool HasAvx512Vnni() {
  return HasAvx2() && __builtin_cpu_supports("avx512f") != 0 &&
         __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
         __builtin_cpu_supports("avx512vnni") != 0;
}
#endif

// Slowest first.
constexpr Isa kIsas[] = {
    {"scalar", [] { return true; }, ScalarOps},
#if defined(__x86_64__)
    {"avx2", HasAvx2, Avx2Ops},
    {"avx512vnni", HasAvx512Vnni, Avx512VnniOps},
#endif
};

struct IsaNames {
  std::array<std::string_view, std::size(kIsas)> names;
  std::size_t count = 0;
};

IsaNames FindIsas() {
  IsaNames found;
  for (const Isa& isa : kIsas) {
    if (isa.is_on_this_machine()) found.names[found.count++] = isa.name;
  }
  return found;
}

std::string JoinedIsas() {
  std::string text;
  for (const std::string_view name : AvailableIsas()) {
    text += (text.empty() ? "" : ", ") + std::string(name);
  }
  return text;
}

}  // namespace

std::span<const std::string_view> AvailableIsas() {
  static const IsaNames kFound = FindIsas();
  return std::span(kFound.names).first(kFound.count);
}

Result<std::unique_ptr<Kernels>> MakeKernels(const KernelsOptions& options, ThreadPool& pool) {
  if (options.device != "cpu") {
    return Status(Code::kUnsupported,
                  "device '" + options.device + "' is not built in; this build has: cpu");
  }
  const std::string_view wanted =
      options.isa.empty() ? AvailableIsas().back() : std::string_view(options.isa);
  for (const Isa& isa : kIsas) {
    if (isa.name == wanted && isa.is_on_this_machine()) {
      return NewCpuKernels(isa.ops(), options.precision, pool);
    }
  }
  return Status(Code::kUnsupported,
                "instruction set '" + options.isa +
                    "' is not on this machine or not built in; there are: " + JoinedIsas());
}

}  // namespace espalier
