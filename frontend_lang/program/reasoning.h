// Separating a model's reasoning from its answer, by the marks that its family puts
// around the reasoning.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "kernels/base/status.h"

namespace espalier::program {

struct ReasonedText {
  std::string reasoning, answer;
};

// kUnsupported for a model type that is not known; the message names those that are.
Status CheckReasoningModel(std::string_view model_type);

// The variable beside that of the gen.
inline std::string ReasoningName(std::string_view gen) {
  return std::string(gen) + "_reasoning_content";
}

// Text without an end mark is all reasoning once that has begun: it was cut short.
// REQUIRES: CheckReasoningModel(model_type) is ok.
ReasonedText SeparateReasoning(std::string_view model_type, std::string_view text);

}  // namespace espalier::program
