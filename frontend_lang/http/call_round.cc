#include "frontend_lang/http/call_round.h"

#include <algorithm>
#include <utility>

#include "kernels/base/utf8.h"

namespace espalier {

void CallRound::Add(CallId call, std::string prompt, std::function<void()> send) {
  calls_.push_back({call, std::move(prompt), std::move(send)});
}

bool CallRound::Remove(CallId call) {
  return std::erase_if(calls_, [&](const Call& other) { return other.id == call; }) > 0;
}

std::string CallRound::SharedText() const {
  if (calls_.size() < 2) return "";
  const std::string& first = calls_[0].prompt;
  std::size_t size = first.size();
  for (const Call& call : calls_) {
    const std::string& prompt = call.prompt;
    const auto end = first.begin() + static_cast<std::ptrdiff_t>(size);
    const auto differ = std::mismatch(first.begin(), end, prompt.begin(), prompt.end()).first;
    size = static_cast<std::size_t>(differ - first.begin());
  }
  while (size > 0 && size < first.size() && IsContinuation(first[size])) --size;
  return size > kShortBytes ? first.substr(0, size) : "";
}

void CallRound::Send() {
  for (const Call& call : std::exchange(calls_, {})) call.send();
}

}  // namespace espalier
