#include "runtime/cli/bench/chart_page.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

Json Row(const std::string& workload, const std::string& variant, double programs_per_s) {
  return {{"workload", workload},  {"variant", variant},
          {"programs", 4},         {"programs_per_s", programs_per_s},
          {"hit_rate", 0.5},       {"optimal_hit_rate", 0.75},
          {"prompt_tokens", 100},  {"distinct_tokens", 60},
          {"kv_cache_tokens", 64}, {"first_token_s", {{"p50", 0.25}}}};
}

int Count(const std::string& text, std::string_view part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(ChartPageTest, HasASectionAWorkloadAndABarAVariantInEachChart) {
  const std::vector<Json> rows = {Row("few", "espalier", 8), Row("few", "fcfs", 2),
                                  Row("rag", "espalier", 1)};
  const std::string page = ChartPage(rows);
  EXPECT_EQ(Count(page, "<h2>"), 2);
  EXPECT_EQ(Count(page, "<figure>"), 6);
  EXPECT_EQ(Count(page, "<rect"), 9);
  EXPECT_EQ(Count(page, "<line "), 2);  // the optimum, once a workload
  // Two of programs/s, and the three latencies, which are equal.
  EXPECT_EQ(Count(page, "width=\"206.0\""), 5);
  EXPECT_NE(page.find("50.0 %"), std::string::npos);
  EXPECT_NE(page.find("250 ms"), std::string::npos);
}

TEST(ChartPageTest, RunsNoScriptAndAsksForNothing) {
  const std::string page = ChartPage(std::vector<Json>{Row("<b>&", "espalier", 8)});
  for (const char* part : {"<script", "http", "src=", "@import", "url(", "<b>"}) {
    EXPECT_EQ(page.find(part), std::string::npos) << part;
  }
  EXPECT_NE(page.find("&lt;b&gt;&amp;"), std::string::npos);
  EXPECT_NE(page.find("prefers-color-scheme: dark"), std::string::npos);
}

TEST(ChartPageTest, WithoutHitsBarsAreEmptyAndNotBroken) {
  Json row = Row("few", "no-prefix-cache", 0);
  row["hit_rate"] = -2.5;
  row["optimal_hit_rate"] = 0;
  const std::string page = ChartPage(std::vector<Json>{row});
  EXPECT_EQ(page.find("width=\"-"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace espalier
