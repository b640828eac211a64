// The RoleFormat of a model: its chat template, as pieces around each message.
#pragma once

#include <memory>

#include "frontend_lang/program/executor.h"

namespace espalier::program {

Result<std::unique_ptr<RoleFormat>> MakeRoleFormat(const Backend::ChatModel& model);

}  // namespace espalier::program
