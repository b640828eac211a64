// What was generated, as SGLang's /generate answers.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "runtime/api/request_run.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

struct SglangOptions {
  std::string id;  // meta_info.id
  bool return_logprob = false;
  bool text_in_logprobs = false;
  bool prompt_logprobs = true;  // with return_logprob: those of the prompt too
  double e2e_latency_s = 0;
};

// {"text", "output_ids", "meta_info"} of one choice, so far or whole.
nlohmann::ordered_json SglangAnswer(const RequestRun& run, std::size_t choice,
                                    const SglangOptions& options, const Tokenizer& tokenizer);

}  // namespace espalier
