#include "grammar/regex/assertion_solver.h"

#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "grammar/regex/path_languages.h"
#include "grammar/regex/text_tracker.h"

namespace espalier {
namespace {

using StateId = TextTracker::StateId;

constexpr std::size_t kMaxPlaces = 20'000;
constexpr std::size_t kMaxLoopPlaces = 256;

Status TooManyPlaces() {
  return Status(Code::kLimit, "pattern: its assertions and repeats make too many cases");
}

// From one place to another: a text of `label`, and all that follows is in `rest`, too.
struct Move {
  RegexId label;
  RegexId rest;
  std::uint32_t to;
};

struct Place {
  std::uint32_t node;
  StateId state;
  std::vector<Move> moves;
};

class Solver {
 public:
  Solver(const AssertionProgram& program, TextTracker& tracker, TextRegex& text)
      : program_(program), tracker_(tracker), text_(text), set_(text.set()) {}

  const AssertionProgram& program() const { return program_; }
  TextTracker& tracker() { return tracker_; }
  TextRegex& text() { return text_; }
  RegexSet& set() { return set_; }

  Result<RegexId> Solve() {
    const StateId start = tracker_.Intern({program_.behinds, RegexSet::kAnything});
    return Language(0, start, RegexSet::kEmpty);
  }

  // `a` And `b`, both languages of texts.
  RegexId Meet(RegexId a, RegexId b) {
    if (a == text_.AnyText()) return b;
    return b == text_.AnyText() ? a : set_.And(a, b);
  }

  // What graph `graph` and then `behind_it` match, where `state` is the text before.
  Result<RegexId> Language(std::uint32_t graph, StateId state, RegexId behind_it);

  // The language of all that follows a place where the lookahead holds.
  Result<RegexId> AheadLanguage(const GraphEdge& edge, StateId state) {
    TextTracker::State before = tracker_.state(state);
    before.ahead = RegexSet::kAnything;
    const std::pair key(edge.index, tracker_.Intern(before));
    auto known = aheads_.find(key);
    if (known == aheads_.end()) {
      ESP_ASSIGN_OR_RETURN(const RegexId language,
                           Language(edge.index, key.second, RegexSet::kAnything));
      known = aheads_.emplace(key, language).first;
    }
    if (edge.expect == Expect::kMatch) return known->second;
    // $: the only text without a first character is the empty one.
    const bool any_char = known->second == set_.Concat(text_.AnyChar(), RegexSet::kAnything);
    return any_char ? RegexSet::kEmpty : set_.Not(known->second);
  }

 private:
  const AssertionProgram& program_;
  TextTracker& tracker_;
  TextRegex& text_;
  RegexSet& set_;
  std::map<std::pair<std::uint32_t, StateId>, RegexId> aheads_;
};

// One graph walked from one state: its places, then their languages from the last node on.
class GraphWalk {
 public:
  GraphWalk(Solver& solver, std::uint32_t graph, RegexId behind_it)
      : solver_(solver),
        nodes_(solver.program().graphs[graph].nodes),
        set_(solver.set()),
        behind_it_(behind_it) {}

  Result<RegexId> Run(StateId state) {
    PlaceAt(0, state);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_.size() > kMaxPlaces) return TooManyPlaces();
      ESP_RETURN_IF_ERROR(Expand(i));
    }
    languages_.assign(places_.size(), RegexSet::kNothing);
    // by_node_ is sorted, and all moves but those within loops go to higher nodes.
    for (auto end = by_node_.end(); end != by_node_.begin();) {
      auto begin = std::prev(end);
      const std::uint32_t loop = nodes_[begin->first.first].loop;
      if (loop == 0) {
        languages_[begin->second] = Outward(places_[begin->second], loop);
      } else {
        while (begin != by_node_.begin() && LoopOf(std::prev(begin)) == loop) --begin;
        ESP_RETURN_IF_ERROR(SolveLoop(begin, end));
      }
      end = begin;
    }
    return languages_[0];
  }

