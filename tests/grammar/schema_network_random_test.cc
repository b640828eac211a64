// Random schemas over few names and values: the network takes exactly the instances that a
// plain validator takes, every walk through it can be completed, and what comes out is valid.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "grammar/schema/schema_network.h"
#include "tests/grammar/network_reader.h"
#include "tests/support/schema_oracle.h"

namespace espalier {
namespace {

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::size_t Below(std::size_t n) { return random_() % n; }

  std::string Schema(int depth) {
    if (Below(12) == 0) return Pick({"true", "false"});
    std::string text;
    const std::size_t num_keywords = 1 + Below(3);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < num_keywords; ++i) {
      const std::string keyword = Keyword(Below(depth > 0 ? kNumKeywords : kNumPlain), depth - 1);
      const std::string name = keyword.substr(0, keyword.find(':'));
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      names.push_back(name);
      text += (text.empty() ? "" : ",") + keyword;
    }
    return "{" + text + "}";
  }

  std::string Value(int depth) {
    const std::size_t kind = Below(depth > 0 ? 8 : 4);
    if (kind < 4) return Scalar();
    std::string text;
    const std::size_t size = Below(4);
    if (kind < 6) {
      for (std::size_t i = 0; i < size; ++i) text += (i == 0 ? "" : ",") + Value(depth - 1);
      return "[" + text + "]";
    }
    std::vector<std::string> names = {"a", "b", "ab", "c"};
    std::shuffle(names.begin(), names.end(), random_);
    for (std::size_t i = 0; i < size; ++i) {
      text += (i == 0 ? "\"" : ",\"") + names[i] + "\":" + Value(depth - 1);
    }
    return "{" + text + "}";
  }

 private:
  static constexpr std::size_t kNumPlain = 18, kNumKeywords = 40;

  std::string Pick(std::vector<std::string> texts) { return texts[Below(texts.size())]; }
  std::string Scalar() {
    return Pick(
        {"null", "true", "false", "0", "1", "2", "3", "1.5", "\"\"", "\"a\"", "\"ab\"", "\"b\""});
  }
  std::string Type() {
    return Pick({"\"null\"", "\"boolean\"", "\"number\"", "\"integer\"", "\"string\"", "\"array\"",
                 "\"object\""});
  }
  std::string Name() { return Pick({"\"a\"", "\"b\"", "\"c\"", "\"ab\""}); }
  std::string Count() { return Pick({"0", "1", "2", "3"}); }
  std::string Schemas(int depth) {
    std::string text = Schema(depth);
    for (std::size_t i = Below(3); i > 0; --i) text += "," + Schema(depth);
    return "[" + text + "]";
  }

  std::string Keyword(std::size_t i, int depth) {
    if (i < kNumPlain) return Plain(i);
    if (i < 28) return Applicator(i - kNumPlain, depth);
    return OfParts(i - 28, depth);
  }

  std::string Plain(std::size_t i) {
    switch (i) {
      case 0:
      case 1: return "\"type\":" + Type();
      case 2: return "\"type\":[\"array\"," + Pick({"\"object\"", "\"string\""}) + "]";
      case 3: return "\"enum\":[" + Value(1) + "," + Value(2) + ",\"q\"]";
      case 4: return "\"const\":" + Value(2);
      case 5: return "\"minimum\":" + Count();
      case 6: return "\"maximum\":" + Count();
      case 7: return "\"multipleOf\":" + Pick({"1", "2", "0.5"});
      case 8: return "\"minLength\":" + Count();
      case 9: return "\"maxLength\":" + Count();
      case 10: return "\"pattern\":" + Pick({"\"^a\"", "\"b\"", "\"^(a|ab)?$\""});
      case 11:
      case 12: return "\"required\":[" + Name() + "]";
      case 13: return "\"minProperties\":" + Count();
      case 14: return "\"maxProperties\":" + Count();
      case 15: return "\"maxItems\":" + Count();
      case 16: return "\"minItems\":" + Count();
      default: return "\"uniqueItems\":true";
    }
  }

  std::string Applicator(std::size_t i, int depth) {
    switch (i) {
      case 0: return "\"allOf\":" + Schemas(depth);
      case 1:
      case 2: return "\"anyOf\":" + Schemas(depth);
      case 3:
      case 4: return "\"oneOf\":" + Schemas(depth);
      case 5:
      case 6: return "\"not\":" + Schema(depth);
      case 7: return "\"if\":" + Schema(depth) + ",\"then\":" + Schema(depth);
      case 8: return "\"if\":" + Schema(depth) + ",\"else\":" + Schema(depth);
      default: return "\"dependentSchemas\":{" + Name() + ":" + Schema(depth) + "}";
    }
  }

