// StreamedAnswer: what comes of a gen that a server streams, event by event; each protocol
// has its own.
//
// Thread safety: none; one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

#include "frontend_lang/backend.h"
#include "kernels/base/status.h"

namespace espalier {

class StreamedAnswer {
 public:
  virtual ~StreamedAnswer() = default;

  // Takes an event, `size_bytes` as it was sent. Gives the new text of choice 0. kLimit
  // where more has come than was asked for, kInternal where it makes no sense.
  virtual Result<std::string> Take(nlohmann::json event, std::size_t size_bytes) = 0;

  // Whether the server has said of each choice why it ended. A stream that ends before,
  // without its mark "[DONE]", has been cut.
  virtual bool is_whole() const = 0;

  // All that came, as the call's last event; the call is for the caller to set.
  virtual CallEvent TakeAll() = 0;
};

// The most that what a server holds for the answer to this gen may take on the wire: an
// answer beyond it is not one, and what comes is kept in memory.
inline std::size_t MostAnswerBytes(std::size_t prompt_bytes, const GenOptions& options,
                                   int default_max_tokens) {
  constexpr std::size_t kMost = std::size_t{64} << 20, kFixed = std::size_t{64} << 10;
  constexpr std::size_t kPerToken = 4096;      // with twenty alternatives, spelled out
  constexpr std::size_t kPerPromptByte = 256;  // the same, of its tokens
  const auto num_tokens = static_cast<std::size_t>(options.n.value_or(1)) *
                          static_cast<std::size_t>(options.max_tokens.value_or(default_max_tokens));
  return std::min(kMost, kFixed + kPerToken * std::min(num_tokens, kMost / kPerToken) +
                             kPerPromptByte * std::min(prompt_bytes, kMost / kPerPromptByte));
}

}  // namespace espalier
