// MemberClauses: what a split asks of an object, as clauses about single members.
//
// n conditions on different members have 2^n ways to turn out, and a tableau would write
// each of them out. Where conditions speak of the presence and the values of named members
// only, they are kept as they are, a conjunction of clauses, and the walk through the object
// settles them member by member (object_walk.h): one output meets one way.
//
// Literals become conjunctions of clauses by De Morgan's laws and distribution, which are
// given up where they would grow; subsumed clauses are dropped on the way.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grammar/fuel.h"
#include "grammar/schema/branch.h"
#include "grammar/schema/goal.h"
#include "grammar/schema/schema_document.h"

namespace espalier {

class MemberClauses {
 public:
  using Alternative = std::vector<Literal>;

  // All must outlive the object.
  MemberClauses(const SchemaDocument& document, GoalTable& goals, Fuel& fuel)
      : document_(document), goals_(goals), fuel_(fuel) {}

  // Clauses that an object satisfies iff all literals of one alternative are true of it.
  // Empty: the alternatives ask for more than clauses can say, or for too many of them.
  std::optional<std::vector<MemberClause>> Of(const std::vector<Alternative>& split);

 private:
  using Clauses = std::vector<MemberClause>;  // none: true; an empty one among them: false

  Clauses OfLiteral(const Literal& literal, std::size_t depth);
  Clauses OfSchema(const Literal& literal, std::size_t depth);
  Clauses OfMembers(const SchemaNode& node, const Literal& literal);
  Clauses OfDependents(const SchemaNode& node, const Literal& literal, std::size_t depth);
  Clauses OfInPlace(const SchemaNode& node, const Literal& literal, std::size_t depth);
  Clauses OfOneOf(const SchemaNode& node, const Literal& literal, std::size_t depth);
  Clauses OfConditional(const SchemaNode& node, const Literal& literal, std::size_t depth);
  Clauses Presence(const std::string& name, Truth truth);
  Clauses Join(Truth truth, Clauses a, const Clauses& b);
  Clauses And(Clauses a, const Clauses& b);
  Clauses Or(const Clauses& a, const Clauses& b);
  Clauses AllOf(const std::vector<Clauses>& parts);
  Clauses AnyOf(const std::vector<Clauses>& parts);
  Clauses GiveUp();

  const SchemaDocument& document_;
  GoalTable& goals_;
  Fuel& fuel_;
  bool has_given_up_ = false;
};

}  // namespace espalier