 private:
  using PlaceMap = std::map<std::pair<std::uint32_t, StateId>, std::uint32_t>;

  std::uint32_t LoopOf(PlaceMap::const_iterator place) const {
    return nodes_[place->first.first].loop;
  }

  // The place at `node` for the state, without what nothing will ask for.
  std::uint32_t PlaceAt(std::uint32_t node, StateId state) {
    const StateId kept = Keep(node, state);
    const auto [at, is_new] =
        by_node_.emplace(std::pair(node, kept), static_cast<std::uint32_t>(places_.size()));
    if (is_new) places_.push_back({node, kept, {}});
    return at->second;
  }

  StateId Keep(std::uint32_t node, StateId id) {
    TextTracker::State state = solver_.tracker().state(id);
    for (std::size_t i = 0; i < state.behinds.size(); ++i) {
      if (((nodes_[node].asked >> i) & 1) == 0) state.behinds[i] = TextTracker::kIgnored;
    }
    return solver_.tracker().Intern(state);
  }

  Status Expand(std::size_t index) {
    const std::uint32_t node = places_[index].node;
    const StateId state = places_[index].state;
    for (const GraphEdge& edge : nodes_[node].edges) {
      switch (edge.kind) {
        case GraphEdgeKind::kBehind: AddBehind(index, edge, state); break;
        case GraphEdgeKind::kAhead: ESP_RETURN_IF_ERROR(AddAhead(index, edge, state)); break;
        case GraphEdgeKind::kPiece: ESP_RETURN_IF_ERROR(AddPiece(index, edge, state)); break;
      }
    }
    return Status();
  }

  void AddBehind(std::size_t index, const GraphEdge& edge, StateId state) {
    const bool holds = set_.nullable(solver_.tracker().state(state).behinds[edge.index]);
    if (holds != (edge.expect == Expect::kMatch)) return;
    AddMove(index, edge.to, state, RegexSet::kEmpty, RegexSet::kAnything);
  }

  Status AddAhead(std::size_t index, const GraphEdge& edge, StateId state) {
    ESP_ASSIGN_OR_RETURN(const RegexId ahead, solver_.AheadLanguage(edge, state));
    if (nodes_[places_[index].node].loop == 0) {
      AddMove(index, edge.to, state, RegexSet::kEmpty, ahead);
      return Status();
    }
    TextTracker::State open = solver_.tracker().state(state);
    open.ahead = set_.And(open.ahead, ahead);
    if (set_.IsNothing(set_.And(solver_.text().AnyText(), open.ahead))) return Status();
    AddMove(index, edge.to, solver_.tracker().Intern(open), RegexSet::kEmpty, RegexSet::kAnything);
    return Status();
  }

  Status AddPiece(std::size_t index, const GraphEdge& edge, StateId state) {
    const StateId kept = Keep(edge.to, state);
    if (edge.piece == RegexSet::kEmpty || solver_.tracker().IsIdle(kept)) {
      AddMove(index, edge.to, kept, edge.piece, RegexSet::kAnything);
      return Status();
    }
    ESP_ASSIGN_OR_RETURN(const std::vector<TextTracker::Path> paths, solver_.tracker().Paths(kept));
    for (const TextTracker::Path& path : paths) {
      const RegexId label = solver_.Meet(path.texts, edge.piece);
      if (label == RegexSet::kNothing || set_.IsNothing(label)) continue;
      AddMove(index, edge.to, path.to, label, RegexSet::kAnything);
    }
    return Status();
  }

  // A loop that is left leaves its open lookaheads to what follows.
  void AddMove(std::size_t index, std::uint32_t node, StateId state, RegexId label, RegexId rest) {
    if (nodes_[node].loop == 0) {
      TextTracker::State closed = solver_.tracker().state(state);
      rest = set_.And(rest, closed.ahead);
      closed.ahead = RegexSet::kAnything;
      state = solver_.tracker().Intern(closed);
    }
    const std::uint32_t to = PlaceAt(node, state);
    places_[index].moves.push_back({label, rest, to});
  }

