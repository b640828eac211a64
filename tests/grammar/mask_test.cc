// Masks inside JSON strings and patterns, where slices of the vocabulary are allowed as a
// whole: against trying every token.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "grammar/matcher.h"

namespace espalier {
namespace {

constexpr TokenId kEnd = 256;

// Every byte, and tokens that begin, end, cut and cross whatever matters in a string.
std::shared_ptr<const Vocabulary> MakeVocabulary() {
  std::vector<std::string> bytes;
  for (int b = 0; b < 256; ++b) bytes.emplace_back(1, static_cast<char>(b));
  bytes.emplace_back("</s>");
  const std::string pieces[] = {"a",
                                "b",
                                "/",
                                " ",
                                "\xC3\xA9",
                                "\xE2\x80\xA8",
                                "\xE2\x80",
                                "\xA9",
                                "\xE4\xB8",
                                "\xAD",
                                "\xF0\x9F\x98\x80",
                                "\"",
                                "\\",
                                "\\n",
                                "\\u00",
                                "61",
                                "\t",
                                "\x7F",
                                "xyz",
                                "7",
                                ".",
                                ",",
                                "\xED\x9F\xBF",
                                "\xF4\x8F\xBF\xBF"};
  std::mt19937 random(11);
  for (int i = 0; i < 400; ++i) {
    std::string token;
    for (unsigned n = 1 + random() % 4; n > 0; --n) token += pieces[random() % std::size(pieces)];
    bytes.push_back(token);
  }
  bytes.push_back(std::string(31, 'a'));
  bytes.push_back(std::string(33, 'b'));
  bytes.push_back(std::string(40, 'a') + "\"");
  return std::make_shared<const Vocabulary>(std::move(bytes), std::vector<TokenId>{kEnd});
}

void CheckRandomWalks(const ConstraintSpec& spec) {
  const auto vocabulary = MakeVocabulary();
  const auto grammar = CompileGrammar(spec, vocabulary);
  ASSERT_TRUE(grammar.ok()) << spec.text << grammar.status().message();
  std::mt19937 random(3);
  for (int walk = 0; walk < 30; ++walk) {
    GrammarMatcher matcher(*grammar);
    for (int n = 0; n < 12 && !matcher.finished(); ++n) {
      TokenMask mask(vocabulary->size());
      ASSERT_TRUE(matcher.FillMask(mask).ok());
      std::vector<TokenId> allowed;
      for (TokenId t = 0; t < static_cast<TokenId>(vocabulary->size()); ++t) {
        const bool accepted = matcher.Accept(t);
        if (accepted) matcher.Rollback(1);
        ASSERT_EQ(mask.Allows(t), accepted) << spec.text << " token " << t;
        if (accepted && t != kEnd) allowed.push_back(t);
      }
      ASSERT_FALSE(allowed.empty()) << spec.text;
      // Long tokens first, so that walks get anywhere.
      TokenId next = allowed[random() % allowed.size()];
      for (int tries = 0; tries < 3; ++tries) {
        const TokenId other = allowed[random() % allowed.size()];
        if (vocabulary->bytes(other).size() > vocabulary->bytes(next).size()) next = other;
      }
      ASSERT_TRUE(matcher.Accept(next));
    }
  }
}

TEST(Mask, IsWhatAcceptTakesInsideStringsOfAllKinds) {
  const char* schemas[] = {
      R"({"type": "string"})",
      R"({"type": "string", "maxLength": 3})",
      R"({"type": "string", "minLength": 2, "maxLength": 40})",
      R"({"type": "string", "pattern": "^.+$"})",
      R"({"type": "string", "pattern": "^[^/]*$"})",
      R"({"type": "string", "pattern": "a/b", "maxLength": 9})",
      R"({"type": "string", "pattern": "^(?!ab)[^.]{2,}$"})",
      R"({"type": "string", "pattern": "^(\\S+\\s+){0,9}\\S+$", "minLength": 1, "maxLength": 99})",
      R"({"type": "string", "pattern": "^(\\S+\\s+){0,99}\\S+$", "maxLength": 70})",
      R"({"type": "string", "pattern": "^[^/]{1,80}b?$", "minLength": 3, "maxLength": 120})",
      R"({"type": "string", "pattern": "^(aa)*$", "minLength": 90, "maxLength": 91})",
      R"({"type": "array", "items": {"type": "string"}, "uniqueItems": true})",
      R"({"type": "object", "additionalProperties": {"type": "string"}, "minProperties": 2})",
      R"({"enum": ["a", "ab", "aé", "😀", "a\"b", "x\ny"]})",
  };
  for (const char* schema : schemas) {
    ConstraintSpec spec;
    spec.kind = ConstraintKind::kJsonSchema;
    spec.text = schema;
    CheckRandomWalks(spec);
    spec.whitespace = JsonWhitespace::kFlexible;
    spec.order = PropertyOrder::kAny;
    CheckRandomWalks(spec);
  }
}

// What a model writes has one spelling, so that a key is forced and cannot be spelled in
// six bytes a letter; what is judged may have any.
TEST(Mask, CharactersAreEscapedOnlyWhereTheyMustBeUnlessAnyWayIsAskedFor) {
  struct Spelled {
    const char* text;
    bool plain, any;
  };
  const Spelled texts[] = {{R"("aé/")", true, true},           {R"("\u0061")", false, true},
                           {R"("\/")", false, true},           {R"("\n\"\\")", true, true},
                           {R"("\u0001")", true, true},        {R"("\u000a")", false, true},
                           {R"("\ud83d\ude00")", false, true}, {R"("\ud83d")", false, false}};
  const auto vocabulary = MakeVocabulary();
  for (const JsonForms forms : {JsonForms::kPlain, JsonForms::kAny}) {
    ConstraintSpec spec;
    spec.kind = ConstraintKind::kJsonSchema;
    spec.text = R"({"type": "string"})";
    spec.forms = forms;
    const auto grammar = CompileGrammar(spec, vocabulary);
    ASSERT_TRUE(grammar.ok());
    for (const Spelled& spelled : texts) {
      GrammarMatcher matcher(*grammar);
      bool accepted = true;
      for (const char* c = spelled.text; *c != 0 && accepted; ++c) {
        accepted = matcher.Accept(static_cast<std::uint8_t>(*c));
      }
      EXPECT_EQ(accepted && matcher.done(), forms == JsonForms::kAny ? spelled.any : spelled.plain)
          << spelled.text;
    }
  }
}

TEST(Mask, IsWhatAcceptTakesInPatterns) {
  for (const char* pattern : {".*", "[^/]{1,5}(a|/)+", "(?s).{3,40}b", "\\w+( \\w+)*", ".*a/b.*",
                              "(?!.*xyz).*", "[a-z]*é?"}) {
    ConstraintSpec spec;
    spec.kind = ConstraintKind::kRegex;
    spec.text = pattern;
    CheckRandomWalks(spec);
  }
}

}  // namespace
}  // namespace espalier
