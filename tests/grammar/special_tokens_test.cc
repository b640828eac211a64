// Special tokens in structural tags: they stand where the constraint names them, and nowhere
// else; whatever else is said of matchers holds for them too.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/matcher.h"

namespace espalier {
namespace {

constexpr TokenId kEnd = 256, kText = 257, kCall = 258, kReply = 259, kCallName = 260,
                  kNameless = 261;

std::shared_ptr<const Vocabulary> MakeVocabulary() {
  std::vector<std::string> bytes;
  for (int b = 0; b < 256; ++b) bytes.emplace_back(1, static_cast<char>(b));
  bytes.insert(bytes.end(), {"", "<text>", "", "", "", "", "a<ca", "ll>b", "\xFF\xF8"});
  return std::make_shared<const Vocabulary>(std::move(bytes), std::vector<TokenId>{kEnd},
                                            std::vector<NamedToken>{{kEnd, "</s>"},
                                                                    {kText, "<text>"},
                                                                    {kCall, "<call>"},
                                                                    {kReply, "<reply>"},
                                                                    {kCallName, "<call>name"}});
}

ConstraintSpec Tags(const std::string& format) {
  ConstraintSpec spec;
  spec.kind = ConstraintKind::kStructuralTag;
  spec.text = R"({"type": "structural_tag", "format": )" + format + "}";
  return spec;
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

class SpecialTokens : public testing::Test {
 protected:
  GrammarMatcher Matcher(const std::string& format) {
    auto grammar = CompileGrammar(Tags(format), vocabulary_);
    EXPECT_TRUE(grammar.ok()) << grammar.status().message();
    return GrammarMatcher(*grammar);
  }
  bool Takes(const std::string& format, const std::vector<Piece>& output) {
    GrammarMatcher matcher = Matcher(format);
    for (const Piece& piece : output) {
      for (const TokenId token : piece.tokens) {
        if (!matcher.Accept(token)) return false;
      }
    }
    return matcher.done();
  }
  std::string Error(const std::string& format) {
    const auto grammar = CompileGrammar(Tags(format), vocabulary_);
    return grammar.ok() ? "" : grammar.status().message();
  }
  std::vector<TokenId> Allowed(const GrammarMatcher& matcher) {
    TokenMask mask(vocabulary_->size());
    EXPECT_TRUE(matcher.FillMask(mask).ok());
    std::vector<TokenId> tokens;
    for (TokenId t = 0; t < static_cast<TokenId>(vocabulary_->size()); ++t) {
      if (mask.Allows(t)) tokens.push_back(t);
    }
    return tokens;
  }

  const std::shared_ptr<const Vocabulary> vocabulary_ = MakeVocabulary();
};

constexpr std::string_view kCallTag =
    R"({"type": "tag", "begin": {"type": "token", "token": "<call>"},
        "content": {"type": "regex", "pattern": "a*"},
        "end": {"type": "token", "token": 259}})";

TEST_F(SpecialTokens, NeverMatchAsText) {
  for (const char* format : {R"({"type": "any_text"})", R"({"type": "regex", "pattern": "(?s).*"})",
                             R"({"type": "grammar", "grammar": "root ::= [^a]*"})"}) {
    const GrammarMatcher matcher = Matcher(format);
    for (const TokenId token : Allowed(matcher)) {
      if (token == kEnd) continue;
      EXPECT_TRUE(token < 0xF8 || token == kText || token > kNameless) << token;
      EXPECT_NE(token, 264);  // bytes of a code are no special token
    }
  }
}

TEST_F(SpecialTokens, AreFormatsOfTheirOwn) {
  EXPECT_TRUE(Takes(R"({"type": "token", "token": "<call>"})", {kCall}));
  EXPECT_FALSE(Takes(R"({"type": "token", "token": "<call>"})", {"<call>"}));
  EXPECT_FALSE(Takes(R"({"type": "token", "token": "<call>"})", {kReply}));
  EXPECT_TRUE(Takes(R"({"type": "token", "token": 258})", {kCall}));
  EXPECT_TRUE(Takes(R"({"type": "token", "token": "<text>"})", {kText}));
  EXPECT_TRUE(Takes(R"({"type": "token", "token": "<text>"})", {"<te", "xt>"}));
  const std::string tag(kCallTag);
  EXPECT_TRUE(Takes(tag, {kCall, "aa", kReply}));
  EXPECT_FALSE(Takes(tag, {kCall, "aa", kCall}));
  EXPECT_FALSE(Takes(tag, {kCall, "aa"}));
  EXPECT_FALSE(Takes(tag, {kCall, "a<reply>"}));
}

TEST_F(SpecialTokens, StandForTheirNamesInTexts) {
  const std::string tag = R"({"type": "tag", "begin": "<call> [", "end": ["]<reply>"],
                              "content": {"type": "any_text"}})";
  EXPECT_TRUE(Takes(tag, {kCall, " [ab]", kReply}));
  EXPECT_TRUE(Takes(tag, {"<call> [ab]<reply>"}));
  EXPECT_TRUE(Takes(tag, {"<call> [ab]", kReply}));
  EXPECT_FALSE(Takes(tag, {kCall, "[ab]", kReply}));
  EXPECT_FALSE(Takes(tag, {kCall, " [a", kCall, "]", kReply}));
  // The longest name.
  EXPECT_TRUE(Takes(R"({"type": "const_string", "value": "x<call>namey"})", {"x", kCallName, "y"}));
  EXPECT_FALSE(
      Takes(R"({"type": "const_string", "value": "x<call>namey"})", {"x", kCall, "namey"}));
}

