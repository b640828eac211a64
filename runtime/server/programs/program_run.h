// ProgramRun: one call of a served program, from its request to its answer.
//
// The program runs on the program thread; what it tells and gives comes to the io thread in
// pieces, by Service::Post.
//
// Thread safety: StartProgramRun: io thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <nlohmann/json.hpp>

#include "frontend_lang/program/served_program.h"
#include "runtime/server/http_exchange.h"
#include "runtime/server/programs/program_thread.h"
#include "runtime/server/service.h"

namespace espalier {

// What a run may use.
struct ProgramLimits {
  std::int64_t max_steps = 100'000'000;
  std::int64_t timeout_ms = 60'000;
  std::int64_t max_tokens = 65'536;  // generated
  std::int64_t max_memory_mib = 512;
  int max_depth = 1000;
  int max_runs = 64;  // of one program, at a time
};

// The options of a run at `seat`, with a backend on `model` beside the server's other work.
program::RunOptions RunOptionsAt(ProgramSeat& seat, LocalModel& model, const ProgramLimits& limits);

struct ProgramCallAsked {
  std::shared_ptr<const program::ServedProgram> program;
  nlohmann::ordered_json arguments;
  bool stream = false;
  ProgramLimits limits;
  std::function<void()> on_done;  // once
};

void StartProgramRun(Service& service, ProgramThread& thread,
                     std::shared_ptr<HttpExchange> exchange, ProgramCallAsked asked);

}  // namespace espalier
