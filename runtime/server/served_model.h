// ServedModel: what is served and how it is called: all that an endpoint needs to know to make
// requests of a body.
//
// Thread safety: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/api/request_line.h"
#include "runtime/local/local_model.h"

namespace espalier {

struct ServedOptions {
  std::string name;                   // "": the model's own
  std::string path;                   // of the model, as clients are told
  std::vector<std::string> api_keys;  // empty: none is asked
  std::string allow_origin;           // of browsers' pages; "": none
  int page_size = 16;                 // as /metrics tells it
  int max_running = 64;               // sequences of one step of the engine
};

class ServedModel {
 public:
  // `model` must outlive it. Of the defaults it sets what depends on the model.
  ServedModel(const LocalModel& model, LineDefaults defaults, ServedOptions options);

  const LineDefaults& defaults() const { return defaults_; }
  const ServedOptions& options() const { return options_; }
  const std::string& name() const { return options_.name; }
  const Tokenizer& tokenizer() const { return model_.tokenizer(); }
  std::int32_t context_length() const { return model_.context_length(); }
  std::int32_t hidden_size() const { return model_.hidden_size(); }
  std::int64_t start_time_s() const { return start_time_s_; }  // of the epoch

  // As runtime/local/tokens_left.h has it.
  std::int32_t TokensLeft(std::size_t num_prompt) const;

 private:
  const LocalModel& model_;
  LineDefaults defaults_;
  ServedOptions options_;
  const std::int64_t start_time_s_;
};

}  // namespace espalier
