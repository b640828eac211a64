// Grammars against the definition of their language: sets of strings, computed to a
// fixpoint. All small grammars of two rules, then many random ones with every operator.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "grammar/ebnf/ebnf.h"
#include "tests/grammar/grammar_sources.h"
#include "tests/grammar/network_walk.h"

namespace espalier {
namespace {

using Strings = std::set<std::string>;

struct Tree {
  enum class Kind { kLiteral, kRule, kSequence, kChoice, kRepeat };
  Kind kind = Kind::kLiteral;
  std::string literal{};
  std::size_t rule = 0;
  std::vector<Tree> parts{};
  std::uint32_t min = 0, max = 0;
};
using Trees = std::vector<Tree>;  // the bodies of root, r1, r2, ...

constexpr std::uint32_t kEndless = RegexSet::kUnbounded;

std::string RuleName(std::size_t rule) { return rule == 0 ? "root" : "r" + std::to_string(rule); }

std::string Print(const Tree& tree) {
  if (tree.kind == Tree::Kind::kLiteral) return '"' + tree.literal + '"';
  if (tree.kind == Tree::Kind::kRule) return RuleName(tree.rule);
  std::string text = "(";
  for (const Tree& part : tree.parts) {
    if (text.size() > 1) text += tree.kind == Tree::Kind::kChoice ? " | " : " ";
    text += Print(part);
  }
  text += ")";
  if (tree.kind == Tree::Kind::kRepeat) {
    text += "{" + std::to_string(tree.min) + ",";
    text += (tree.max == kEndless ? "" : std::to_string(tree.max)) + "}";
  }
  return text;
}

std::string Print(const Trees& rules) {
  std::string text;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    text += RuleName(i) + " ::= " + Print(rules[i]) + "\n";
  }
  return text;
}

// The strings of each rule that have at most `max_length` letters.
class Definition {
 public:
  Definition(const Trees& rules, std::size_t max_length)
      : max_length_(max_length), languages_(rules.size()) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < rules.size(); ++i) {
        Strings now = Of(rules[i]);
        changed = changed || now.size() > languages_[i].size();
        languages_[i] = std::move(now);
      }
    }
  }

  const Strings& root() const { return languages_[0]; }

 private:
  Strings Join(const Strings& a, const Strings& b) const {
    Strings joined;
    for (const std::string& x : a) {
      for (const std::string& y : b) {
        if (x.size() + y.size() <= max_length_) joined.insert(x + y);
      }
    }
    return joined;
  }

  Strings Of(const Tree& tree) const {
    Strings strings;
    switch (tree.kind) {
      case Tree::Kind::kLiteral:
        if (tree.literal.size() <= max_length_) strings.insert(tree.literal);
        return strings;
      case Tree::Kind::kRule: return languages_[tree.rule];
      case Tree::Kind::kSequence:
        strings.insert("");
        for (const Tree& part : tree.parts) strings = Join(strings, Of(part));
        return strings;
      case Tree::Kind::kChoice:
        for (const Tree& part : tree.parts) strings.merge(Of(part));
        return strings;
      case Tree::Kind::kRepeat: return Repeated(Of(tree.parts[0]), tree.min, tree.max);
    }
    return strings;
  }

  // More rounds than letters add nothing.
  Strings Repeated(const Strings& body, std::uint32_t min, std::uint32_t max) const {
    Strings round = {""}, strings;
    for (std::uint32_t i = 0; i <= max && i <= min + max_length_ + 1; ++i) {
      if (i >= min) strings.insert(round.begin(), round.end());
      round = Join(round, body);
    }
    return strings;
  }

  const std::size_t max_length_;
  std::vector<Strings> languages_;
};

std::vector<std::string> AllStrings(const std::string& letters, std::size_t max_length) {
  std::vector<std::string> strings = {""};
  for (std::size_t i = 0; i < strings.size(); ++i) {
    if (strings[i].size() == max_length) break;
    for (const char letter : letters) strings.push_back(strings[i] + letter);
  }
  return strings;
}

