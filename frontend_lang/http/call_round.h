// CallRound: calls that a program has started and that have not gone to the server yet.
//
// What all their prompts begin with is the constant part of the program. Where that is long
// it is worth a request of its own before them: then the server computes it once, and not
// for each of the calls that it takes up at the same time.
//
// Thread safety: none; one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "frontend_lang/backend.h"

namespace espalier {

class CallRound {
 public:
  // As for SGLang's own client, a beginning up to this is not worth a request.
  static constexpr std::size_t kShortBytes = 64;

  // `send` sends the call, once.
  void Add(CallId call, std::string prompt, std::function<void()> send);
  // False if the call is not of this round, or was sent.
  bool Remove(CallId call);
  bool empty() const { return calls_.empty(); }

  // What all prompts begin with, in whole characters; "" if there is one call, or it is short.
  std::string SharedText() const;

  // Sends all, in the order that they came.
  void Send();

 private:
  struct Call {
    CallId id;
    std::string prompt;
    std::function<void()> send;
  };
  std::vector<Call> calls_;
};

}  // namespace espalier
