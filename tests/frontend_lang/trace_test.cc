#include "frontend_lang/trace/trace.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "frontend_lang/trace/trace_page.h"

namespace espalier::program {
namespace {

// The data that a page carries.
nlohmann::json DataOf(const std::string& page) {
  const std::string begin = "const trace = ";
  const std::size_t at = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(at, page.find(";\n", at) - at), nullptr, false);
}

TEST(Trace, PageHoldsStatesCallsAndJoins) {
  Trace trace;
  const TraceStateId root = trace.BeginState(Trace::kNoState, "triage");
  const TraceStateId child = trace.BeginState(root, "fork 0");
  Trace::Call call;
  call.state = child;
  call.kind = "gen";
  call.name = "area";
  call.constraint = "regex a|b";
  const TraceCallId id = trace.BeginCall(call);
  trace.EndCall(id, "a", {.prompt_tokens = 10, .cached_tokens = 8, .completion_tokens = 1}, "");
  trace.AddJoin(child, root);
  const nlohmann::json data = DataOf(TracePage(trace, "triage.sgl"));
  ASSERT_TRUE(data.is_object());
  EXPECT_EQ(data["title"], "triage.sgl");
  EXPECT_EQ(data["states"][1]["parent"], 0);
  EXPECT_EQ(data["calls"][0]["cached"], 8);
  EXPECT_EQ(data["calls"][0]["text"], "a");
  EXPECT_EQ(data["joins"][0]["child"], 1);
  EXPECT_LE(data["calls"][0]["start"], data["calls"][0]["end"]);
  EXPECT_EQ(data["states"][1]["end"], data["calls"][0]["end"]);
  EXPECT_EQ(data["states"][0]["end"], data["joins"][0]["at"]);  // as long as what it joins
}

TEST(Trace, NoTextCanEndTheScript) {
  Trace trace;
  const TraceStateId state = trace.BeginState(Trace::kNoState, "</script><b>\xff");
  Trace::Call call;
  call.state = state;
  call.before = "</script>";
  trace.EndCall(trace.BeginCall(call), "<!--", {}, "");
  const std::string page = TracePage(trace, "</title>");
  const std::size_t at = page.find("const trace = ");
  const std::string script = page.substr(at, page.find("\n", at) - at);
  EXPECT_EQ(script.find('<'), std::string::npos);
  EXPECT_EQ(DataOf(page)["calls"][0]["before"], "</script>");
}

TEST(Trace, LongTextsKeepWholeCharacters) {
  Trace trace;
  const TraceStateId state = trace.BeginState(Trace::kNoState, "s");
  Trace::Call call;
  call.state = state;
  std::string text = "x";
  for (int i = 0; i < 3000; ++i) text += "é";
  const TraceCallId id = trace.BeginCall(call);
  trace.EndCall(id, text, {}, "");
  EXPECT_EQ(trace.calls()[0].text, text.substr(0, Trace::kMaxTextBytes - 1) + "…");
}

TEST(Trace, CountsWhatItHasNoRoomFor) {
  Trace trace;
  Trace::Call call;
  call.state = trace.BeginState(Trace::kNoState, "");
  for (std::size_t i = 1; i < Trace::kMaxItems; ++i) trace.BeginState(Trace::kNoState, "");
  EXPECT_EQ(trace.BeginState(Trace::kNoState, ""), Trace::kNoState);
  EXPECT_EQ(trace.BeginCall(call), Trace::kNoCall);
  trace.AddJoin(call.state, call.state);
  EXPECT_EQ(trace.num_left_out(), 3);
}

TEST(Trace, HoldsSoMuchTextAndNoMore) {
  Trace trace;
  Trace::Call call;
  call.state = trace.BeginState(Trace::kNoState, "s");
  const std::string text(Trace::kMaxTextBytes, 'x');
  std::size_t num_calls = 0;
  for (TraceCallId id = trace.BeginCall(call); id != Trace::kNoCall; id = trace.BeginCall(call)) {
    trace.EndCall(id, text, {}, text);
    ++num_calls;
  }
  EXPECT_EQ(num_calls, Trace::kMaxBytes / (2 * Trace::kMaxTextBytes) + 1);
  EXPECT_EQ(trace.num_left_out(), 1);
}

}  // namespace
}  // namespace espalier::program
