// What is asked of an object as a whole: member keywords that must fail, and names that
// ask for names.
#include <algorithm>
#include <utility>

#include "grammar/schema/object_shape.h"
#include "grammar/schema/punctuation.h"

namespace espalier {

using Witness = ObjectClause::Witness;

void ObjectShapeMaker::AddClauses(Draft& draft) {
  const ObjectPart& object = draft.branch.object;
  for (const auto& [name, other] : object.implied) {
    ObjectClause clause;
    clause.absent.push_back(draft.key_of.at(name));
    clause.keys.push_back({draft.key_of.at(other), {}});
    draft.shape.clauses.push_back(std::move(clause));
  }
  for (const MemberClause& atoms : object.clauses) {
    ObjectClause clause;
    for (const MemberAtom& atom : atoms) {
      const std::uint32_t key = draft.key_of.at(atom.name);
      if (!atom.is_there()) {
        clause.absent.push_back(key);
      } else {
        clause.keys.push_back({key, {}});
        if (atom.value.has_value()) clause.keys.back().more.push_back(*atom.value);
      }
    }
    draft.shape.clauses.push_back(std::move(clause));
  }
  for (const ScopedSchema& broken : object.broken) {
    ObjectClause clause = ClauseOf(draft, broken);
    for (std::uint32_t i = 0; i < draft.keys.size(); ++i) {
      AddWitnesses(broken, draft.keys[i], i, clause.keys);
    }
    for (std::uint32_t i = 0; i < draft.classes.size(); ++i) {
      AddWitnesses(broken, draft.classes[i], i, clause.classes);
    }
    draft.shape.clauses.push_back(std::move(clause));
  }
  for (const RestRule& rest : object.broken_rests) {
    ObjectClause clause;
    for (std::uint32_t i = 0; i < draft.keys.size(); ++i) {
      if (!Covers(rest, draft.keys[i])) clause.keys.push_back({i, {rest.value}});
    }
    for (std::uint32_t i = 0; i < draft.classes.size(); ++i) {
      if (!Covers(rest, draft.classes[i])) clause.classes.push_back({i, {rest.value}});
    }
    draft.shape.clauses.push_back(std::move(clause));
  }
}

ObjectClause ObjectShapeMaker::ClauseOf(const Draft& draft, const ScopedSchema& broken) {
  ObjectClause clause;
  for (const std::string& name : document_.node(broken.schema).required) {
    clause.absent.push_back(draft.key_of.at(goals_.Name(name)));
  }
  return clause;
}

// The ways in which a member of `view` breaks the keywords of a schema.
void ObjectShapeMaker::AddWitnesses(const ScopedSchema& broken, const View& view, std::uint32_t at,
                                    std::vector<Witness>& out) {
  const SchemaNode& node = document_.node(broken.schema);
  const auto add = [&](SchemaId child) {
    const std::optional<bool> boolean = document_.node(child).boolean;
    if (boolean == true) return;
    Witness witness{at, {}};
    if (boolean != false) {
      witness.more.push_back(goals_.Schema(child, broken.scope, Truth::kFails));
    }
    out.push_back(std::move(witness));
  };
  fuel_.Spend(1);
  if (view.name != nullptr) {
    const auto child = index_.Find(broken.schema, *view.name);
    if (child.has_value()) add(*child);
  }
  for (const auto& [pattern, child] : node.pattern_properties) {
    if (view.Matches(scalars_.Pattern(pattern))) add(child);
  }
  if (node.additional_properties.has_value() && !Covers(broken.schema, view)) {
    add(*node.additional_properties);
  }
  if (node.property_names.has_value()) {
    const Literal names = goals_.Schema(*node.property_names, broken.scope);
    if (!view.Matches(scalars_.Of(goals_.Intern({names})).possible)) out.push_back({at, {}});
  }
}

// Drops clauses that always hold and alternatives that never do, until nothing changes.
// False: a clause has no alternative left.
bool ObjectShapeMaker::Simplify(ObjectShape& shape) {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<ObjectClause> kept;
    std::vector<ObjectClause> clauses = std::move(shape.clauses);
    for (ObjectClause& clause : clauses) {
      if (!fuel_.Spend(1 + clause.keys.size())) return false;
      if (IsSatisfied(shape, clause)) continue;
      DropImpossible(shape, clause);
      const std::size_t left = clause.absent.size() + clause.keys.size() + clause.classes.size();
      if (left == 0) return false;
      if (left == 1 && clause.classes.empty()) {
        if (!ApplySingle(shape, clause)) return false;
        changed = true;
      } else {
        kept.push_back(std::move(clause));
      }
    }
    shape.clauses = std::move(kept);
  }
  std::uint64_t required = 0;
  for (const ObjectKey& key : shape.keys) required += key.use == ObjectKey::Use::kRequired;
  if (shape.clauses.size() > ObjectShape::kMaxClauses) fuel_.Exhaust();
  return required <= shape.max;
}

bool ObjectShapeMaker::IsSatisfied(const ObjectShape& shape, const ObjectClause& clause) {
  for (const std::uint32_t key : clause.absent) {
    if (shape.keys[key].use == ObjectKey::Use::kForbidden) return true;
  }
  for (const Witness& witness : clause.keys) {
    const ObjectKey& key = shape.keys[witness.at];
    if (key.use != ObjectKey::Use::kRequired) continue;
    if (witness.more.empty()) return true;
    if (witness.more.size() > 1) continue;
    const Literal opposite[] = {witness.more.front().Negated()};
    if (oracle_.SurelyEmpty(goals_.With(key.goal, opposite))) return true;
  }
  return false;
}

void ObjectShapeMaker::DropImpossible(const ObjectShape& shape, ObjectClause& clause) {
  std::erase_if(clause.absent, [&](std::uint32_t key) {
    return shape.keys[key].use == ObjectKey::Use::kRequired;
  });
  std::erase_if(clause.keys, [&](const Witness& witness) {
    const ObjectKey& key = shape.keys[witness.at];
    return key.use == ObjectKey::Use::kForbidden ||
           oracle_.SurelyEmpty(goals_.With(key.goal, witness.more));
  });
  std::erase_if(clause.classes, [&](const Witness& witness) {
    return oracle_.SurelyEmpty(goals_.With(shape.classes[witness.at].goal, witness.more));
  });
}

bool ObjectShapeMaker::ApplySingle(ObjectShape& shape, const ObjectClause& clause) {
  if (!clause.absent.empty()) {
    shape.keys[clause.absent.front()].use = ObjectKey::Use::kForbidden;
    return true;
  }
  ObjectKey& key = shape.keys[clause.keys.front().at];
  key.use = ObjectKey::Use::kRequired;
  key.goal = goals_.With(key.goal, clause.keys.front().more);
  return !oracle_.SurelyEmpty(key.goal);
}

}  // namespace espalier
