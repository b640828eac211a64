#include "runtime/cli/bench/chart_page.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::span<const Json>;

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>bench programs</title>
<style>
  :root { --ink: #1d2129; --quiet: #697180; --line: #e3e6eb; --page: #fff; --bar: #9db4d8;
          --first: #2f6fde; --mark: #c2571a; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e6e8ec; --quiet: #98a0ae; --line: #343a44; --page: #16191e; --bar: #3d5274;
            --first: #6a9bf0; --mark: #f0a060; } }
  body { margin: 0 auto; max-width: 1160px; padding: 16px; color: var(--ink);
         background: var(--page); font: 14px/1.4 system-ui, sans-serif; }
  h1 { font-size: 20px; margin: 0 0 4px; }
  h2 { font-size: 16px; margin: 24px 0 4px; padding-top: 12px; border-top: 1px solid var(--line); }
  p { margin: 0 0 8px; color: var(--quiet); }
  .charts { display: flex; flex-wrap: wrap; gap: 8px 24px; }
  figure { margin: 0; flex: 1 1 340px; }
  figcaption { font-weight: 600; margin-bottom: 2px; }
  svg { width: 100%; height: auto; display: block; }
  text { font: 12px system-ui, sans-serif; fill: var(--ink); }
  rect { fill: var(--bar); }
  rect.first { fill: var(--first); }
  line { stroke: var(--mark); stroke-width: 2; }
</style>
<h1>bench programs</h1>
)";

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      default: out += c;
    }
  }
  return out;
}

struct Bar {
  std::string label, number;
  double value = 0;
};

// Horizontal bars, the longest as wide as there is room; `mark` is a value to draw a line at.
std::string Bars(std::string_view caption, std::span<const Bar> bars, double mark) {
  constexpr double kLabel = 130, kNumber = 64, kRoom = 206, kRow = 20;
  double most = mark;
  for (const Bar& bar : bars) most = std::max(most, bar.value);
  const double unit = most > 0 ? kRoom / most : 0;
  const double height = kRow * static_cast<double>(bars.size());
  std::string out = fmt::format("<figure><figcaption>{}</figcaption>\n", Escaped(caption));
  out += fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                     kLabel + kRoom + kNumber, height, Escaped(caption));
  double top = 0;
  for (const Bar& bar : bars) {
    const double width = std::max(0.0, bar.value) * unit;
    out += fmt::format("<text x=\"0\" y=\"{}\">{}</text>", top + 14, Escaped(bar.label));
    out += fmt::format("<rect{} x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"14\" rx=\"2\"/>",
                       top == 0 ? " class=\"first\"" : "", kLabel, top + 3, width);
    out += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>\n", kLabel + width + 6, top + 14,
                       Escaped(bar.number));
    top += kRow;
  }
  if (mark > 0) {
    out += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"0\" y2=\"{1}\"/>\n",
                       kLabel + mark * unit, height);
  }
  return out + "</svg></figure>\n";
}

template <typename ValueOf, typename Spell>
std::string Chart(std::string_view caption, Rows rows, double mark, ValueOf value_of, Spell spell) {
  std::vector<Bar> bars;
  for (const Json& row : rows) {
    const double value = value_of(row);
    bars.push_back({row["variant"].get<std::string>(), spell(value), value});
  }
  return Bars(caption, bars, mark);
}

std::string Section(Rows rows) {
  const Json& first = rows[0];
  const auto number = [](const char* name) {
    return [name](const Json& row) { return row[name].get<double>(); };
  };
  std::string out = fmt::format("<h2>{}</h2>\n", Escaped(first["workload"].get<std::string>()));
  out += fmt::format("<p>{} programs, {} prompt tokens, {} distinct, a cache of {}{}</p>\n",
                     first["programs"].dump(), first["prompt_tokens"].dump(),
                     first["distinct_tokens"].dump(), first["kv_cache_tokens"].dump(),
                     first.contains("simulated")
                         ? ", simulated: " + Escaped(first["simulated"].get<std::string>())
                         : "");
  out += "<div class=\"charts\">\n";
  out += Chart("Programs a second", rows, 0, number("programs_per_s"),
               [](double value) { return fmt::format("{:.3g}", value); });
  out += Chart("Prompt tokens from the cache, and the optimum", rows,
               first["optimal_hit_rate"].get<double>(), number("hit_rate"),
               [](double value) { return fmt::format("{:.1f} %", 100 * value); });
  out += Chart(
      "First token, median", rows, 0,
      [](const Json& row) { return 1e3 * row["first_token_s"]["p50"].get<double>(); },
      [](double value) { return fmt::format("{:.4g} ms", value); });
  return out + "</div>\n";
}

}  // namespace

std::string ChartPage(Rows rows) {
  std::string page(kHead);
  while (!rows.empty()) {
    const auto end = std::find_if(rows.begin(), rows.end(), [&](const Json& row) {
      return row["workload"] != rows[0]["workload"];
    });
    const auto count = static_cast<std::size_t>(end - rows.begin());
    page += Section(rows.first(count));
    rows = rows.subspan(count);
  }
  return page + "</html>\n";
}

}  // namespace espalier
