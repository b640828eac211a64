// ArrayShape: one way that arrays may look: which elements, with which goals.
//
// What is asked of the array as a whole is clauses: each is satisfied by some element.
//
// Thread safety: a value.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grammar/schema/branch.h"
#include "grammar/schema/goal.h"
#include "grammar/schema/tableau.h"

namespace espalier {

struct ArrayClause {  // some element does this
  struct Witness {
    std::uint64_t first, last;  // indexes, both included
    std::vector<Literal> more;  // that the element satisfies besides its goal
  };
  std::vector<Witness> witnesses;
};

// Elements from `first` that match none of some `contains` satisfy `value`.
struct ArrayRest {
  std::uint64_t first;
  Literal value;
  std::uint64_t unless;  // contains rules, one bit each
};

struct ArrayShape {
  std::vector<GoalId> prefix;
  GoalId rest = GoalTable::kAnyValue;  // of elements behind it
  std::vector<ContainsRule> contains;
  std::vector<ArrayRest> rests;
  std::vector<ArrayClause> clauses;
  std::vector<ConstantId> differs;
  std::uint64_t min = 0, max = kNoLimit;
  bool unique = false;
  bool repeats = false;       // two elements are equal
  std::uint64_t horizon = 0;  // indexes from here on are alike

  GoalId GoalAt(std::uint64_t index) const { return index < prefix.size() ? prefix[index] : rest; }
};

class ArrayShapeMaker {
 public:
  // All must outlive the maker.
  ArrayShapeMaker(const SchemaDocument& document, GoalTable& goals, Fuel& fuel)
      : document_(document), goals_(goals), fuel_(fuel) {}

  // Empty: no array is like that, or fuel ran out.
  std::optional<ArrayShape> Make(const Branch& branch);

 private:
  GoalId GoalAt(const Branch& branch, std::uint64_t index);
  ArrayRest RestOf(const RestRule& rule, const ArrayShape& shape) const;
  bool AddClauses(const Branch& branch, ArrayShape& shape);

  const SchemaDocument& document_;
  GoalTable& goals_;
  Fuel& fuel_;
};

}  // namespace espalier
