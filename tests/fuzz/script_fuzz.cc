// Any bytes are a program, or are refused: no crash, no hang, no unbounded memory.
#include <cstdint>
#include <string>

#include "frontend_lang/program/runner.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto program = espalier::program::LoadProgram(
      "fuzz.sgl", std::string(reinterpret_cast<const char*>(data), size));
  if (!program.ok()) return 0;
  espalier::program::RunOptions options;
  options.limits = {
      .max_steps = 20'000, .timeout_ms = 2'000, .max_memory_mib = 64, .max_depth = 100};
  options.print = [](std::string_view) { return espalier::Status(); };
  espalier::program::RunProgram(program.value(), options, {});
  return 0;
}
