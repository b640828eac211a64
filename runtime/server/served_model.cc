#include "runtime/server/served_model.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "grammar/vocabulary.h"
#include "runtime/local/tokens_left.h"

namespace espalier {

ServedModel::ServedModel(const LocalModel& model, LineDefaults defaults, ServedOptions options)
    : model_(model),
      defaults_(std::move(defaults)),
      options_(std::move(options)),
      start_time_s_(std::chrono::duration_cast<std::chrono::seconds>(
                        std::chrono::system_clock::now().time_since_epoch())
                        .count()) {
  const Vocabulary& vocabulary = *model.tokenizer().vocabulary();
  for (std::size_t i = 0; i < vocabulary.size(); ++i) {
    defaults_.longest_token_bytes =
        std::max(defaults_.longest_token_bytes, vocabulary.bytes(static_cast<TokenId>(i)).size());
  }
  defaults_.context_length = model.context_length();
  if (options_.name.empty()) options_.name = model.name();
}

std::int32_t ServedModel::TokensLeft(std::size_t num_prompt) const {
  return espalier::TokensLeft(model_, num_prompt);
}

}  // namespace espalier
