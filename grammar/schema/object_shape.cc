#include "grammar/schema/object_shape.h"

#include <algorithm>
#include <utility>

#include "grammar/schema/punctuation.h"

namespace espalier {

RegexId NamesBesideKeys(const ObjectShape& shape, const GoalTable& goals, TextRegex& text) {
  if (shape.keys.empty()) return text.AnyText();
  std::vector<std::string> names;
  for (const ObjectKey& key : shape.keys) names.push_back(goals.name(key.name));
  return text.Not(text.Literals(names));
}

bool ObjectShapeMaker::View::Matches(RegexId pattern) const {
  return std::ranges::binary_search(matched, pattern);
}

std::optional<ObjectShape> ObjectShapeMaker::Make(const Branch& branch) {
  Draft draft{.branch = branch};
  draft.shape.min = branch.object.min;
  draft.shape.max = branch.object.max;
  draft.shape.differs = branch.differs;
  AddPatterns(draft);
  AddKeys(draft);
  if (!FinishKeys(draft)) return std::nullopt;
  AddClasses(draft);
  AddClauses(draft);
  if (!Simplify(draft.shape) || fuel_.exhausted()) return std::nullopt;
  if (forms_ == JsonForms::kPlain) DropUndescribed(draft);
  return std::move(draft.shape);
}

void ObjectShapeMaker::AddKey(Draft& draft, NameId name) {
  const auto at = static_cast<std::uint32_t>(draft.shape.keys.size());
  if (!draft.key_of.emplace(name, at).second) return;
  fuel_.Spend(1 + draft.patterns.size());
  View view{&goals_.name(name), {}, {}};
  if (!draft.patterns.empty()) {
    const std::string spelling = EscapedText(*view.name);
    for (const RegexId pattern : draft.patterns) {
      if (scalars_.text().set().Matches(pattern, spelling)) view.matched.push_back(pattern);
    }
  }
  std::vector<Literal> rules = Rules(draft.branch, view);
  draft.describes |= !rules.empty();
  draft.shape.keys.push_back({name, goals_.Intern(std::move(rules))});
  draft.keys.push_back(std::move(view));
}

// In the order of the schema that first has them.
void ObjectShapeMaker::AddKeys(Draft& draft) {
  const ObjectPart& object = draft.branch.object;
  if (draft.branch.equals.has_value()) {
    for (const auto& [name, value] : goals_.constant(*draft.branch.equals).members) {
      AddKey(draft, goals_.Name(name));
    }
  }
  const auto add = [&](SchemaId schema) {
    for (const auto& [name, child] : document_.node(schema).properties) {
      AddKey(draft, goals_.Name(name));
    }
  };
  for (const ScopedSchema& members : object.members) add(members.schema);
  for (const NameId name : object.required) AddKey(draft, name);
  for (const auto* rests : {&object.rest, &object.broken_rests}) {
    for (const RestRule& rest : *rests) {
      for (const SchemaId schema : rest.over) add(schema);
    }
  }
  for (const ScopedSchema& broken : object.broken) {
    add(broken.schema);
    for (const std::string& name : document_.node(broken.schema).required) {
      AddKey(draft, goals_.Name(name));
    }
  }
  for (const NameId name : object.forbidden) AddKey(draft, name);
  for (const MemberClause& clause : object.clauses) {
    for (const MemberAtom& atom : clause) AddKey(draft, atom.name);
  }
  for (const auto& [name, other] : object.implied) {
    AddKey(draft, name);
    AddKey(draft, other);
  }
}

// Which keys must be there, and which cannot. False: one of them both.
bool ObjectShapeMaker::FinishKeys(Draft& draft) {
  std::vector<ObjectKey>& keys = draft.shape.keys;
  for (const NameId name : draft.branch.object.required) {
    keys[draft.key_of.at(name)].use = ObjectKey::Use::kRequired;
  }
  std::vector<std::uint8_t> forbidden(keys.size(), 0);
  for (const NameId name : draft.branch.object.forbidden) forbidden[draft.key_of.at(name)] = 1;
  if (!draft.branch.object.names.empty()) {
    const RegexId allowed = AllowedNames(draft.branch);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::string spelling = EscapedText(goals_.name(keys[i].name));
      if (!scalars_.text().set().Matches(allowed, spelling)) forbidden[i] = 1;
    }
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    // That an optional key has no value shows when it is offered; `false` is seen at once.
    const bool is_required = keys[i].use == ObjectKey::Use::kRequired;
    const bool is_empty = is_required ? oracle_.SurelyEmpty(keys[i].goal) : HasFalse(keys[i].goal);
    if (forbidden[i] == 0 && !is_empty) continue;
    if (is_required) return false;
    keys[i].use = ObjectKey::Use::kForbidden;
  }
  return true;
}

