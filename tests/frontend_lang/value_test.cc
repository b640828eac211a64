// The shared values against CPython (tests/conformance/values.py), and their own
// promises: memory comes back, deep nests and cycles are freed, limits hold.
#include "frontend_lang/script/values/value.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/json_values.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/format_spec.h"
#include "frontend_lang/script/values/text/percent_format.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::lang {
namespace {

using Json = nlohmann::ordered_json;

const std::map<std::string, BinaryOp> kBinary = {
    {"+", BinaryOp::kAdd},  {"-", BinaryOp::kSub},        {"*", BinaryOp::kMul},
    {"/", BinaryOp::kDiv},  {"//", BinaryOp::kFloorDiv},  {"%", BinaryOp::kMod},
    {"**", BinaryOp::kPow}, {"<<", BinaryOp::kLeftShift}, {">>", BinaryOp::kRightShift},
    {"&", BinaryOp::kAnd},  {"|", BinaryOp::kOr},         {"^", BinaryOp::kXor}};
const std::map<std::string, CompareOp> kCompare = {{"<", CompareOp::kLt},  {"<=", CompareOp::kLe},
                                                   {">", CompareOp::kGt},  {">=", CompareOp::kGe},
                                                   {"==", CompareOp::kEq}, {"!=", CompareOp::kNe}};

Outcome<Value> Compute(Host& host, const std::string& op, const Value& self,
                       const std::vector<Value>& args) {
  if (op.starts_with("method ")) return CallAttr(host, self, op.substr(7), {.positional = args});
  if (op == "format") {
    ESP_TRY_ASSIGN(std::string text, Format(host, self, TextOf(args[0])));
    return MakeStr(host.heap(), std::move(text));
  }
  if (op == "%") {
    const Value tuple = host.heap().New<Tuple>(args);
    return PercentFormat(host, self, tuple);
  }
  const std::string symbol = op.substr(7);
  if (kCompare.contains(symbol)) return CompareValue(host, kCompare.at(symbol), self, args[0]);
  return Binary(host, kBinary.at(symbol), self, args[0]);
}

TEST(Value, OperationsGiveWhatCPythonGives) {
  std::ifstream file(std::filesystem::path(__FILE__).parent_path() / "golden" / "values.jsonl");
  ASSERT_TRUE(file) << "the golden file is missing";
  int num_cases = 0;
  for (std::string line; std::getline(file, line); ++num_cases) {
    const Json json = Json::parse(line);
    Host host({});
    Outcome<Value> self = FromJson(host, json["self"]);
    std::vector<Value> args;
    for (const Json& arg : json["args"]) args.push_back(FromJson(host, arg).value());
    Outcome<Value> result = Compute(host, json["op"], *self, args);
    if (json.contains("result")) {
      EXPECT_TRUE(result.ok()) << line << "\n" << (result.ok() ? "" : result.error().message);
      if (!result.ok()) continue;
      EXPECT_EQ(Repr(host, *result).value(), json["result"].get<std::string>()) << line;
    } else {
      EXPECT_FALSE(result.ok()) << line;
      if (result.ok()) continue;
      EXPECT_EQ(result.error().type, json["error"][0].get<std::string>()) << line;
      EXPECT_EQ(result.error().message, json["error"][1].get<std::string>()) << line;
    }
  }
  EXPECT_GT(num_cases, 1000);
}

TEST(Value, ADeepNestIsReleasedWithoutDeepStack) {
  Host host({});
  Value nest;
  for (int i = 0; i < 1'000'000; ++i) nest = host.heap().New<List>(std::vector<Value>{nest});
  nest = Value();
  EXPECT_LT(host.heap().live_bytes(), 1000);
}

// Counts its end.
class Witness final : public Extension {
 public:
  Witness(Heap& heap, int& num_freed) : Extension(heap, Type::kExtension), num_freed_(num_freed) {}
  ~Witness() override { ++num_freed_; }
  std::string_view TypeName() const override { return "Witness"; }

 private:
  int& num_freed_;
};

TEST(Value, ACycleIsFreedWithItsHeap) {
  int num_freed = 0;
  {
    Host host({});
    const Value list = host.heap().New<List>();
    const Value dict = host.heap().New<Dict>();
    list.As<List>()->Append(dict);
    list.As<List>()->Append(host.heap().New<Witness>(num_freed));
    dict.As<Dict>()->PutStr("list", list);
    EXPECT_EQ(Repr(host, list).value(), "[{'list': [...]}, <Witness object>]");
    EXPECT_EQ(num_freed, 0);
  }
  EXPECT_EQ(num_freed, 1);
}

TEST(Value, HugeRepeatsAreRefusedBeforeTheyAllocate) {
  Host host({.max_bytes = 1 << 20});
  const Value text = MakeStr(host.heap(), std::string_view("abc"));
  const Outcome<Value> huge = Binary(host, BinaryOp::kMul, text, Value::Int(1LL << 60));
  ASSERT_FALSE(huge.ok());
  EXPECT_EQ(huge.error().kind, LangError::Kind::kLimit);
}

// A dict against a vector of pairs searched from the front.
TEST(Value, ADictKeepsOrderAndKeysUnderRandomUse) {
  Host host({});
  const Value held = host.heap().New<Dict>();
  Dict& dict = *held.As<Dict>();
  std::vector<std::pair<std::int64_t, std::int64_t>> model;
  std::uint32_t random = 1;
  for (int i = 0; i < 20'000; ++i) {
    random = random * 1664525 + 1013904223;
    const std::int64_t key = (random >> 8) % 97;
    const auto at = std::ranges::find(model, key, &std::pair<std::int64_t, std::int64_t>::first);
    if ((random >> 20) % 3 == 0) {
      EXPECT_EQ(dict.Erase(host, Value::Int(key)).value(), at != model.end());
      if (at != model.end()) model.erase(at);
    } else {
      ASSERT_TRUE(dict.Put(host, Value::Float(static_cast<double>(key)), Value::Int(i)).ok());
      if (at != model.end())
        at->second = i;
      else
        model.emplace_back(key, i);
    }
    ASSERT_EQ(dict.size(), static_cast<std::int64_t>(model.size()));
  }
  std::size_t next = 0;
  for (std::size_t at = 0; const auto* entry = dict.EntryAt(at); ++at, ++next) {
    EXPECT_EQ(entry->key.as_float(), static_cast<double>(model[next].first));
    EXPECT_EQ(entry->value.as_int(), model[next].second);
  }
  EXPECT_EQ(next, model.size());
}

}  // namespace
}  // namespace espalier::lang
