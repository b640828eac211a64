// ObjectShape: one way that objects may look: which names, with which goals.
//
// Names that some schema mentions are keys; all others fall into classes by the patterns
// that they match. What is asked of the object as a whole is clauses: each is satisfied by
// a key that is absent, or by a member.
//
// Thread safety: a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "grammar/regex/regex_set.h"
#include "grammar/schema/branch.h"
#include "grammar/schema/goal.h"
#include "grammar/schema/member_index.h"
#include "grammar/schema/scalar_language.h"
#include "grammar/schema/tableau.h"

namespace espalier {

struct ObjectKey {
  enum class Use : std::uint8_t { kOptional, kRequired, kForbidden };

  NameId name;
  GoalId goal;
  Use use = Use::kOptional;
};

struct NameClass {
  // As the inside of a JSON string; no name of a key. Empty: all names that are no key, to
  // be spelled out where they are asked for, which is in few of the objects that have them.
  std::optional<RegexId> names;
  GoalId goal;  // of all names
  // What is asked besides where a name matches a pattern. All of that together has a value.
  struct Extra {
    RegexId pattern;
    std::vector<Literal> rules;
  };
  std::vector<Extra> extras;
  GoalId strictest = goal;  // with all that is asked besides
};

// At least one of these is true of the object.
struct ObjectClause {
  struct Witness {
    std::uint32_t at;           // of keys or classes
    std::vector<Literal> more;  // that the member's value satisfies besides its goal
  };

  std::vector<std::uint32_t> absent;  // keys
  std::vector<Witness> keys, classes;
};

struct ObjectShape {
  static constexpr std::size_t kMaxClauses = 512;

  std::vector<ObjectKey> keys;  // in the order of the schema
  std::vector<NameClass> classes;
  std::vector<ObjectClause> clauses;
  std::vector<ConstantId> differs;  // the object is none of these
  std::uint64_t min = 0, max = kNoLimit;
};

// The names that are no key of `shape`.
RegexId NamesBesideKeys(const ObjectShape& shape, const GoalTable& goals, TextRegex& text);

class ObjectShapeMaker {
 public:
  // All must outlive the maker.
  ObjectShapeMaker(MemberIndex& index, GoalTable& goals, ScalarLanguage& scalars, JsonForms forms,
                   GoalOracle& oracle, Fuel& fuel)
      : document_(goals.document()),
        index_(index),
        goals_(goals),
        scalars_(scalars),
        forms_(forms),
        oracle_(oracle),
        fuel_(fuel) {}

  // Empty: no object is like that, or fuel ran out.
  std::optional<ObjectShape> Make(const Branch& branch);

 private:
  // A name, or all names of a class, as rules look at it.
  struct View {
    const std::string* name;       // null for a class
    std::vector<RegexId> matched;  // patterns, sorted
    // Rest rules of the branch that some pattern covers, though it is not known which.
    std::vector<std::size_t> covered;
    bool Matches(RegexId pattern) const;
  };
  // Patterns that make no difference to one another: what a name is asked that matches one.
  struct PatternGroup {
    std::vector<RegexId> patterns;
    RegexId any;
    std::vector<Literal> rules;
    std::vector<std::size_t> covers;  // rest rules of the branch
    bool is_exact;                    // clauses ask whether names match
  };
  // Names of which some groups are not decided.
  struct OpenClass {
    RegexId names;
    View view;
    std::vector<std::uint32_t> open;  // groups
    bool is_described;                // something is asked of all names
  };
  struct Draft {
    const Branch& branch;
    ObjectShape shape;
    std::vector<View> keys, classes;  // of shape.keys and shape.classes
    std::unordered_map<NameId, std::uint32_t> key_of;
    std::vector<RegexId> patterns;      // that tell names apart, sorted
    std::vector<PatternGroup> groups;   // of the patterns
    bool describes = false;             // some property
    std::vector<std::uint8_t> is_free;  // a class that nothing is said of, by class
  };

  void AddKeys(Draft& draft);
  void AddKey(Draft& draft, NameId name);
  bool FinishKeys(Draft& draft);
  void AddClauses(Draft& draft);
  void DropUndescribed(Draft& draft) const;

  // name_classes.cc
  void AddPatterns(Draft& draft);
  void AddClasses(Draft& draft);
  std::vector<std::uint32_t> NextCut(const Draft& draft, const OpenClass& names);
  bool IsEmpty(const Draft& draft, const OpenClass& names);
  void Cut(const Draft& draft, OpenClass names, const std::vector<std::uint32_t>& groups,
           std::vector<OpenClass>& out);
  void AddClass(Draft& draft, std::optional<RegexId> names, View view,
                const std::vector<std::uint32_t>& open);

  bool HasFalse(GoalId goal) const;
  bool Covers(SchemaId schema, const View& view);
  bool Covers(const RestRule& rest, const View& view);
  std::vector<Literal> Rules(const Branch& branch, const View& view);
  RegexId AllowedNames(const Branch& branch);

  ObjectClause ClauseOf(const Draft& draft, const ScopedSchema& broken);
  void AddWitnesses(const ScopedSchema& broken, const View& view, std::uint32_t at,
                    std::vector<ObjectClause::Witness>& out);

  bool Simplify(ObjectShape& shape);
  bool IsSatisfied(const ObjectShape& shape, const ObjectClause& clause);
  void DropImpossible(const ObjectShape& shape, ObjectClause& clause);
  bool ApplySingle(ObjectShape& shape, const ObjectClause& clause);

  const SchemaDocument& document_;
  MemberIndex& index_;
  GoalTable& goals_;
  ScalarLanguage& scalars_;
  const JsonForms forms_;
  GoalOracle& oracle_;
  Fuel& fuel_;
};

}  // namespace espalier