bool ObjectShapeMaker::HasFalse(GoalId goal) const {
  const std::vector<Literal>& literals = goals_.literals(goal);
  return std::any_of(literals.begin(), literals.end(), [this](const Literal& literal) {
    if (literal.claim == Claim::kNever) return literal.holds();
    const bool is_schema = literal.claim == Claim::kSchema && literal.holds();
    return is_schema && document_.node(literal.id).boolean == false;
  });
}

RegexId ObjectShapeMaker::AllowedNames(const Branch& branch) {
  const GoalId goal = goals_.Intern(branch.object.names);
  return scalars_.Of(goal).strings;
}

bool ObjectShapeMaker::Covers(SchemaId schema, const View& view) {
  if (view.name != nullptr && index_.Find(schema, *view.name).has_value()) return true;
  for (const auto& [pattern, child] : document_.node(schema).pattern_properties) {
    if (view.Matches(scalars_.Pattern(pattern))) return true;
  }
  return false;
}

bool ObjectShapeMaker::Covers(const RestRule& rest, const View& view) {
  return std::any_of(rest.over.begin(), rest.over.end(),
                     [&](SchemaId schema) { return Covers(schema, view); });
}

// What the value of a member must satisfy.
std::vector<Literal> ObjectShapeMaker::Rules(const Branch& branch, const View& view) {
  std::vector<Literal> rules;
  for (const ScopedSchema& members : branch.object.members) {
    if (view.name != nullptr) {
      const auto child = index_.Find(members.schema, *view.name);
      if (child.has_value()) rules.push_back(goals_.Schema(*child, members.scope));
    }
    for (const auto& [pattern, child] : document_.node(members.schema).pattern_properties) {
      if (view.Matches(scalars_.Pattern(pattern))) {
        rules.push_back(goals_.Schema(child, members.scope));
      }
    }
  }
  for (std::size_t i = 0; i < branch.object.rest.size(); ++i) {
    const RestRule& rest = branch.object.rest[i];
    const bool is_covered = std::ranges::binary_search(view.covered, i) || Covers(rest, view);
    if (!is_covered) rules.push_back(rest.value);
  }
  if (branch.equals.has_value()) {
    const Json* member =
        view.name == nullptr ? nullptr : goals_.MemberOf(*branch.equals, *view.name);
    if (member == nullptr) return {Literal{}};
    rules.push_back({Claim::kEquals, Truth::kHolds, goals_.Constant(*member), 0});
  }
  return rules;
}

// JsonForms::kPlain: no members that nothing is said of beside those that are described. They
// stay where the object may need them.
void ObjectShapeMaker::DropUndescribed(Draft& draft) const {
  ObjectShape& shape = draft.shape;
  const auto num_required =
      std::ranges::count(shape.keys, ObjectKey::Use::kRequired, &ObjectKey::use);
  const bool is_needed =
      shape.min > static_cast<std::uint64_t>(num_required) || !shape.differs.empty() ||
      std::ranges::any_of(shape.clauses,
                          [](const ObjectClause& clause) { return !clause.classes.empty(); });
  if (!draft.describes || is_needed) return;
  std::vector<NameClass> kept;
  for (std::size_t i = 0; i < shape.classes.size(); ++i) {
    if (draft.is_free[i] == 0) kept.push_back(shape.classes[i]);
  }
  shape.classes = std::move(kept);
}

}  // namespace espalier
