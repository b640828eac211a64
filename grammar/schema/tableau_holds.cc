// What a schema that holds asks of a branch.
#include <algorithm>
#include <utility>

#include "grammar/schema/tableau.h"

namespace espalier {
namespace {

bool HasMemberKeywords(const SchemaNode& node) {
  return !node.properties.empty() || !node.pattern_properties.empty();
}

}  // namespace

bool Tableau::Holds(Work& work, const Literal& literal) {
  if (!HoldsButRest(work, literal)) return false;
  if (RestOf(work, literal.id).has_value()) work.unevaluated.push_back(literal);
  return true;
}

bool Tableau::HoldsButRest(Work& work, const Literal& literal) {
  const SchemaNode& node = document_.node(literal.id);
  if (node.boolean.has_value()) return *node.boolean;
  if ((PossibleTypes(literal.id) & TypeBit(work.type)) == 0) return false;
  if (node.values.has_value() && !HoldsValues(work, *node.values)) return false;
  if (node.constant.has_value() && !HoldsValues(work, {*node.constant})) return false;
  HoldsInPlace(work, literal);
  if (work.type == SchemaType::kNumber) return HoldsNumber(work.branch.number, node);
  if (work.type == SchemaType::kObject) HoldsObject(work, literal);
  if (work.type == SchemaType::kArray) HoldsArray(work, literal);
  return true;
}

void Tableau::HoldsInPlace(Work& work, const Literal& literal) {
  const SchemaNode& node = document_.node(literal.id);
  const ScopeId scope = literal.scope;
  if (node.ref.has_value()) work.todo.push_back(goals_.Schema(*node.ref, scope));
  if (node.dynamic_ref.has_value()) {
    work.todo.push_back(goals_.Schema(goals_.Resolve(*node.dynamic_ref, scope), scope));
  }
  for (const SchemaId part : node.all_of) work.todo.push_back(goals_.Schema(part, scope));
  if (node.not_of.has_value()) {
    work.todo.push_back(goals_.Schema(*node.not_of, scope, Truth::kFails));
  }
  if (!node.any_of.empty()) AddAnyOf(work, node, scope);
  if (!node.one_of.empty()) AddOneOf(work, node, scope);
  if (node.if_of.has_value()) AddConditional(work, node, scope);
}

void Tableau::AddAnyOf(Work& work, const SchemaNode& node, ScopeId scope) {
  Split split;
  for (const SchemaId part : node.any_of) {
    if ((PossibleTypes(part) & TypeBit(work.type)) == 0) continue;
    const Literal holds = goals_.Schema(part, scope);
    split.push_back({holds});
    if (decides_all_) AddSplit(work, {{holds}, {holds.Negated()}});
  }
  AddSplit(work, std::move(split));
}

void Tableau::AddOneOf(Work& work, const SchemaNode& node, ScopeId scope) {
  std::vector<Literal> members;
  for (const SchemaId part : node.one_of) {
    if ((PossibleTypes(part) & TypeBit(work.type)) == 0) continue;
    members.push_back(goals_.Schema(part, scope));
  }
  Split split;
  for (const Literal& member : members) split.push_back({member});
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = i + 1; j < members.size(); ++j) {
      if (!fuel_.Spend(1)) return;
      if (oracle_.SurelyDisjoint(members[i], members[j], work.type)) continue;
      split[i].push_back(members[j].Negated());
      split[j].push_back(members[i].Negated());
    }
  }
  AddSplit(work, std::move(split));
}

void Tableau::AddConditional(Work& work, const SchemaNode& node, ScopeId scope) {
  if (!decides_all_ && !node.then_of.has_value() && !node.else_of.has_value()) return;
  const Literal condition = goals_.Schema(*node.if_of, scope);
  Alternative met = {condition};
  Alternative unmet = {condition.Negated()};
  if (node.then_of.has_value()) met.push_back(goals_.Schema(*node.then_of, scope));
  if (node.else_of.has_value()) unmet.push_back(goals_.Schema(*node.else_of, scope));
  AddSplit(work, {std::move(met), std::move(unmet)});
}

