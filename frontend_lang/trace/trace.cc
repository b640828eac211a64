#include "frontend_lang/trace/trace.h"

#include <utility>

#include "kernels/base/utf8.h"

namespace espalier::program {
namespace {

std::string Beginning(std::string_view text) {
  if (text.size() <= Trace::kMaxTextBytes) return std::string(text);
  std::size_t end = Trace::kMaxTextBytes;
  while (end > 0 && IsContinuation(text[end])) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace

std::int64_t Trace::now_us() const {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                               start_)
      .count();
}

std::string Trace::Keep(std::string_view text) {
  std::string kept = num_bytes_ < kMaxBytes ? Beginning(text) : std::string();
  num_bytes_ += kept.size();
  return kept;
}

bool Trace::Full() {
  const std::size_t num_items = states_.size() + calls_.size() + joins_.size();
  if (num_items < kMaxItems && num_bytes_ < kMaxBytes) return false;
  ++num_left_out_;
  return true;
}

TraceStateId Trace::BeginState(TraceStateId parent, std::string_view name) {
  if (Full()) return kNoState;
  states_.push_back({parent, now_us(), Keep(name)});
  return TraceStateId{static_cast<int>(states_.size()) - 1};
}

TraceCallId Trace::BeginCall(Call call) {
  if (call.state == kNoState || Full()) return kNoCall;
  call.before = Keep(call.before);
  call.constraint = Keep(call.constraint);
  call.start_us = now_us();
  call.end_us = -1;
  calls_.push_back(std::move(call));
  return TraceCallId{static_cast<int>(calls_.size()) - 1};
}

void Trace::EndCall(TraceCallId call, std::string_view text, const CallUsage& usage,
                    std::string_view error) {
  if (call == kNoCall) return;
  Call& ended = calls_[static_cast<std::size_t>(call)];
  ended.text = Keep(text);
  ended.error = Keep(error);
  ended.usage = usage;
  ended.end_us = now_us();
}

void Trace::AddJoin(TraceStateId child, TraceStateId parent) {
  if (child == kNoState || parent == kNoState || Full()) return;
  joins_.push_back({child, parent, now_us()});
}

}  // namespace espalier::program
