#include "runtime/server/programs/metered_backend.h"

#include <algorithm>

#include <fmt/format.h>

#include "runtime/engine/sampling_params.h"

namespace espalier {
namespace {

// Calls that are refused here are numbered apart from the backend's.
constexpr std::uint64_t kFirstRefused = std::uint64_t{1} << 63;

}  // namespace

CallId MeteredBackend::Start(GenCall call) {
  const std::int64_t n = std::max(1, call.options.n.value_or(1));
  const std::int64_t asked =
      std::max<std::int64_t>(call.options.max_tokens.value_or(SamplingParams().max_new_tokens), 0);
  const std::int64_t most = num_left() / n;
  if (most <= 0 && asked > 0) {
    CallEvent event;
    event.call = CallId{kFirstRefused + num_refused_++};
    event.done = true;
    event.status =
        Status(Code::kLimit,
               fmt::format("the run's limit of {} generated tokens is reached", max_tokens_));
    refused_.push_back(std::move(event));
    return refused_.back().call;
  }
  const std::int64_t granted = std::min(asked, most);
  call.options.max_tokens = static_cast<int>(granted);
  const CallId id = backend_->Start(std::move(call));
  promises_.emplace_back(id, granted * n);
  num_promised_ += granted * n;
  return id;
}

void MeteredBackend::Cancel(CallId call) {
  if (static_cast<std::uint64_t>(call) < kFirstRefused) backend_->Cancel(call);
}

std::vector<CallEvent> MeteredBackend::Wait(Deadline deadline) {
  if (!refused_.empty()) return std::exchange(refused_, {});
  std::vector<CallEvent> events = backend_->Wait(deadline);
  for (const CallEvent& event : events) {
    const auto promise = std::find_if(promises_.begin(), promises_.end(),
                                      [&](const auto& p) { return p.first == event.call; });
    if (!event.done || promise == promises_.end()) continue;
    num_promised_ -= promise->second;
    promises_.erase(promise);
    num_used_ += event.usage.completion_tokens;
  }
  return events;
}

// It is everybody's, and no program's to empty.
Status MeteredBackend::FlushCache(Deadline /*deadline*/) {
  return {Code::kUnsupported, "a served program cannot flush the server's cache"};
}

}  // namespace espalier
