// The automaton against the definition: random networks, all short texts, and for masks
// every token.
#include "grammar/automaton.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "grammar/compiled_grammar.h"
#include "grammar/matcher.h"
#include "tests/grammar/static_network.h"

namespace espalier {
namespace {

using Random = std::mt19937;

// Every byte, the end, and `more`.
std::shared_ptr<const Vocabulary> MakeVocabulary(const std::vector<std::string>& more) {
  std::vector<std::string> bytes;
  for (int b = 0; b < 256; ++b) bytes.emplace_back(1, static_cast<char>(b));
  bytes.emplace_back("</s>");
  bytes.insert(bytes.end(), more.begin(), more.end());
  return std::make_shared<const Vocabulary>(std::move(bytes), std::vector<TokenId>{256});
}

std::vector<std::string> AllTexts(std::size_t length) {
  std::vector<std::string> all = {""};
  for (std::size_t i = 0; all[i].size() < length; ++i) {
    for (char c : {'a', 'b', 'c'}) all.push_back(all[i] + c);
  }
  return all;
}

RegexId RandomRegex(Random& random, RegexSet& set) {
  const RegexId a = set.Literal("a"), b = set.Literal("b"), c = set.Literal("c");
  switch (random() % 8) {
    case 0: return a;
    case 1: return b;
    case 2: return set.Concat(a, b);
    case 3: return set.Or(a, c);
    case 4: return set.Repeat(a, 1, 3);
    case 5: return set.Concat(b, set.Star(c));
    case 6: return set.And(set.Repeat(set.Or(a, b), 1, 4), set.Not(set.Concat(a, a)));
    default: return set.Concat(c, set.Optional(set.Literal("ab")));
  }
}

constexpr unsigned kRules = 3, kNodes = 4;  // rules, and nodes of each

NodeId NodeAt(Random& random, unsigned first) {
  return first + static_cast<NodeId>(random() % kNodes);
}

std::vector<Expansion> RandomNodes(Random& random, RegexSet& set) {
  std::vector<Expansion> nodes(kRules * kNodes);
  for (unsigned n = 0; n < nodes.size(); ++n) {
    const unsigned rule = n / kNodes, first = rule * kNodes;
    Expansion& node = nodes[n];
    node.can_return = n % kNodes == kNodes - 1 || random() % 6 == 0;
    for (unsigned e = random() % 3; e > 0; --e) {
      node.edges.push_back({.regex = RandomRegex(random, set), .next = NodeAt(random, first)});
    }
    if (random() % 6 == 0 && n + 1 < first + kNodes) {
      node.edges.push_back({.regex = set.Star(set.Literal("c")), .next = n + 1});
    }
    if (random() % 2 == 0 && n + 1 < first + kNodes) {
      const bool at_start = n == first || rule + 1 < kRules;
      const unsigned callee = (at_start ? rule + 1 : 0) + static_cast<unsigned>(random() % kRules);
      if (callee < kRules) node.calls.push_back({.callee = callee * kNodes, .next = n + 1});
    }
  }
  return nodes;
}

bool HasLeftRecursion(std::vector<Expansion>& nodes, RegexSet& set) {
  // reach[n]: nodes that stand at the same position.
  std::vector<std::set<NodeId>> reach(nodes.size());
  std::vector<char> nullable(nodes.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (NodeId n = 0; n < nodes.size(); ++n) {
      std::set<NodeId> next;
      bool empty = nodes[n].can_return;
      for (const Edge& edge : nodes[n].edges) {
        if (set.nullable(edge.regex)) {
          next.insert(edge.next);
          empty = empty || nullable[edge.next] != 0;
        }
      }
      for (const Call& call : nodes[n].calls) {
        next.insert(call.callee);
        if (nullable[call.callee] != 0) {
          next.insert(call.next);
          empty = empty || nullable[call.next] != 0;
        }
      }
      for (NodeId m : std::set<NodeId>(next)) next.insert(reach[m].begin(), reach[m].end());
      changed = changed || next != reach[n] || empty != (nullable[n] != 0);
      reach[n] = next;
      nullable[n] = empty ? 1 : 0;
    }
  }
  for (NodeId n = 0; n < nodes.size(); ++n) {
    if (reach[n].contains(n)) return true;
  }
  return false;
}

struct RandomNetwork {
  // Made again from the seed in every automaton.
  static Result<std::unique_ptr<Network>> Make(unsigned seed, RegexSet& set) {
    Random random(seed);
    std::vector<Expansion> nodes;
    do {
      nodes = RandomNodes(random, set);
    } while (HasLeftRecursion(nodes, set));
    return std::unique_ptr<Network>(std::make_unique<StaticNetwork>(set, std::move(nodes)));
  }
};

// The texts of up to `length` letters that the network of `seed` accepts.
std::set<std::string> Language(unsigned seed, std::size_t length) {
  Fuel fuel(1'000'000'000);
  RegexSet set(fuel);
  auto network = RandomNetwork::Make(seed, set);
  NaiveRecogniser recogniser(**network, set);
  std::set<std::string> language;
  for (const std::string& text : AllTexts(length)) {
    if (recogniser.Accepts(text)) language.insert(text);
  }
  return language;
}

// Checks all places that texts of up to `depth` letters lead to.
class Explorer {
 public:
  Explorer(Automaton& automaton, const std::set<std::string>& language, std::size_t length)
      : automaton_(automaton), language_(language), length_(length) {}

  void Explore(PlaceId place, const std::string& text) {
    ASSERT_EQ(automaton_.may_end(place), language_.contains(text)) << text;
    const std::uint64_t least = automaton_.MinBytesToEnd(place);
    ASSERT_GE(least + text.size(), LeastLength(text)) << text;
    if (least + text.size() <= length_) {
      ASSERT_EQ(least + text.size(), LeastLength(text)) << text;
    }
    if (text.size() >= 4) return;
    for (char c : {'a', 'b', 'c'}) {
      const PlaceId next = automaton_.Step(place, c);
      if (next == PlaceSet::kDead) {
        ASSERT_GT(LeastLength(text + c), length_) << text << c;
      } else {
        Explore(next, text + c);
      }
    }
  }

 private:
  // Of the shortest text of the language that begins with `text`, if it is short enough.
  std::size_t LeastLength(const std::string& text) const {
    std::size_t least = length_ + 1;
    for (auto it = language_.lower_bound(text); it != language_.end() && it->starts_with(text);
         ++it) {
      least = std::min(least, it->size());
    }
    return least;
  }

  Automaton& automaton_;
  const std::set<std::string>& language_;
  const std::size_t length_;
};

NetworkMaker MakerOf(unsigned seed) {
  return [seed](RegexSet& set, Fuel& /*fuel*/) { return RandomNetwork::Make(seed, set); };
}

TEST(Automaton, AcceptsWhatTheNetworkDoesOnAllShortTexts) {
  const auto vocabulary = MakeVocabulary({});
  int num_languages = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    const auto language = Language(seed, 6);
    auto automaton = Automaton::Make(MakerOf(seed), vocabulary, GrammarLimits());
    if (!automaton.ok()) {
      EXPECT_TRUE(language.empty()) << seed;
      continue;
    }
    ++num_languages;
    Explorer(**automaton, language, 6).Explore((*automaton)->start(), "");
    ASSERT_FALSE(HasFailure()) << seed;
  }
  EXPECT_GT(num_languages, 75);
}

// The tokens that Step takes at a place, without the end; the mask must say the same.
std::vector<TokenId> CheckMask(Automaton& automaton, PlaceId place, const Vocabulary& vocabulary) {
  TokenMask mask(vocabulary.size());
  EXPECT_TRUE(automaton.FillMask(place, GrammarLimits().mask_steps, &mask).ok());
  std::vector<TokenId> allowed;
  for (TokenId t = 0; t < static_cast<TokenId>(vocabulary.size()); ++t) {
    const bool accepted = automaton.Step(place, t) != PlaceSet::kDead;
    EXPECT_EQ(mask.Allows(t), accepted) << "token " << vocabulary.bytes(t);
    if (accepted && t != 256) allowed.push_back(t);
  }
  return allowed;
}

TEST(Automaton, MaskIsTheTokensThatStepTakes) {
  Random random(7);
  for (unsigned seed = 0; seed < 150; ++seed) {
    std::vector<std::string> more;
    for (int i = 0; i < 40; ++i) {
      std::string token;
      for (unsigned n = 1 + random() % 4; n > 0; --n)
        token += static_cast<char>('a' + random() % 3);
      more.push_back(token);
    }
    const auto vocabulary = MakeVocabulary(more);
    auto made = Automaton::Make(MakerOf(seed), vocabulary, GrammarLimits());
    if (!made.ok()) continue;
    Automaton& automaton = **made;
    for (int walk = 0; walk < 20; ++walk) {
      PlaceId place = automaton.start();
      for (int n = 0; n < 8; ++n) {
        const std::vector<TokenId> allowed = CheckMask(automaton, place, *vocabulary);
        ASSERT_FALSE(HasFailure()) << seed;
        ASSERT_EQ(automaton.must_end(place), allowed.empty());
        if (allowed.empty()) break;
        place = automaton.Step(place, allowed[random() % allowed.size()]);
      }
    }
  }
}

// { item , item ... } where no item may come twice: what was captured decides.
Result<std::unique_ptr<Network>> MakeDistinct(RegexSet& set, Fuel& /*fuel*/) {
  std::vector<Expansion> nodes(4 + 8);
  const RegexId item = set.Repeat(set.Bytes(ByteSet::Range('a', 'b')), 1, 2);
  const std::vector<std::string> seen_by_bit = {"a", "b", "ab"};
  nodes[0].edges = {{.regex = set.Literal("{"), .next = 4}};
  // Node 4 + bits: the items seen so far; others count as seen never.
  for (NodeId bits = 0; bits < 8; ++bits) {
    std::vector<std::string> seen;
    for (unsigned b = 0; b < 3; ++b) {
      if (((bits >> b) & 1) != 0) seen.push_back(seen_by_bit[b]);
    }
    const RegexId fresh = set.And(item, set.Not(set.Literals(seen)));
    nodes[4 + bits].edges = {
        {.regex = set.Concat(fresh, set.Literal(",")), .next = 4 + bits, .capture = Capture::kYes},
        {.regex = set.Literal("}"), .next = 1}};
  }
  nodes[1].can_return = true;
  auto network = std::make_unique<StaticNetwork>(set, std::move(nodes));
  network->supposes = [](NodeId node) { return node >= 4; };
  network->captured = [seen_by_bit](NodeId next, std::string_view text) {
    for (unsigned b = 0; b < 3; ++b) {
      if (text == seen_by_bit[b] + ",") return NodeId{4 + ((next - 4) | 1u << b)};
    }
    return next;
  };
  return std::unique_ptr<Network>(std::move(network));
}

TEST(Automaton, CapturedTextsDecideWhatComesNextInMasksToo) {
  const auto vocabulary = MakeVocabulary({"a,", "a,a", "a,b", "a,a,", "a,b,", "b,a,", "b,b,b,",
                                          "{a,a", "{a,ab,", "ab,ab,", "ba,ba,", "a,}", "{a,b,}"});
  auto made = Automaton::Make(MakeDistinct, vocabulary, GrammarLimits());
  ASSERT_TRUE(made.ok());
  Automaton& automaton = **made;
  Random random(3);
  std::set<std::string> met;
  for (int walk = 0; walk < 300; ++walk) {
    PlaceId place = automaton.start();
    std::string text;
    for (int n = 0; n < 8; ++n) {
      const std::vector<TokenId> allowed = CheckMask(automaton, place, *vocabulary);
      ASSERT_FALSE(HasFailure()) << text;
      if (allowed.empty()) break;
      const TokenId token = allowed[random() % allowed.size()];
      text += vocabulary->bytes(token);
      place = automaton.Step(place, token);
    }
    met.insert(text);
  }
  for (const std::string& text : met) {
    for (const char* item : {"a,", "b,", "ab,"}) {
      std::size_t count = 0;
      for (std::size_t at = 1; at < text.size(); at = text.find(',', at) + 1) {
        if (text.compare(at, std::string(item).size(), item) == 0) ++count;
        if (text.find(',', at) == std::string::npos) break;
      }
      EXPECT_LE(count, 1u) << text;
    }
  }
  EXPECT_GT(met.size(), 50u);
}

}  // namespace
}  // namespace espalier