// Everything that can be wrong with one grammar; empty if nothing is.
std::string Check(const Trees& rules, const std::vector<std::string>& texts, std::size_t max_length,
                  RegexSet& set, Fuel& fuel) {
  const Strings expected = Definition(rules, max_length).root();
  auto network = MakeEbnfNetwork(Print(rules), NoSources(), set, fuel);
  if (!network.ok()) {
    const bool refused_as_empty = network.status().message().find("no text") != std::string::npos;
    return refused_as_empty && expected.empty() ? "" : network.status().message();
  }
  for (const std::string& text : texts) {
    NetworkWalk walk(**network, set, text);
    const bool accepts = walk.Accepts();
    if (walk.found_cycle()) return "calls in a cycle at \"" + text + "\"";
    if (accepts != expected.contains(text)) {
      return (accepts ? "takes \"" : "refuses \"") + text + "\"";
    }
  }
  for (const auto& [node, cost] : ShortestOfAll(**network, set)) {
    if (cost == ~std::uint64_t{0}) return "node " + std::to_string(node) + " is a dead end";
    if ((*network)->MinBytes(node) == cost) continue;
    return "MinBytes of node " + std::to_string(node) + " is not " + std::to_string(cost);
  }
  return "";
}

Tree Sequence(const std::vector<Tree>& symbols, std::vector<std::size_t> picks) {
  Tree sequence = {.kind = Tree::Kind::kSequence};
  for (const std::size_t pick : picks) sequence.parts.push_back(symbols[pick]);
  if (picks.empty()) return {.literal = ""};
  return sequence;
}

// All sequences of up to two symbols of: "a", "b", root, r1.
std::vector<Tree> SmallSequences() {
  const std::vector<Tree> symbols = {{.literal = "a"},
                                     {.literal = "b"},
                                     {.kind = Tree::Kind::kRule, .rule = 0},
                                     {.kind = Tree::Kind::kRule, .rule = 1}};
  std::vector<Tree> sequences = {Sequence(symbols, {})};
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    sequences.push_back(Sequence(symbols, {i}));
    for (std::size_t j = 0; j < symbols.size(); ++j) {
      sequences.push_back(Sequence(symbols, {i, j}));
    }
  }
  return sequences;
}

TEST(EbnfLanguageTest, SmallGrammarsTakeExactlyTheirStrings) {
  const std::vector<Tree> sequences = SmallSequences();
  std::vector<Tree> bodies;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      bodies.push_back({.kind = Tree::Kind::kChoice, .parts = {sequences[i], sequences[j]}});
    }
  }
  const std::vector<std::string> texts = AllStrings("ab", 4);
  // Every pair of bodies would take minutes; a stride that is prime to both still meets
  // each body many times, with partners of all kinds.
  constexpr std::size_t kStride = 5;
  Fuel fuel(~std::uint64_t{0});
  RegexSet set(fuel);
  for (std::size_t pair = 0; pair < bodies.size() * bodies.size(); pair += kStride) {
    const Trees rules = {bodies[pair / bodies.size()], bodies[pair % bodies.size()]};
    ASSERT_EQ(Check(rules, texts, 4, set, fuel), "") << Print(rules);
  }
}

class RandomGrammar {
 public:
  explicit RandomGrammar(std::uint32_t seed) : random_(seed) {}

  Trees Make() {
    num_rules_ = 1 + Pick(4);
    Trees rules;
    for (std::size_t i = 0; i < num_rules_; ++i) rules.push_back(MakeTree(3));
    return rules;
  }

 private:
  std::size_t Pick(std::size_t below) { return random_() % below; }

  Tree MakeTree(int depth) {
    constexpr const char* kLiterals[] = {"a", "b", "c", "ab", "", "ca"};
    const std::size_t kind = Pick(depth == 0 ? 4 : 9);
    if (kind < 2) return {.literal = kLiterals[Pick(6)]};
    if (kind < 4) return {.kind = Tree::Kind::kRule, .rule = Pick(num_rules_)};
    Tree tree = {.kind = kind < 6   ? Tree::Kind::kSequence
                         : kind < 8 ? Tree::Kind::kChoice
                                    : Tree::Kind::kRepeat};
    const std::size_t num_parts = tree.kind == Tree::Kind::kRepeat ? 1 : 2 + Pick(2);
    for (std::size_t i = 0; i < num_parts; ++i) tree.parts.push_back(MakeTree(depth - 1));
    tree.min = static_cast<std::uint32_t>(Pick(4));
    tree.max = Pick(2) == 0 ? kEndless : tree.min + static_cast<std::uint32_t>(Pick(4));
    return tree;
  }

  std::mt19937 random_;
  std::size_t num_rules_ = 1;
};

TEST(EbnfLanguageTest, RandomGrammarsTakeExactlyTheirStrings) {
  const std::vector<std::string> texts = AllStrings("abc", 4);
  Fuel fuel(~std::uint64_t{0});
  RegexSet set(fuel);
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    const Trees rules = RandomGrammar(seed).Make();
    ASSERT_EQ(Check(rules, texts, 4, set, fuel), "") << "seed " << seed << "\n" << Print(rules);
  }
}

}  // namespace
}  // namespace espalier
