// Tableau: a goal for one type, as a disjunction of branches.
//
// The method is Smullyan's ("First-Order Logic", 1968, chapter 2). The type is fixed, so
// keywords of other types are true and their negations false. Assertions are merged into
// the branch; applicators and negated keywords are splits, held back until nothing else is
// left to do, and then the smallest is taken: an alternative that contradicts the branch is
// dropped, a split with one that already holds is done. Two rules keep oneOf small: members
// that are disjoint need no negation, and a branch whose required members cannot have a
// value is closed at once.
//
// Splits of objects whose members are many ways apart stay conjunctions of clauses, where they
// can be put like that (member_clauses.h) and one is told to.
//
// A literal that is met again in its own branch adds nothing. It is there already for another
// reason: schemas that refer to themselves in place are refused before (schema_cycles.h).
//
// Where a document uses unevaluated*, every in-place subschema is decided, so that a branch
// knows which of them evaluate a member.
//
// Strings, booleans and null are not done here: scalar_language.h.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "grammar/fuel.h"
#include "grammar/schema/branch.h"
#include "grammar/schema/goal.h"
#include "grammar/schema/member_clauses.h"
#include "grammar/schema/member_index.h"
#include "grammar/schema/schema_document.h"

namespace espalier {

// What a tableau asks about goals. Both answers may err towards "no".
class GoalOracle {
 public:
  virtual ~GoalOracle() = default;
  // No value of `type` satisfies both.
  virtual bool SurelyDisjoint(const Literal& a, const Literal& b, SchemaType type) = 0;
  // No value satisfies the goal; cheap.
  virtual bool SurelyEmpty(GoalId goal) = 0;
  // Some value satisfies the goal; cheap.
  virtual bool SurelyHasValue(GoalId goal) = 0;
};

// What becomes of a split: a branch for each alternative, or clauses of the branch.
enum class SplitUse : std::uint8_t { kBranches, kClauses };

class Tableau {
 public:
  // All must outlive the tableau.
  Tableau(const SchemaDocument& document, MemberIndex& index, GoalTable& goals, GoalOracle& oracle,
          Fuel& fuel);

  // Empty: more than `max_steps` branches were looked at, or fuel ran out.
  // REQUIRES: type is kNumber, kObject or kArray
  std::optional<std::vector<Branch>> Expand(GoalId goal, SchemaType type, SplitUse use,
                                            std::size_t max_steps);

  // A superset of the types of the values for which `schema` holds.
  SchemaTypes PossibleTypes(SchemaId schema);
  SchemaTypes PossibleTypesOfGoal(GoalId goal);

 private:
  using Alternative = std::vector<Literal>;
  using Split = std::vector<Alternative>;

  struct Work {  // a branch that is not finished
    SchemaType type;
    Branch branch;
    std::set<Literal> done;
    std::vector<Literal> todo;
    std::vector<Split> splits;
    std::vector<Literal> unevaluated;  // schemas whose unevaluated* holds
    std::vector<Literal> broken;       // schemas whose unevaluated* fails alone
  };
  // A branch and a split of it; the branches of the alternatives before `next` are done.
  struct Fork {
    Work work;
    Split split;
    std::size_t next = 0;
  };

  // tableau.cc
  bool Saturate(Work& work);
  bool AssertAll(Work& work, const std::vector<Literal>& literals);
  bool SimplifySplits(Work& work);
  bool HasDeadMember(const Work& work);
  bool IsContradicted(const Work& work, const Alternative& alternative) const;
  bool IsEntailed(const Work& work, const Alternative& alternative) const;
  bool KeepClauses(Work& work);
  static Fork SplitSmallest(Work work);
  std::optional<Work> NextBranch(std::vector<Fork>& forks);
  void AddSplit(Work& work, Split split);
  bool Assert(Work& work, const Literal& literal);
  SchemaTypes TypesOf(SchemaId schema, std::size_t depth);
  SchemaTypes TypesOfAny(const std::vector<SchemaId>& schemas, std::size_t depth);

  // tableau_holds.cc: what a schema that holds asks for. False closes the branch.
  bool Holds(Work& work, const Literal& literal);
  bool HoldsButRest(Work& work, const Literal& literal);
  void HoldsInPlace(Work& work, const Literal& literal);
  void AddAnyOf(Work& work, const SchemaNode& node, ScopeId scope);
  void AddOneOf(Work& work, const SchemaNode& node, ScopeId scope);
  void AddConditional(Work& work, const SchemaNode& node, ScopeId scope);
  bool HoldsValues(Work& work, const std::vector<Json>& values);
  bool HoldsEquals(Work& work, ConstantId constant);
  bool HoldsNumber(NumberPart& part, const SchemaNode& node);
  void HoldsObject(Work& work, const Literal& literal);
  void HoldsArray(Work& work, const Literal& literal);

  // tableau_fails.cc: what a schema or keyword that fails asks for.
  bool Fails(Work& work, const Literal& literal);
  void AddInPlaceFailures(Split& split, const Literal& literal, SchemaType type);
  void AddOneOfFailures(Split& split, const SchemaNode& node, ScopeId scope, SchemaType type);
  void AddNumberFailures(Split& split, const Literal& literal);
  void AddObjectFailures(Split& split, const Literal& literal);
  void AddArrayFailures(Split& split, const Literal& literal);
  bool KeywordFails(Work& work, const Literal& literal);
  bool RestFails(Work& work, const Literal& literal);
  bool NumberFails(NumberPart& part, const Literal& literal);
  bool ObjectFails(ObjectPart& part, const Literal& literal);
  bool ArrayFails(ArrayPart& part, const Literal& literal);
  bool ValuesFail(Work& work, const std::vector<Json>& values);

  // unevaluated.cc
  const std::optional<SchemaId>& RestOf(const Work& work, SchemaId schema) const;
  bool AddRests(Work& work);
  bool CollectEvaluating(const Work& work, const Literal& owner, std::vector<SchemaId>& over);

  const SchemaDocument& document_;
  GoalTable& goals_;
  GoalOracle& oracle_;
  Fuel& fuel_;
  MemberIndex& index_;
  MemberClauses clauses_;
  bool decides_all_ = false;        // unevaluated* is used somewhere
  std::vector<SchemaTypes> types_;  // [nodes]: memo of TypesOf; 0x80: not known yet
};

}  // namespace espalier
