// One text, cut into tokens in many ways: all give one verdict, and the masks on the way
// allow each token of a text that is valid.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "grammar/matcher.h"

namespace espalier {
namespace {

struct Case {
  ConstraintKind kind;
  const char* constraint;
  std::vector<std::string> valid, invalid;
};

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {ConstraintKind::kJsonSchema,
       R"({"type": "object", "properties": {"name": {"type": "string", "maxLength": 60},
           "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}},
           "additionalProperties": {"type": "number", "multipleOf": 0.5}})",
       {R"({"name": "é ü 日本 😀", "tags": ["a", "ab", "a\"b"], "x": 1.5, "xy": -2})",
        R"({"name": "a long name of several words, with a / and a \\ in it"})", "{}"},
       {R"({"tags": ["a", "ab", "a"]})", R"({"x": 1, "x": 1})", R"({"x": 1.25})",
        R"({"name": "\ud83d"})"}},
      {ConstraintKind::kJsonSchema,
       R"({"type": "string", "pattern": "^(?:\\S+\\s+){0,40}\\S+$", "minLength": 3,
           "maxLength": 90})",
       {R"("one two  three")", R"("the quick brown fox jumps over the lazy dog again and again")"},
       {R"(" one")", R"("ab")", R"("one ")"}},
      {ConstraintKind::kRegex,
       "(?:[a-z]+://)?\\w+(?:\\.\\w+)*(?<!x)(?:/[^/?#\\s]*)*",
       {"http://a.bc/de/fé/", "abc", "a.b.c//"},
       {"http:/a", "abx", "a..b"}},
      {ConstraintKind::kEbnf,
       "root ::= expr\nexpr ::= expr \"+\" term | term\nterm ::= [0-9]+ | \"(\" expr \")\"",
       {"1+(23+4)+5", "((((7))))"},
       {"1+", "(1", "1++2"}},
      {ConstraintKind::kStructuralTag,
       R"({"type": "structural_tag", "triggers": ["<call="], "structures": [
           {"begin": "<call=add>", "schema": {"type": "array", "items": {"type": "integer"}},
            "end": "</call>"}]})",
       {"text < <cal and <call=add>[1, 2]</call> more", "no call at all"},
       {"a <call=sub>[]</call>", "<call=add>[1.5]</call>", "<call=add>[1]"}},
  };
  return cases;
}

class Tokenizations {
 public:
  explicit Tokenizations(const Case& of) {
    for (int b = 0; b < 256; ++b) Add(std::string(1, static_cast<char>(b)));
    Add("</s>");  // the end; no text has it
    for (const auto* texts : {&of.valid, &of.invalid}) {
      for (const std::string& text : *texts) {
        for (int i = 0; i < 60; ++i) Add(Piece(text, random_() % text.size()));
      }
    }
    vocabulary_ = std::make_shared<const Vocabulary>(bytes_, std::vector<TokenId>{256});
  }

  std::vector<TokenId> Cut(const std::string& text) {
    std::vector<TokenId> tokens;
    for (std::size_t at = 0; at < text.size();) {
      std::string piece = Piece(text, at);
      while (!ids_.contains(piece)) piece.pop_back();
      tokens.push_back(ids_.at(piece));
      at += piece.size();
    }
    return tokens;
  }

  const std::shared_ptr<const Vocabulary>& vocabulary() const { return vocabulary_; }

 private:
  std::string Piece(const std::string& text, std::size_t at) {
    return text.substr(at, 1 + random_() % (random_() % 5 == 0 ? 45 : 6));
  }
  void Add(const std::string& token) {
    if (ids_.emplace(token, static_cast<TokenId>(bytes_.size())).second) bytes_.push_back(token);
  }

  std::mt19937 random_{5};
  std::vector<std::string> bytes_;
  std::unordered_map<std::string, TokenId> ids_;
  std::shared_ptr<const Vocabulary> vocabulary_;
};

// Whether the tokens lead to a complete output; the mask must say so of each beforehand.
bool Takes(GrammarMatcher matcher, const std::vector<TokenId>& tokens, std::size_t vocab_size) {
  TokenMask mask(vocab_size);
  for (const TokenId token : tokens) {
    EXPECT_TRUE(matcher.FillMask(mask).ok());
    const bool accepted = matcher.Accept(token);
    EXPECT_EQ(mask.Allows(token), accepted);
    if (!accepted) return false;
  }
  return matcher.done();
}

TEST(Tokenizations, AllOfOneTextGiveOneVerdict) {
  for (const Case& of : Cases()) {
    Tokenizations tokenizations(of);
    ConstraintSpec spec;
    spec.kind = of.kind;
    spec.text = of.constraint;
    const auto grammar = CompileGrammar(spec, tokenizations.vocabulary());
    ASSERT_TRUE(grammar.ok()) << grammar.status().message();
    for (const auto* texts : {&of.valid, &of.invalid}) {
      for (const std::string& text : *texts) {
        for (int i = 0; i < 40; ++i) {
          EXPECT_EQ(Takes(GrammarMatcher(*grammar), tokenizations.Cut(text),
                          tokenizations.vocabulary()->size()),
                    texts == &of.valid)
              << of.constraint << '\n'
              << text;
        }
      }
    }
  }
}

}  // namespace
}  // namespace espalier