// The value is one of `values`.
bool Tableau::HoldsValues(Work& work, const std::vector<Json>& values) {
  const bool number = work.type == SchemaType::kNumber;
  const Json::Kind kind = number                             ? Json::Kind::kNumber
                          : work.type == SchemaType::kObject ? Json::Kind::kObject
                                                             : Json::Kind::kArray;
  std::vector<ConstantId> constants;
  fuel_.Spend(values.size());
  for (const Json& value : values) {
    if (value.kind == kind) constants.push_back(goals_.Constant(value));
  }
  if (number) {
    std::optional<std::vector<ConstantId>>& allowed = work.branch.number.allowed;
    if (allowed.has_value()) {
      std::sort(constants.begin(), constants.end());
      std::erase_if(*allowed, [&constants](ConstantId id) {
        return !std::binary_search(constants.begin(), constants.end(), id);
      });
    } else {
      allowed = std::move(constants);
    }
    return !allowed->empty();
  }
  Split split;
  for (const ConstantId id : constants) split.push_back({{Claim::kEquals, Truth::kHolds, id, 0}});
  AddSplit(work, std::move(split));
  return true;
}

bool Tableau::HoldsEquals(Work& work, ConstantId constant) {
  const Json& value = goals_.constant(constant);
  if (work.type == SchemaType::kNumber) return HoldsValues(work, {value});
  if (value.kind != (work.type == SchemaType::kObject ? Json::Kind::kObject : Json::Kind::kArray)) {
    return false;
  }
  std::optional<ConstantId>& equals = work.branch.equals;
  if (equals.has_value()) return *equals == constant;
  equals = constant;
  for (const auto& [name, member] : value.members) {
    work.branch.object.required.push_back(goals_.Name(name));
  }
  return true;
}

bool Tableau::HoldsNumber(NumberPart& part, const SchemaNode& node) {
  NumberConstraint& number = part.constraint;
  if (node.lower.has_value()) RaiseLower(number.lower, *node.lower);
  if (node.upper.has_value()) ReduceUpper(number.upper, *node.upper);
  if (node.multiple_of.has_value()) number.multiple_of.push_back(*node.multiple_of);
  if (!node.integer) return true;
  if (node.plain_integer) {
    if (number.writing == NumberConstraint::Writing::kNotDigits) return false;
    number.writing = NumberConstraint::Writing::kDigits;
  }
  if (number.integrality == NumberConstraint::Integrality::kNotInteger) return false;
  number.integrality = NumberConstraint::Integrality::kInteger;
  return true;
}

void Tableau::HoldsObject(Work& work, const Literal& literal) {
  const SchemaNode& node = document_.node(literal.id);
  const ScopeId scope = literal.scope;
  ObjectPart& object = work.branch.object;
  if (HasMemberKeywords(node)) object.members.push_back({literal.id, scope});
  if (node.additional_properties.has_value()) {
    object.rest.push_back({{literal.id}, goals_.Schema(*node.additional_properties, scope)});
  }
  if (node.property_names.has_value()) {
    object.names.push_back(goals_.Schema(*node.property_names, scope));
  }
  for (const std::string& name : node.required) object.required.push_back(goals_.Name(name));
  object.min = std::max(object.min, node.min_properties.value_or(0));
  object.max = std::min(object.max, node.max_properties.value_or(kNoLimit));
  for (const auto& [name, others] : node.dependent_required) {
    for (const std::string& other : others) {
      object.implied.emplace_back(goals_.Name(name), goals_.Name(other));
    }
  }
  for (const auto& [name, schema] : node.dependent_schemas) {
    const Literal present{Claim::kHasName, Truth::kHolds, goals_.Name(name), 0};
    AddSplit(work, {{present.Negated()}, {present, goals_.Schema(schema, scope)}});
  }
}

void Tableau::HoldsArray(Work& work, const Literal& literal) {
  const SchemaNode& node = document_.node(literal.id);
  ArrayPart& array = work.branch.array;
  if (!node.prefix_items.empty() || node.items.has_value()) {
    array.elements.push_back({literal.id, literal.scope});
  }
  array.min = std::max(array.min, node.min_items.value_or(0));
  array.max = std::min(array.max, node.max_items.value_or(kNoLimit));
  array.unique = array.unique || node.unique_items;
  if (node.contains.has_value()) {
    array.contains.push_back({goals_.Schema(*node.contains, literal.scope), literal.id,
                              node.min_contains.value_or(1), node.max_contains.value_or(kNoLimit)});
  }
}

}  // namespace espalier
