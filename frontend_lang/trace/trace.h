// Trace: what the states of a program did, when, and at what cost. The executor writes
// it as it goes; trace_page.h makes a page of it.
//
// Times are microseconds since the trace was made. Texts longer than kMaxTextBytes keep
// their beginning; a trace that holds kMaxItems items, or texts of kMaxBytes, counts further
// items and keeps none.
//
// Thread safety: none; one thread a program.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/backend.h"

namespace espalier::program {

enum class TraceStateId : int {};
enum class TraceCallId : int {};

class Trace {
 public:
  static constexpr std::size_t kMaxTextBytes = 2000;
  static constexpr std::size_t kMaxItems = 200'000;
  static constexpr std::size_t kMaxBytes = std::size_t{128} << 20;
  static constexpr TraceStateId kNoState{-1};
  static constexpr TraceCallId kNoCall{-1};

  struct State {
    TraceStateId parent = kNoState;  // the state it was forked from
    std::int64_t start_us = 0;
    std::string name;  // of the function, or of the fork
  };

  struct Call {  // to the model
    TraceStateId state = kNoState;
    std::string kind;        // "gen" or "select"
    std::string name;        // of the variable, or ""
    std::string constraint;  // "regex ...", "json_schema ...", or ""
    std::string before;      // what the program has appended since the last call
    std::string text;        // what came
    std::string error;       // or ""
    std::int64_t start_us = 0;
    std::int64_t end_us = -1;  // -1: has not ended
    CallUsage usage;
  };

  struct Join {
    TraceStateId child = kNoState, parent = kNoState;
    std::int64_t at_us = 0;
  };

  TraceStateId BeginState(TraceStateId parent, std::string_view name);
  TraceCallId BeginCall(Call call);  // its times are set here
  void EndCall(TraceCallId call, std::string_view text, const CallUsage& usage,
               std::string_view error);
  void AddJoin(TraceStateId child, TraceStateId parent);

  const std::vector<State>& states() const { return states_; }
  const std::vector<Call>& calls() const { return calls_; }
  const std::vector<Join>& joins() const { return joins_; }
  std::int64_t num_left_out() const { return num_left_out_; }
  std::int64_t now_us() const;

 private:
  bool Full();
  std::string Keep(std::string_view text);

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<State> states_;
  std::vector<Call> calls_;
  std::vector<Join> joins_;
  std::size_t num_bytes_ = 0;  // of the texts kept
  std::int64_t num_left_out_ = 0;
};

}  // namespace espalier::program
