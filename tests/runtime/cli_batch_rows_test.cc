#include "runtime/cli/batch_rows.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

std::string Csv(std::string_view text) {
  const Result<std::vector<Json>> rows = ParseCsvRows(text);
  return rows.ok() ? Json(rows.value()).dump() : rows.status().message();
}

std::string Jsonl(std::string_view text) {
  const Result<std::vector<Json>> rows = ParseJsonRows(text);
  return rows.ok() ? Json(rows.value()).dump() : rows.status().message();
}

TEST(CliBatchRows, AValueIsJsonWhereItParsesAsJson) {
  EXPECT_EQ(ParseArgumentValue("3"), Json(3));
  EXPECT_EQ(ParseArgumentValue("[1, \"a\"]"), Json::parse("[1, \"a\"]"));
  EXPECT_EQ(ParseArgumentValue("three"), Json("three"));
  EXPECT_EQ(ParseArgumentValue(""), Json(""));
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
