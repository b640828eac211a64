#include "runtime/cli/batch_rows.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

// "[{name: value, ...}, ...]", or the error.
std::string Told(const Result<std::vector<BatchRow>>& rows) {
  if (!rows.ok()) return rows.status().message();
  Json told = Json::array();
  for (const BatchRow& row : *rows) {
    Json& object = told.emplace_back(Json::object());
    for (const auto& [name, value] : row) object[name] = Json::parse(value);
  }
  return told.dump();
}
std::string Csv(std::string_view text) { return Told(ParseCsvRows(text)); }
std::string Jsonl(std::string_view text) { return Told(ParseJsonRows(text)); }

TEST(CliBatchRows, AFieldIsJsonWhereItParsesAsJson) {
  const Result<std::vector<BatchRow>> rows =
      ParseCsvRows("n\n3\n\"[1, \"\"a\"\"]\"\nthree\nNaN\n123456789012345678901234567890\n");
  ASSERT_TRUE(rows.ok()) << rows.status().message();
  std::vector<std::string> values;
  for (const BatchRow& row : *rows) values.push_back(row[0].second);
  EXPECT_EQ(values, (std::vector<std::string>{"3", "[1, \"a\"]", "\"three\"", "\"NaN\"",
                                              "123456789012345678901234567890"}));
}

TEST(CliBatchRows, NumbersOfJsonLinesKeepTheirDigits) {
  const Result<std::vector<BatchRow>> rows =
      ParseJsonRows("{\"n\": 123456789012345678901234567890, \"x\": 1.10}");
  ASSERT_TRUE(rows.ok()) << rows.status().message();
  EXPECT_EQ((*rows)[0], (BatchRow{{"n", "123456789012345678901234567890"}, {"x", "1.10"}}));
}

TEST(CliBatchRows, CsvFieldsTakeTheNamesOfTheFirstRecord) {
  EXPECT_EQ(Csv("a,b\n1,x y\n2,\n"), R"([{"a":1,"b":"x y"},{"a":2,"b":""}])");
  EXPECT_EQ(Csv("a,b\r\n1,x\r\n"), R"([{"a":1,"b":"x"}])");
  EXPECT_EQ(Csv("\xEF\xBB\xBF"
                "a\n7"),
            R"([{"a":7}])");
  EXPECT_EQ(Csv(""), "[]");
  EXPECT_EQ(Csv("a,b\n"), "[]");
}

TEST(CliBatchRows, QuotedCsvFieldsHoldCommasQuotesAndLineEnds) {
  EXPECT_EQ(Csv("a,b\n\"x, y\",\"he said \"\"no\"\"\"\n"),
            R"([{"a":"x, y","b":"he said \"no\""}])");
  EXPECT_EQ(Csv("a,b\n\"two\nlines\",2\n"), R"([{"a":"two\nlines","b":2}])");
}

TEST(CliBatchRows, BadCsvNamesTheLine) {
  EXPECT_EQ(Csv("a,b\n1,2\n1,2,3\n"), "line 3: 3 fields for 2 columns");
  EXPECT_EQ(Csv("a,b\n\"1\n2\",2\n1\n"), "line 4: 1 fields for 2 columns");
  EXPECT_NE(Csv("a\n\"open").find("line 2"), std::string::npos);
  EXPECT_NE(Csv("a\n\"x\"y\n").find("line 2"), std::string::npos);
  EXPECT_EQ(Csv("a,a\n1,2\n"), "line 1: two columns named 'a'");
  EXPECT_EQ(Csv("a,\n1,2\n"), "line 1: a column has no name");
}

TEST(CliBatchRows, JsonLinesAreObjects) {
  EXPECT_EQ(Jsonl("{\"a\": 1}\n\n{\"b\": [2]}"), R"([{"a":1},{"b":[2]}])");
  EXPECT_EQ(Jsonl("{\"a\": 1}\n[2]\n"), "line 2: a row is an object of arguments by name");
  EXPECT_NE(Jsonl("{\"a\": 1}\n{\n").find("line 2: not JSON"), std::string::npos);
}

}  // namespace
}  // namespace espalier