  // The language of the moves that do not stay in `loop`.
  RegexId Outward(const Place& place, std::uint32_t loop) {
    if (place.node + 1 == nodes_.size()) return behind_it_;
    std::vector<RegexId> parts;
    for (const Move& move : place.moves) {
      if (loop != 0 && nodes_[places_[move.to].node].loop == loop) continue;
      const RegexId rest = languages_[move.to];
      if (rest == RegexSet::kNothing) continue;
      parts.push_back(set_.Concat(move.label, set_.And(move.rest, rest)));
    }
    return set_.Or(parts);
  }

  Status SolveLoop(PlaceMap::const_iterator begin, PlaceMap::const_iterator end) {
    const std::uint32_t loop = LoopOf(begin), head = begin->first.first;
    std::vector<std::uint32_t> members;
    std::map<std::uint32_t, std::uint32_t> index;
    for (auto at = begin; at != end; ++at) {
      index.emplace(at->second, static_cast<std::uint32_t>(members.size()));
      members.push_back(at->second);
    }
    if (members.size() > kMaxLoopPlaces) return TooManyPlaces();
    std::vector<RegexId> outward;
    for (const std::uint32_t member : members) {
      outward.push_back(Outward(places_[member], loop));
    }
    // The loop is entered at its head with no lookahead open.
    for (const std::uint32_t member : members) {
      const Place& place = places_[member];
      if (place.node != head) continue;
      if (solver_.tracker().state(place.state).ahead != RegexSet::kAnything) continue;
      languages_[member] = FromEntry(index, members, outward, index[member]);
    }
    return Status();
  }

  RegexId FromEntry(const std::map<std::uint32_t, std::uint32_t>& index,
                    const std::vector<std::uint32_t>& members, const std::vector<RegexId>& outward,
                    std::uint32_t entry) {
    // PathLanguages starts at state 0: the entry trades places with it.
    const auto swapped = [&](std::uint32_t i) { return i == entry ? 0 : i == 0 ? entry : i; };
    std::vector<PathStep> steps;
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      for (const Move& move : places_[members[i]].moves) {
        const auto to = index.find(move.to);
        if (to != index.end()) steps.push_back({swapped(i), swapped(to->second), move.label});
      }
    }
    const std::vector<RegexId> words =
        PathLanguages(static_cast<std::uint32_t>(members.size()), steps, set_);
    std::vector<RegexId> parts;
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      if (outward[i] != RegexSet::kNothing) {
        parts.push_back(set_.Concat(words[swapped(i)], outward[i]));
      }
    }
    return set_.Or(parts);
  }

  Solver& solver_;
  const std::vector<GraphNode>& nodes_;
  RegexSet& set_;
  const RegexId behind_it_;
  std::vector<Place> places_;
  PlaceMap by_node_;                // which place is at (node, state)
  std::vector<RegexId> languages_;  // [places]
};

Result<RegexId> Solver::Language(std::uint32_t graph, StateId state, RegexId behind_it) {
  return GraphWalk(*this, graph, behind_it).Run(state);
}

}  // namespace

Result<RegexId> LowerPart(const AssertionSource& source, const PatternPart& part) {
  RegexSet& set = source.text.set();
  if (!source.tree.node(part.root).asserts) {
    return set.Concat(std::vector{part.before, source.pieces[part.root], part.after});
  }
  ESP_ASSIGN_OR_RETURN(const AssertionProgram program, MakeAssertionProgram(source, part));
  ESP_ASSIGN_OR_RETURN(TextTracker tracker, TextTracker::Make(source.sets, source.text));
  return Solver(program, tracker, source.text).Solve();
}

}  // namespace espalier
