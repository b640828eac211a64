// Joining forks: what their parent gets of them.
//
// Thread safety: none; one thread a program.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "frontend_lang/program/executor.h"
#include "frontend_lang/program/join_mode.h"

namespace espalier::program {

// "gather_variable", "concate_and_append".
std::optional<JoinMode> ParseJoinMode(std::string_view name);

// Waits for the forks first; the error of one that failed. For code that runs in a fiber.
lang::Fault JoinForks(Executor& executor, PromptState& parent, std::span<PromptState* const> forks,
                      JoinMode mode);

}  // namespace espalier::program
