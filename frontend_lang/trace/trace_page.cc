#include "frontend_lang/trace/trace_page.h"

#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "frontend_lang/trace/page_template.h"

namespace espalier::program {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t EndOf(std::int64_t end_us, std::int64_t now_us) {
  return end_us < 0 ? now_us : end_us;
}

// A state lasts as long as its calls, its joins and its forks do.
std::vector<std::int64_t> StateEnds(const Trace& trace, std::int64_t now_us) {
  std::vector<std::int64_t> ends;
  for (const Trace::State& state : trace.states()) ends.push_back(state.start_us);
  const auto lasts = [&ends](TraceStateId state, std::int64_t end_us) {
    std::int64_t& end = ends[static_cast<std::size_t>(state)];
    end = std::max(end, end_us);
  };
  for (const Trace::Call& call : trace.calls()) lasts(call.state, EndOf(call.end_us, now_us));
  for (const Trace::Join& join : trace.joins()) lasts(join.parent, join.at_us);
  for (std::size_t i = ends.size(); i-- > 0;) {  // forks come after what they were forked from
    const TraceStateId parent = trace.states()[i].parent;
    if (parent != Trace::kNoState) lasts(parent, ends[i]);
  }
  return ends;
}

Json StatesJson(const Trace& trace, std::int64_t now_us) {
  const std::vector<std::int64_t> ends = StateEnds(trace, now_us);
  Json list = Json::array();
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const Trace::State& state = trace.states()[i];
    list.push_back({{"parent", static_cast<int>(state.parent)},
                    {"name", state.name},
                    {"start", state.start_us},
                    {"end", ends[i]}});
  }
  return list;
}

Json CallsJson(const Trace& trace, std::int64_t now_us) {
  Json list = Json::array();
  for (const Trace::Call& call : trace.calls()) {
    list.push_back({{"state", static_cast<int>(call.state)},
                    {"kind", call.kind},
                    {"name", call.name},
                    {"constraint", call.constraint},
                    {"before", call.before},
                    {"text", call.text},
                    {"error", call.error},
                    {"start", call.start_us},
                    {"end", EndOf(call.end_us, now_us)},
                    {"prompt", call.usage.prompt_tokens},
                    {"cached", call.usage.cached_tokens},
                    {"completion", call.usage.completion_tokens},
                    {"forced", call.usage.forced_tokens}});
  }
  return list;
}

Json JoinsJson(const Trace& trace) {
  Json list = Json::array();
  for (const Trace::Join& join : trace.joins()) {
    list.push_back({{"child", static_cast<int>(join.child)},
                    {"parent", static_cast<int>(join.parent)},
                    {"at", join.at_us}});
  }
  return list;
}

// Inside a script element nothing may look like the element's end.
std::string ForScript(const Json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string TracePage(const Trace& trace, std::string_view title) {
  const std::int64_t now_us = trace.now_us();
  const Json data = {{"title", title},
                     {"left_out", trace.num_left_out()},
                     {"end", now_us},
                     {"states", StatesJson(trace, now_us)},
                     {"calls", CallsJson(trace, now_us)},
                     {"joins", JoinsJson(trace)}};
  std::string page(kPageTemplate);
  const std::size_t at = page.find(kDataMark);
  page.replace(at, kDataMark.size(), ForScript(data));
  return page;
}

}  // namespace espalier::program
