// ShapeBook: goals as shapes, made when they are first asked for, and how short a value of
// a goal can be.
//
// Costs are the least fixpoint of "a value is as long as its required parts": a worklist
// over the goals that are reachable through required parts (in the manner of Knuth, "A
// generalization of Dijkstra's algorithm", 1977), so a schema that only an endless value
// satisfies has none. A cost that is found first is kept: it is that of a value that
// exists, though perhaps not of the shortest.
//
// Out of fuel, a goal has no values and nothing is remembered.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grammar/fuel.h"
#include "grammar/regex/regex_set.h"
#include "grammar/schema/array_shape.h"
#include "grammar/schema/array_walk.h"
#include "grammar/schema/cost_source.h"
#include "grammar/schema/discriminators.h"
#include "grammar/schema/goal.h"
#include "grammar/schema/member_index.h"
#include "grammar/schema/object_shape.h"
#include "grammar/schema/object_walk.h"
#include "grammar/schema/punctuation.h"
#include "grammar/schema/scalar_language.h"
#include "grammar/schema/schema_network.h"
#include "grammar/schema/tableau.h"

namespace espalier {

class ShapeBook final : public GoalOracle, public CostSource {
 public:
  // All must outlive the book; `text` spells JSON strings.
  ShapeBook(const SchemaDocument& document, const SchemaNetworkSettings& settings, TextRegex& text,
            Fuel& fuel);

  // The texts of null, booleans, numbers and strings.
  RegexId ScalarTexts(GoalId goal);
  // The shapes of objects or arrays; empty if it is not known (out of fuel, or the goal is
  // just being expanded).
  std::optional<std::span<const std::uint32_t>> Shapes(GoalId goal, SchemaType type);
  const ObjectShape& object(std::uint32_t id) const { return objects_[id]; }
  const ArrayShape& array(std::uint32_t id) const { return arrays_[id]; }

  std::uint64_t Cost(GoalId goal) override;
  std::optional<ConstantId> ShortestScalar(GoalId goal) override;
  bool HasValues(GoalId goal, std::uint64_t num_values) override;
  bool SurelyDisjoint(const Literal& a, const Literal& b, SchemaType type) override;
  bool SurelyEmpty(GoalId goal) override;
  bool SurelyHasValue(GoalId goal) override;

  // The schema that was being looked at when the fuel ran out; empty if it has not.
  std::optional<SchemaId> exhausted_at() const { return exhausted_at_; }

  GoalTable& goals() { return goals_; }
  ScalarLanguage& scalars() { return scalars_; }
  ObjectWalk& object_walk() { return object_walk_; }
  ArrayWalk& array_walk() { return array_walk_; }
  const Punctuation& punctuation() const { return punctuation_; }

 private:
  friend class CostRound;
  using TypedGoal = std::pair<GoalId, SchemaType>;

  std::optional<RegexId> TryScalarTexts(GoalId goal);
  std::optional<RegexId> NumberTexts(GoalId goal);
  std::optional<RegexId> TextsOf(const NumberPart& part);
  std::optional<RegexId> TextsOf(const NumberConstraint& number);
  std::optional<std::vector<Branch>> Expand(GoalId goal, SchemaType type);
  std::optional<std::uint64_t> ScalarCost(GoalId goal);
  void NoteExhausted(GoalId goal);
  void AddShapes(const std::vector<Branch>& branches, SchemaType type,
                 std::vector<std::uint32_t>& ids);

  GoalTable goals_;
  RegexSet& set_;
  Fuel& fuel_;
  const JsonForms forms_;
  const std::size_t split_steps_;
  const Punctuation punctuation_;
  MemberIndex index_;
  Discriminators discriminators_;
  ScalarLanguage scalars_;
  Tableau tableau_;
  ObjectShapeMaker object_maker_;
  ArrayShapeMaker array_maker_;
  ObjectWalk object_walk_;
  ArrayWalk array_walk_;

  std::deque<ObjectShape> objects_;
  std::deque<ArrayShape> arrays_;
  std::map<TypedGoal, std::vector<std::uint32_t>> shapes_;
  std::set<TypedGoal> in_progress_;
  std::unordered_map<GoalId, RegexId> scalar_texts_;
  std::optional<RegexId> numbers_, integers_;  // without further constraint
  std::map<TypedGoal, std::uint64_t> costs_;   // of objects and arrays, where it is settled
  std::map<std::pair<GoalId, SchemaType>, bool> disjoint_;
  std::optional<SchemaId> exhausted_at_;
  std::size_t query_depth_ = 0;  // questions of the tableau, one inside another
};

}  // namespace espalier
