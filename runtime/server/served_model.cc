#include "runtime/server/served_model.h"

#include <chrono>
#include <utility>

#include "runtime/local/tokens_left.h"

namespace espalier {

ServedModel::ServedModel(const LocalModel& model, LineDefaults defaults, ServedOptions options)
    : model_(model),
      defaults_(std::move(defaults)),
      options_(std::move(options)),
      start_time_s_(std::chrono::duration_cast<std::chrono::seconds>(
                        std::chrono::system_clock::now().time_since_epoch())
                        .count()) {
  defaults_.longest_token_bytes = LongestTokenBytes(*model.tokenizer().vocabulary());
  defaults_.context_length = model.context_length();
  if (options_.name.empty()) options_.name = model.name();
}

std::int32_t ServedModel::TokensLeft(std::size_t num_prompt) const {
  return espalier::TokensLeft(model_, num_prompt);
}

}  // namespace espalier