TEST_F(SpecialTokens, TriggerSections) {
  const std::string format = R"({"type": "triggered_tags", "triggers": ["<call>"], "tags": [
      {"begin": "<call>a", "content": {"type": "regex", "pattern": "b*"}, "end": "<reply>"}]})";
  EXPECT_TRUE(Takes(format, {"text", kCall, "abb", kReply, "more"}));
  EXPECT_TRUE(Takes(format, {"text<call>abb<reply>more", kCall, "a", kReply}));
  EXPECT_FALSE(Takes(format, {"text", kCall, "b"}));
  EXPECT_FALSE(Takes(format, {"text<call>b"}));
  EXPECT_FALSE(Takes(format, {"text", kReply}));
}

// Free text, and sections of a call, letters a and a reply.
bool ReadsAsCalls(const std::vector<TokenId>& output) {
  bool inside = false;
  for (const TokenId token : output) {
    if (inside ? token != 'a' && token != kReply : token == kCallName) return false;
    if (token == kCall || token == kReply) inside = token == kCall;
  }
  return !inside;
}

TEST_F(SpecialTokens, AllShortOutputsAgainstAReader) {
  const std::string format = R"({"type": "token_triggered_tags", "trigger_tokens": ["<call>"],
      "exclude_tokens": [260], "tags": [)" +
                             std::string(kCallTag) + "]}";
  const GrammarMatcher start = Matcher(format);
  const TokenId letters[] = {'a', 'b', kCall, kReply, kCallName};
  for (int word = 0; word < 5 * 5 * 5 * 5 * 5; ++word) {
    std::vector<TokenId> output;
    for (int rest = word; output.size() < 5; rest /= 5) output.push_back(letters[rest % 5]);
    GrammarMatcher matcher = start.Fork();
    const bool taken = std::ranges::all_of(output, [&](TokenId t) { return matcher.Accept(t); });
    EXPECT_EQ(taken && matcher.done(), ReadsAsCalls(output)) << word;
  }
}

