// Both notations, construct by construct: what a grammar takes and refuses, and what the
// errors say.
#include "grammar/ebnf/ebnf.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/grammar/grammar_sources.h"
#include "tests/grammar/network_walk.h"

namespace espalier {
namespace {

class Compiled {
 public:
  explicit Compiled(std::string_view text, std::uint64_t steps = ~std::uint64_t{0})
      : fuel_(steps), set_(fuel_), network_(MakeEbnfNetwork(text, NoSources(), set_, fuel_)) {}

  bool ok() const { return network_.ok(); }
  Code code() const { return network_.status().code(); }
  std::string error() const { return network_.status().message(); }
  bool Takes(std::string_view text) { return NetworkWalk(**network_, set_, text).Accepts(); }
  std::uint64_t MinBytes() { return (*network_)->MinBytes((*network_)->start()); }
  Network& network() { return **network_; }
  RegexSet& set() { return set_; }

 private:
  Fuel fuel_;
  RegexSet set_;
  Result<std::unique_ptr<Network>> network_;
};

struct Verdicts {
  std::string_view grammar;
  std::vector<std::string_view> taken, refused;
};

void ExpectVerdicts(const Verdicts& row) {
  Compiled grammar(row.grammar);
  ASSERT_TRUE(grammar.ok()) << row.grammar << "\n" << grammar.error();
  for (const std::string_view text : row.taken) {
    EXPECT_TRUE(grammar.Takes(text)) << row.grammar << "\n" << text;
  }
  for (const std::string_view text : row.refused) {
    EXPECT_FALSE(grammar.Takes(text)) << row.grammar << "\n" << text;
  }
}

TEST(GbnfTest, EachConstructHasItsLanguage) {
  using namespace std::string_view_literals;
  const std::vector<Verdicts> rows = {
      {"root ::= \"a\" | \"b\"", {"a", "b"}, {"", "ab", "c"}},
      {"root ::= \"a\"\n  \"b\"\n# comment ::=\n | \"c\" # more", {"ab", "c"}, {"a", "abc"}},
      {"root ::= \"\"", {""}, {"a"}},
      {"root ::= | \"a\"", {"", "a"}, {"aa"}},
      {"root ::= \"\\n\\t\\\"\\\\\\x41\\u00e9\\U0001F600\"", {"\n\t\"\\A\u00e9\U0001F600"}, {"n"}},
      {"root ::= [a-c_] [^a-c] .",
       {"axy", "_d\n", "b\u00e9\U0001F600"},
       {"dxy", "aax", "ax", "a\xc3(y"}},
      {"root ::= [-a] [a-] [\\]\\-^]", {"--]", "aa-", "-a^"}, {"b-]"}},
      {"root ::= [^\\x00-\\U0010FFFF] | \"x\"", {"x"}, {"", "y"}},
      {"root ::= [\u00e0-\u00ff]+", {"\u00e9\u00e0"}, {"e", "\xc3"}},
      {"root ::= \"a\"* \"b\"+ \"c\"?", {"b", "aabbc"}, {"ac", "bcc"}},
      {"root ::= \"a\"{2} \"b\"{1,} \"c\"{,2} \"d\"{0,1}", {"aab", "aabbccd"}, {"ab", "aabccc"}},
      {"root ::= (\"a\" | \"b\" \"c\")+", {"a", "bca"}, {"b", ""}},
      {"root ::= my-rule_2 my-rule_2\nmy-rule_2 ::= \"x\"", {"xx"}, {"x"}},
      {"root ::= a.b [^] | . a.b\na.b ::= \"\\/\\?\"", {"/?\n", "x/?"}, {"/?", "xx/?"}},
      {"root ::= (\"a\" | \"\")*", {"", "aaa"}, {"b"}},
      {"root ::= x\nx ::= x \"a\" | \"\"", {"", "aa"}, {"b"}},
      {"root ::= \"(\" root \")\" | \"\"", {"", "(())"}, {"(()"}},
      {"root ::= (\"a\" root? \"b\"){2,3}", {"abab", "ababab", "aababbab"}, {"ab", "abababab"}},
  };
  for (const Verdicts& row : rows) ExpectVerdicts(row);
}

TEST(GbnfTest, LeftRecursionOfEachKindIsTaken) {
  const std::vector<Verdicts> rows = {
      {"root ::= e\ne ::= e \"+\" t | t\nt ::= t \"*\" f | f\nf ::= \"(\" e \")\" | [0-9]+",
       {"1", "1+2*3", "(1+2)*3+4", "((5))"},
       {"", "+1", "1+", "(1", "1++2"}},
      {"root ::= a \"x\" | \"r\"\na ::= b \"y\"\nb ::= root \"z\" | \"b\"",
       {"r", "byx", "rzyx", "byxzyx"},
       {"by", "rz", "ryx"}},
      {"root ::= n root \"a\" | \"b\"\nn ::= \"\" | \"c\"",
       {"b", "baa", "cba", "ccbaa"},
       {"cb", "a"}},
      {"root ::= root root | \"a\" | \"\"", {"", "a", "aaaa"}, {"b"}},
      {"root ::= root | a\na ::= root | \"x\"", {"x"}, {"", "xx"}},
      {"root ::= (root \"x\"){2,3} | \"a\"", {"a", "axax", "axaxax", "axaxxax"}, {"ax", "axx"}},
  };
  for (const Verdicts& row : rows) ExpectVerdicts(row);
}

// What is regular is one edge, also where rules are written as recursion.
TEST(GbnfTest, RulesThatRecurseAtTheirEndsAreLoops) {
  for (const std::string_view text : {
           "root ::= \"'\" chars \"'\"\nchars ::= \"\" | [^'] chars",
           "root ::= item (\",\" root)?\nitem ::= [a-z] item | [a-z]",
           "root ::= root \"+\" [0-9] | [0-9] | \"-\" root | \"(\" (\"x\" | \"y\" root)",
       }) {
    Compiled grammar(text);
    ASSERT_TRUE(grammar.ok()) << grammar.error();
    const Expansion& start = grammar.network().Expand(grammar.network().start());
    EXPECT_TRUE(start.calls.empty()) << text;
    ASSERT_EQ(start.edges.size(), 1u) << text;
    const Expansion& end = grammar.network().Expand(start.edges[0].next);
    EXPECT_TRUE(end.can_return && end.edges.empty() && end.calls.empty()) << text;
  }
}

TEST(LarkTest, EachConstructHasItsLanguage) {
  const std::vector<Verdicts> rows = {
      {"start: \"a\" | \"b\" -> alias\n", {"a", "b"}, {"", "ab"}},
      {"?start: x\n | y\n!x: \"x\"\n_y: \"y\"\ny: _y\n", {"x", "y"}, {"xy"}},
      {"start: A B?\nA.2: \"a\"..\"c\"\nB: /[x-z]+/ // comment\n", {"a", "czz"}, {"zz", "d"}},
      {"start: \"Yes\"i /no/i\n", {"yesNO", "YESno"}, {"yes"}},
      {"start: \"a\"~2 \"b\"~1..2 [\"c\"] (\"d\")*", {"aab", "aabbcdd"}, {"ab", "aabbb"}},
      {"start: \"a\"{2,3}\n", {"aa", "aaa"}, {"a", "aaaa"}},
      {"start: NUM\n%import common.NUMBER -> NUM\n", {"1", "1.5e-3", "1."}, {".", "-1"}},
      {"start: S\n%import common (ESCAPED_STRING, INT)\nS: ESCAPED_STRING\n",
       {R"("a\"b")", R"("")"},
       {R"("a"b")", R"("\")"}},
      {"start: /a\\/b/", {"a/b"}, {"a\\/b"}},
  };
  for (const Verdicts& row : rows) ExpectVerdicts(row);
}

TEST(LarkTest, DefiningSignOfTheOtherNotationIsTextLikeAnyOther) {
  const std::vector<Verdicts> rows = {
      {"// a ::= b\nstart: \"::=\" # ::=\n", {"::="}, {"="}},
      {"?start.2: x\nx: \"a::=\"\n", {"a::="}, {"a"}},
      {"%import common.INT\nstart: INT \"::=\"\n", {"1::="}, {"1"}},
      {"# start: \"a\"\n\n  root\n ::= \"b\" # :\n", {"b"}, {"a"}},
  };
  for (const Verdicts& row : rows) ExpectVerdicts(row);
}

TEST(LarkTest, IgnoredTextStandsAroundTokensOfRulesAndNotInsideTerminals) {
  ExpectVerdicts(
      {"start: \"[\" (NAME (\",\" NAME)*)? \"]\"\n"
       "NAME: LETTER LETTER\nLETTER: /[a-z]/\n"
       "%ignore \" \"\n%ignore /#[^\\n]*\\n/\n",
       {"[]", " [ ab , cd ] ", "[ab,#c\ncd]", "[ ]"},
       {"[a b]", "[ab,]", "[ab ,#c]"}});
}

TEST(LarkTest, LeftRecursionWorksWithIgnoredText) {
  ExpectVerdicts(
      {"start: sum\n?sum: product | sum \"+\" product\n"
       "?product: atom | product \"*\" atom\natom: NUMBER | \"-\" atom | \"(\" sum \")\"\n"
       "%import common.NUMBER\n%import common.WS_INLINE\n%ignore WS_INLINE\n",
       {"1", " 1 + 2 * (3 + -4) ", "((1))"},
       {"1 +", "1 2", "()"}});
}

TEST(LarkTest, TerminalsMayBeIntersectedAndNegated) {
  const std::vector<Verdicts> rows = {
      {"start: A\nA: /[a-z]+/ & ~\"foo\"", {"fo", "fooo", "x"}, {"foo", "", "X"}},
      {"start: A\nA: /a*/ & /(..)*/ | \"b\"", {"", "aa", "b"}, {"a", "bb"}},
      {"start: A\nA: \"x\" B & C\nB: /[ab]/\nC: /.[bc]/", {"xb"}, {"xa", "xc", "b"}},
      {"start: LINES\nLINES: /[a-z\\n]*/ & ~/(?s:.*)\\n\\n(?s:.*)/", {"a\nb"}, {"a\n\nb"}},
      {"start: A\nA: ~\"a\"+ & /a*/", {"", "aa"}, {"b"}},
      {"start: A ~ 2..3\nA: \"a\"", {"aa", "aaa"}, {"a", "aaaa"}},
  };
  for (const Verdicts& row : rows) ExpectVerdicts(row);
}

TEST(LarkTest, LazyRulesEndAsSoonAsTheyCan) {
  const std::vector<Verdicts> rows = {
      {"start: a \"!\"\na[lazy]: /(.|\\n)*<f/", {"x<f!", "<<f!"}, {"x<f<f!", "x!"}},
      {"start: a b\na[capture, suffix=\"<end>\"]: /.*/\nb[capture=\"n\"]: /[0-9]+/",
       {"foo<end>12", "<end>1"},
       {"foo<end><end>1", "foo<end>"}},
      {"start: a \"c\"\na[lazy]: /[0-9]+/", {"1c"}, {"12c", "c"}},
      {"start: a \"c\"\na[lazy]: A \"b\"\nA: /[ab]*/\n%ignore \" \"", {"aab c"}, {"abbc", "a bc"}},
  };
  for (const Verdicts& row : rows) ExpectVerdicts(row);
}

TEST(GbnfTest, LookaheadHoldsForWhateverFollows) {
  const std::vector<Verdicts> rows = {
      {"root ::= x [a-z]+\nx ::= \"n\" | \"m\" (= [a-c] \"z\")",
       {"naz", "mbzq", "maz"},
       {"na", "ndz", "mza"}},
      // What follows is written by several rules, and may be shorter than the assertion.
      {"root ::= x y? \"c\"*\nx ::= \"x\" (= \"b\"? \"cc\")\ny ::= \"b\"",
       {"xcc", "xbcc", "xccc"},
       {"x", "xc", "xb", "xbc"}},
      {"root ::= (x | \"b\"){1,3}\nx ::= \"a\" (= \"b\" | \"ab\")",
       {"b", "ab", "aab", "abb"},
       {"a", "aa", "aaa", "ba"}},
  };
  for (const Verdicts& row : rows) ExpectVerdicts(row);
}

struct Refusal {
  std::string_view grammar;
  Code code;
  std::string_view message;  // a part of it
};

void ExpectRefusals(const std::vector<Refusal>& rows) {
  for (const Refusal& row : rows) {
    const Compiled grammar(row.grammar);
    ASSERT_FALSE(grammar.ok()) << row.grammar;
    EXPECT_EQ(grammar.code(), row.code) << row.grammar << "\n" << grammar.error();
    EXPECT_NE(grammar.error().find(row.message), std::string::npos) << row.grammar << "\n"
                                                                    << grammar.error();
  }
}

TEST(EbnfErrorTest, ErrorsPointAtThePlace) {
  const Compiled grammar("root ::= expr\n\t\u00e9xpr ::= \"a\"");
  EXPECT_EQ(grammar.error(),
            "line 2, column 2: a literal, a character class, a rule or ( is expected here\n"
            "  \t\u00e9xpr ::= \"a\"\n"
            "  \t^");
  const Compiled undefined("root ::= expresion\nexpression ::= \"a\"\n");
  EXPECT_EQ(undefined.error(),
            "line 1, column 10: rule \"expresion\" is not defined; did you mean \"expression\"?\n"
            "  root ::= expresion\n"
            "           ^");
}

TEST(EbnfErrorTest, WrongGbnfIsRefused) {
  constexpr Code kWrong = Code::kInvalidArgument;
  ExpectRefusals({
      {"a ::= \"x\"", kWrong, "no rule root"},
      {"root ::= x", kWrong, "not defined"},
      {"root ::= \"a\"\nroot ::= \"b\"", kWrong, "defined twice"},
      {"root ::= \"a", kWrong, "not closed"},
      {"root ::= \"a\nb\"", kWrong, "not closed"},
      {"root ::= [a", kWrong, "not closed"},
      {"root ::= [z-a]", kWrong, "range is empty"},
      {"root ::= (\"a\"", kWrong, "not closed"},
      {"root ::= \"a\")", kWrong, "closes nothing"},
      {"root ::= a\na[temperature=1] ::= \"a\"", kWrong, "rule options"},
      {"root ::= *", kWrong, "nothing here to repeat"},
      {"root ::= \"a\"**", kWrong, "nothing here to repeat"},
      {"root ::= \"a\"{3,2}", kWrong, "smaller count first"},
      {"root ::= \"a\"{x}", kWrong, "count is missing"},
      {"root ::= \"\\q\"", kWrong, "unknown escape"},
      {"root ::= \"\\ud800\"", kWrong, "surrogate"},
      {"root ::= 'a'", kWrong, "double quotes"},
      {"root ::= root \"a\"", kWrong, "no text matches"},
      {"root ::= a\na ::= \"x\" a", kWrong, "no text matches"},
      {"root ::= [^\\x00-\\U0010FFFF]", kWrong, "no text matches"},
      {"root ::= <[123]>", Code::kInvalidArgument, "no token of this vocabulary"},
      {"root ::= \"a\" (= \"b\") \"b\"", kWrong, "last part of its rule"},
      {"root ::= x root\nx ::= \"a\" (= \"a\")", Code::kUnsupported, "leads back to itself"},
      {"root ::= x* \"b\"\nx ::= \"a\" (= \"a\" | \"b\")", Code::kUnsupported, "rounds"},
      {"root ::= \"a\" (= \"b\")", kWrong, "no text matches"},
      {"root ::= TagDispatch((\"a\", root))", Code::kUnsupported, "TagDispatch"},
      {"root ::= \"a\"{9999999999}", Code::kLimit, "counts go up to"},
      {"root ::= \xff", kWrong, "not valid UTF-8"},
  });
}

TEST(EbnfErrorTest, WrongLarkIsRefused) {
  constexpr Code kWrong = Code::kInvalidArgument;
  ExpectRefusals({
      {"", kWrong, "no rule start"},
      {"start: x", kWrong, "not defined"},
      {"start: STRT\nSTART: \"a\"", kWrong, "did you mean \"START\"?"},
      {"start: \"a\"\nstart: \"b\"", kWrong, "defined twice"},
      {"start: A\nA: \"(\" A \")\" | \"b\"", kWrong, "part of itself"},
      {"start: A\nA: b\nb: \"b\"", kWrong, "is a rule"},
      {"start: \"ab\"..\"c\"", kWrong, "from one character"},
      {"start: /a", kWrong, "not closed"},
      {"start: (\"a\"", kWrong, "not closed"},
      {"start: \"a\" ]", kWrong, "closes nothing"},
      {"%import common.NOTHING", kWrong, "it has DIGIT"},
      {"start: list{x}", Code::kUnsupported, "templates"},
      {R"(start: _sep{"a", ","})", Code::kUnsupported, "templates"},
      {"list{x}: x", Code::kUnsupported, "templates"},
      {"start[max_tokens=3]: /a/", Code::kUnsupported, "the rule attribute max_tokens"},
      {"start[temperature=0.5]: /a/", Code::kUnsupported, "the rule attribute temperature"},
      {"start[stop=\"a\"]: /a/", Code::kUnsupported, "stop"},
      {"start[lazy: /a/", Code::kInvalidArgument, "add ]"},
      {"start: A & B\nA: \"a\"\nB: \"b\"", Code::kUnsupported, "& stands in terminals"},
      {"start: ~\"a\"", Code::kUnsupported, "~ stands in terminals"},
      {"start: A\nA: \"a\" & ~A", Code::kInvalidArgument, "part of itself"},
      {"%declare A", Code::kUnsupported, "%declare"},
      {"%import python.NAME", Code::kUnsupported, "other than common"},
      {"start: %json {}", Code::kUnsupported, "%json"},
      {"start: <|end|>", Code::kInvalidArgument, "no token of this vocabulary"},
  });
}

}  // namespace
}  // namespace espalier