  std::string OfParts(std::size_t i, int depth) {
    switch (i) {
      case 0:
      case 1: return "\"properties\":{\"a\":" + Schema(depth) + ",\"b\":" + Schema(depth) + "}";
      case 2:
        return "\"patternProperties\":{\"^a\":" + Schema(depth) +
               (Below(2) == 0 ? "" : ",\"b\":" + Schema(depth)) + "}";
      case 3: return "\"additionalProperties\":" + Schema(depth);
      case 4: return "\"propertyNames\":" + Schema(0);
      case 5: return "\"dependentRequired\":{" + Name() + ":[" + Name() + "]}";
      case 6: return "\"items\":" + Schema(depth);
      case 7: return "\"prefixItems\":" + Schemas(depth);
      case 8: return "\"contains\":" + Schema(depth) + ",\"maxContains\":" + Count();
      case 9: return "\"contains\":" + Schema(depth) + ",\"minContains\":" + Count();
      case 10: return "\"properties\":{\"a\":{\"$ref\":\"#\"}}";
      case 11: return "\"unevaluatedProperties\":" + Schema(depth);
      default: return "\"unevaluatedItems\":" + Schema(depth);
    }
  }

  std::mt19937 random_;
};

struct Compiled {
  explicit Compiled(const std::string& schema, PropertyOrder order,
                    JsonForms forms = JsonForms::kAny, std::size_t split_steps = 512)
      : document(*SchemaDocument::Parse(schema, {})) {
    result = MakeSchemaNetwork(
        document, {JsonWhitespace::kCompact, order, FormatUse::kAnnotate, forms, split_steps}, set,
        fuel);
  }
  bool IsUnsatisfiable() const {
    return result.network == nullptr &&
           result.problems.front().message == "no value satisfies the schema";
  }

  Fuel fuel{20'000'000};
  RegexSet set{fuel};
  const SchemaDocument document;
  SchemaNetworkResult result;
};

bool IsValid(const SchemaDocument& document, const std::string& text) {
  const Result<Json> value = ParseJson(text, 64);
  return value.ok() && test::SchemaOracle(document).Accepts(*value);
}

TEST(SchemaNetworkRandom, TakesTheInstancesThatAValidatorTakes) {
  int num_networks = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Generator generator(seed);
    const std::string schema = generator.Schema(3);
    // Conditions of one half of them become clauses wherever they can.
    Compiled compiled(schema, PropertyOrder::kAny, JsonForms::kAny, seed % 2 == 0 ? 512 : 0);
    const bool is_network = compiled.result.network != nullptr;
    if (!is_network && !compiled.IsUnsatisfiable()) continue;
    ++num_networks;
    for (int i = 0; i < 12; ++i) {
      const std::string text = generator.Value(3);
      compiled.fuel.Refill(20'000'000);
      const bool accepted =
          is_network && test::NetworkReader(*compiled.result.network, compiled.set).Accepts(text);
      ASSERT_EQ(accepted, IsValid(compiled.document, text)) << "seed " << seed << "\n"
                                                            << schema << "\n"
                                                            << text;
    }
  }
  EXPECT_GE(num_networks, 2600);  // the others ask for uniqueItems to fail
}

// Some steps at random, and then the shortest way out.
void WalkAndCheck(Compiled& compiled, Generator& generator, const std::string& where) {
  test::NetworkReader reader(*compiled.result.network, compiled.set);
  const std::size_t num_random = generator.Below(40);
  for (std::size_t i = 0; i < 600; ++i) {
    if (reader.is_complete() && i >= num_random) break;
    const std::vector<std::uint8_t> bytes = reader.NextBytes();
    if (bytes.empty()) break;
    const std::uint8_t byte =
        i < num_random ? bytes[generator.Below(bytes.size())] : reader.ShortestByte();
    ASSERT_TRUE(reader.Read(byte)) << where << "\ndead end: " << reader.text();
  }
  ASSERT_TRUE(reader.is_complete()) << where << "\nno end: " << reader.text();
  ASSERT_TRUE(IsValid(compiled.document, reader.text())) << where << "\n" << reader.text();
}

TEST(SchemaNetworkRandom, EveryWalkEndsInAValidText) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Generator generator(seed);
    const std::string schema = generator.Schema(3);
    const PropertyOrder order = seed % 2 == 0 ? PropertyOrder::kAny : PropertyOrder::kSchema;
    Compiled compiled(schema, order, seed % 4 < 2 ? JsonForms::kAny : JsonForms::kPlain,
                      seed % 8 < 4 ? 512 : 0);
    if (compiled.result.network == nullptr) {
      ASSERT_EQ(Compiled(schema, order).result.network, nullptr) << schema;
      continue;
    }
    for (int i = 0; i < 6; ++i) {
      compiled.fuel.Refill(20'000'000);
      ASSERT_NO_FATAL_FAILURE(
          WalkAndCheck(compiled, generator, "seed " + std::to_string(seed) + "\n" + schema));
    }
  }
}

}  // namespace
}  // namespace espalier