TEST_F(SpecialTokens, RandomWalksFindMasksAsAcceptTakes) {
  const std::string formats[] = {
      R"({"type": "sequence", "elements": [{"type": "any_tokens", "exclude_tokens": ["<reply>"]},
          {"type": "token", "token": "<reply>"}, {"type": "any_text"}]})",
      R"({"type": "token_dispatch", "rules": [["<call>", {"type": "json_schema",
          "json_schema": {"type": "boolean"}}]], "exclude_tokens": ["<reply>"]})",
      R"({"type": "tag", "begin": "<call>", "content": {"type": "any_text"}, "end": "<reply>"})",
      R"({"type": "tags_with_separator", "separator": "<text>", "at_least_one": true, "tags": [)" +
          std::string(kCallTag) + "]}"};
  std::mt19937 rng(3);
  for (const std::string& format : formats) {
    GrammarMatcher matcher = Matcher(format);
    for (int step = 0; step < 60 && !matcher.finished(); ++step) {
      const std::vector<TokenId> allowed = Allowed(matcher);
      std::vector<TokenId> taken;
      for (TokenId token = 0; token < static_cast<TokenId>(vocabulary_->size()); ++token) {
        if (!matcher.Accept(token)) continue;
        taken.push_back(token);
        matcher.Rollback(1);
      }
      ASSERT_EQ(allowed, taken) << format;
      ASSERT_FALSE(allowed.empty()) << format;
      const TokenId next = allowed[rng() % allowed.size()];
      if (next == kEnd) continue;
      ASSERT_TRUE(matcher.Accept(next));
    }
  }
}

TEST_F(SpecialTokens, ErrorsNameTheToken) {
  EXPECT_EQ(Error(R"({"type": "token", "token": "<nope>"})"),
            "/format/token is \"<nope>\", which is no token of this vocabulary that may stand in "
            "an output");
  EXPECT_EQ(Error(R"({"type": "token", "token": 999})"),
            "/format/token is 999, which is no token of this vocabulary that may stand in an "
            "output");
  for (const char* token : {"\"</s>\"", "256", "261", "255", "200", "1.5", "-1"}) {
    EXPECT_NE(Error(std::string(R"({"type": "token", "token": )") + token + "}"), "") << token;
  }
  EXPECT_NE(Error(R"({"type": "token", "token": null})").find("must be a token"),
            std::string::npos);
  EXPECT_NE(Error(R"({"type": "exclude_token"})").find("is \"exclude_token\"; supported are"),
            std::string::npos);
  EXPECT_NE(Error(R"({"type": "token_triggered_tags", "trigger_tokens": ["<reply>"], "tags": [)" +
                  std::string(kCallTag) + "]}")
                .find("begins with no trigger; add one that is the beginning of \"<call>\""),
            std::string::npos);
}

TEST(NamedTokensTest, LongestNameAndCodes) {
  std::vector<NamedToken> tokens;
  for (int i = 0; i < 400; ++i) tokens.push_back({i, "<" + std::to_string(i) + ">"});
  tokens.push_back({400, "<"});
  tokens.push_back({401, "<1"});
  tokens.push_back({402, "<1>"});  // has been
  const NamedTokens named(tokens);
  ASSERT_EQ(named.tokens().size(), 402u);
  for (std::size_t i = 0; i < named.tokens().size(); ++i) {
    const NamedToken* found = named.FirstIn(std::string(named.code(i)) + "<1>");
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->token, named.tokens()[i].token);
    EXPECT_EQ(named.CodeOf(found->name), named.code(i));
  }
  EXPECT_EQ(named.LongestNameAt("<1>x"), "<1>");
  EXPECT_EQ(named.LongestNameAt("<12x"), "<1");
  EXPECT_EQ(named.LongestNameAt("<5x"), "<");
  EXPECT_EQ(named.LongestNameAt("<399>"), "<399>");
  EXPECT_EQ(named.LongestNameAt("x<1>"), "");
  EXPECT_EQ(named.LongestNameAt(""), "");
  EXPECT_EQ(named.FirstIn("\xFF"), nullptr);
  EXPECT_EQ(named.FirstIn("<1>"), nullptr);
}

}  // namespace
}  // namespace espalier
