// Tokens in GBNF and Lark: references stand for just what they name, in masks as in Accept.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/matcher.h"

namespace espalier {
namespace {

constexpr TokenId kEnd = 256, kThink = 257, kCall = 258, kPython = 259;

std::shared_ptr<const Vocabulary> MakeVocabulary() {
  std::vector<std::string> bytes;
  for (int b = 0; b < 256; ++b) bytes.emplace_back(1, static_cast<char>(b));
  bytes.insert(bytes.end(), {"", "</think>", "", ""});
  return std::make_shared<const Vocabulary>(
      std::move(bytes), std::vector<TokenId>{kEnd},
      std::vector<NamedToken>{{kEnd, "<|eot|>"}, {kCall, "<call>"}, {kPython, "<|python_tag|>"}});
}

// A text, or one token.
struct Piece {
  Piece(const char* bytes) {  // NOLINT
    for (const char byte : std::string_view(bytes)) {
      tokens.push_back(static_cast<std::uint8_t>(byte));
    }
  }
  Piece(TokenId token) : tokens{token} {}  // NOLINT

  std::vector<TokenId> tokens;
};

class TokenReferences : public testing::Test {
 protected:
  Result<std::shared_ptr<const CompiledGrammar>> Compile(const std::string& grammar) {
    ConstraintSpec spec;
    spec.kind = ConstraintKind::kEbnf;
    spec.text = grammar;
    return CompileGrammar(spec, vocabulary_);
  }
  bool Takes(const std::string& grammar, const std::vector<Piece>& output) {
    const auto compiled = Compile(grammar);
    EXPECT_TRUE(compiled.ok()) << grammar << "\n" << compiled.status().message();
    if (!compiled.ok()) return false;
    GrammarMatcher matcher(*compiled);
    for (const Piece& piece : output) {
      for (const TokenId token : piece.tokens) {
        TokenMask mask(vocabulary_->size());
        EXPECT_TRUE(matcher.FillMask(mask).ok());
        const bool taken = matcher.Accept(token);
        EXPECT_EQ(taken, mask.Allows(token)) << grammar << " " << token;
        if (!taken) return false;
      }
    }
    return matcher.done();
  }
  std::string Error(const std::string& grammar) {
    const auto compiled = Compile(grammar);
    return compiled.ok() ? "" : compiled.status().message();
  }

  const std::shared_ptr<const Vocabulary> vocabulary_ = MakeVocabulary();
};

TEST_F(TokenReferences, OfGbnfAreTokens) {
  EXPECT_TRUE(Takes("root ::= <call> [a-z]+", {kCall, "ab"}));
  EXPECT_FALSE(Takes("root ::= <call> [a-z]+", {"<call>ab"}));
  EXPECT_TRUE(Takes("root ::= \"a\" <[258]>{2}", {"a", kCall, kCall}));
  EXPECT_FALSE(Takes("root ::= \"a\" <[258]>{2}", {"a", kCall, kPython}));
  EXPECT_TRUE(Takes("root ::= <[257-259]>+ ", {kCall, "</thi", "nk>", kPython, kThink}));
  EXPECT_TRUE(Takes("root ::= <[258,259]>* \"b\"", {kPython, kCall, "b"}));
  EXPECT_FALSE(Takes("root ::= \"<call>\"", {kCall}));
}

TEST_F(TokenReferences, OtherTokensAreTextAndTokensWithoutThem) {
  const std::string thought = "root ::= !</think>* </think> \"x\"";
  EXPECT_TRUE(Takes(thought, {"so</think", kCall, kThink, "x"}));
  EXPECT_TRUE(Takes(thought, {"</think>x"}));
  EXPECT_FALSE(Takes(thought, {"a", kThink, "b", kThink, "x"}));
  const std::string some = "root ::= !<[258]>+";
  EXPECT_TRUE(Takes(some, {"a<call>", kPython}));
  EXPECT_FALSE(Takes(some, {}));
  EXPECT_FALSE(Takes(some, {"a", kCall}));
}

TEST_F(TokenReferences, OfLarkStandInRules) {
  const std::string call =
      "start: TEXT | <|python_tag|> NAME \"!\"\nTEXT: /[^{]+/\n"
      "NAME: /[a-z]+/\n%ignore \" \"";
  EXPECT_TRUE(Takes(call, {kPython, " run ! "}));
  EXPECT_TRUE(Takes(call, {"<|python_tag|>"}));
  EXPECT_FALSE(Takes(call, {kPython, "{"}));
  EXPECT_TRUE(Takes("start: <[^258]>* <[258]>", {"a", kPython, kCall}));
  EXPECT_TRUE(Takes("start: <[*]>+", {"a", kPython, kCall}));
  const std::string json = "start: <[259]> body\nbody: %json {\"enum\": [\"}\\\"{\", 7]} \";\"";
  EXPECT_TRUE(Takes(json, {kPython, "7;"}));
  EXPECT_TRUE(Takes(json, {kPython, "\"}\\\"{\";"}));
  EXPECT_FALSE(Takes(json, {kPython, "8"}));
}

TEST_F(TokenReferences, ErrorsNameThePlace) {
  EXPECT_EQ(Error("root ::= \"a\" <nope>"),
            "line 1, column 14: this is no token of this vocabulary that may stand in an output; "
            "one that ends outputs is left out, since an output may end where the grammar does\n"
            "  root ::= \"a\" <nope>\n"
            "               ^");
  for (const char* reference :
       {"<|eot|>", "<[256]>", "<[999]>", "<[3-1]>", "<[a]>", "<[1", "<call", "!<[*]>*", "!<[^1]>*",
        "!<call>", "!<call>{2}", "<[0-5000]>", "<[200]>"}) {
    EXPECT_NE(Error(std::string("root ::= \"a\" ") + reference), "") << reference;
  }
  EXPECT_NE(Error("start: A\nA: <call>").find("tokens stand in rules"), std::string::npos);
  EXPECT_NE(Error("start: %json [1]").find("a schema, {...}, is expected"), std::string::npos);
  EXPECT_NE(Error("start: %json {\"type\": \"x\"}").find("/type: no such type"), std::string::npos);
}

}  // namespace
}  // namespace espalier
