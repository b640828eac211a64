#include "runtime/local/open_backend.h"

#include <utility>

#include "runtime/local/local_backend.h"

namespace espalier {

Result<std::unique_ptr<Backend>> OpenLocalBackend(const LocalModelOptions& options) {
  ESP_ASSIGN_OR_RETURN(std::unique_ptr<LocalModel> model, LocalModel::Load(options));
  return std::unique_ptr<Backend>(std::make_unique<LocalBackend>(std::move(model)));
}

}  // namespace espalier
