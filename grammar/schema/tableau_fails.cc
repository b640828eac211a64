// What a schema, or a keyword, that fails asks of a branch: one of its keywords fails, and
// a keyword that fails is an assertion of its own.
#include <algorithm>
#include <utility>

#include "grammar/schema/tableau.h"

namespace espalier {
namespace {

Literal KeywordFailure(Claim claim, const Literal& schema) {
  return {claim, Truth::kFails, schema.id, schema.scope};
}

bool HasMemberFailure(const SchemaNode& node) {
  return !node.properties.empty() || !node.pattern_properties.empty() || !node.required.empty() ||
         node.additional_properties.has_value() || node.property_names.has_value();
}

// What a number satisfies iff it is on the other side of `bound`.
NumberBound Opposite(const NumberBound& bound) {
  using Kind = NumberBound::Kind;
  return {bound.value, bound.kind == Kind::kInclusive ? Kind::kExclusive : Kind::kInclusive};
}

}  // namespace

bool Tableau::Fails(Work& work, const Literal& literal) {
  const SchemaNode& node = document_.node(literal.id);
  if (node.boolean.has_value()) return !*node.boolean;
  const SchemaTypes types = node.types.value_or(kAllTypes);
  if ((types & TypeBit(work.type)) == 0) return true;
  Split split;
  if (node.values.has_value()) split.push_back({KeywordFailure(Claim::kValues, literal)});
  if (node.constant.has_value()) split.push_back({KeywordFailure(Claim::kConstant, literal)});
  if (work.type == SchemaType::kNumber) AddNumberFailures(split, literal);
  if (work.type == SchemaType::kObject) AddObjectFailures(split, literal);
  if (work.type == SchemaType::kArray) AddArrayFailures(split, literal);
  if (RestOf(work, literal.id).has_value()) {
    split.push_back({KeywordFailure(Claim::kRest, literal)});
  }
  AddInPlaceFailures(split, literal, work.type);
  AddSplit(work, std::move(split));
  return true;
}

void Tableau::AddInPlaceFailures(Split& split, const Literal& literal, SchemaType type) {
  const SchemaNode& node = document_.node(literal.id);
  const ScopeId scope = literal.scope;
  const auto fails = [&](SchemaId id) { return goals_.Schema(id, scope, Truth::kFails); };
  if (node.ref.has_value()) split.push_back({fails(*node.ref)});
  if (node.dynamic_ref.has_value()) {
    split.push_back({fails(goals_.Resolve(*node.dynamic_ref, scope))});
  }
  for (const SchemaId part : node.all_of) split.push_back({fails(part)});
  if (!node.any_of.empty()) {
    Alternative none;
    for (const SchemaId part : node.any_of) none.push_back(fails(part));
    split.push_back(std::move(none));
  }
  if (!node.one_of.empty()) AddOneOfFailures(split, node, scope, type);
  if (node.not_of.has_value()) split.push_back({goals_.Schema(*node.not_of, scope)});
  if (!node.if_of.has_value()) return;
  const Literal condition = goals_.Schema(*node.if_of, scope);
  if (node.then_of.has_value()) split.push_back({condition, fails(*node.then_of)});
  if (node.else_of.has_value()) split.push_back({condition.Negated(), fails(*node.else_of)});
}

// None holds, or two do.
void Tableau::AddOneOfFailures(Split& split, const SchemaNode& node, ScopeId scope,
                               SchemaType type) {
  Alternative none;
  for (const SchemaId part : node.one_of) {
    if ((PossibleTypes(part) & TypeBit(type)) == 0) continue;
    none.push_back(goals_.Schema(part, scope, Truth::kFails));
  }
  for (std::size_t i = 0; i < none.size(); ++i) {
    for (std::size_t j = i + 1; j < none.size(); ++j) {
      if (!fuel_.Spend(1)) return;
      split.push_back({none[i].Negated(), none[j].Negated()});
    }
  }
  split.push_back(std::move(none));
}

void Tableau::AddNumberFailures(Split& split, const Literal& literal) {
  const SchemaNode& node = document_.node(literal.id);
  const auto add = [&](Claim claim) { split.push_back({KeywordFailure(claim, literal)}); };
  if (node.integer) add(Claim::kInteger);
  if (node.lower.has_value()) add(Claim::kLower);
  if (node.upper.has_value()) add(Claim::kUpper);
  if (node.multiple_of.has_value()) add(Claim::kMultiple);
}

void Tableau::AddObjectFailures(Split& split, const Literal& literal) {
  const SchemaNode& node = document_.node(literal.id);
  const auto add = [&](Claim claim) { split.push_back({KeywordFailure(claim, literal)}); };
  if (HasMemberFailure(node)) add(Claim::kMembers);
  if (node.min_properties.has_value()) add(Claim::kMinProperties);
  if (node.max_properties.has_value()) add(Claim::kMaxProperties);
  const auto named = [&](const std::string& name) {
    return Literal{Claim::kHasName, Truth::kHolds, goals_.Name(name), 0};
  };
  for (const auto& [name, others] : node.dependent_required) {
    for (const std::string& other : others) {
      split.push_back({named(name), named(other).Negated()});
    }
  }
  for (const auto& [name, schema] : node.dependent_schemas) {
    split.push_back({named(name), goals_.Schema(schema, literal.scope, Truth::kFails)});
  }
}

void Tableau::AddArrayFailures(Split& split, const Literal& literal) {
  const SchemaNode& node = document_.node(literal.id);
  const auto add = [&](Claim claim) { split.push_back({KeywordFailure(claim, literal)}); };
  if (!node.prefix_items.empty() || node.items.has_value()) add(Claim::kElements);
  if (node.min_items.has_value()) add(Claim::kMinItems);
  if (node.max_items.has_value()) add(Claim::kMaxItems);
  if (node.unique_items) add(Claim::kUniqueItems);
  if (!node.contains.has_value()) return;
  add(Claim::kMinContains);
  if (node.max_contains.has_value()) add(Claim::kMaxContains);
}

// unevaluated* fails: it counts only where the other keywords hold, since it looks at what
// those evaluate; that they fail is another alternative.
bool Tableau::RestFails(Work& work, const Literal& literal) {
  if (!HoldsButRest(work, literal)) return false;
  work.broken.push_back(literal);
  return true;
}

bool Tableau::KeywordFails(Work& work, const Literal& literal) {
  const SchemaNode& node = document_.node(literal.id);
  if (literal.claim == Claim::kRest) return RestFails(work, literal);
  if (literal.claim == Claim::kValues) return ValuesFail(work, *node.values);
  if (literal.claim == Claim::kConstant) return ValuesFail(work, {*node.constant});
  if (work.type == SchemaType::kNumber) return NumberFails(work.branch.number, literal);
  if (work.type == SchemaType::kObject) return ObjectFails(work.branch.object, literal);
  return ArrayFails(work.branch.array, literal);
}

// The value is none of `values`.
bool Tableau::ValuesFail(Work& work, const std::vector<Json>& values) {
  const Json::Kind kind = work.type == SchemaType::kNumber   ? Json::Kind::kNumber
                          : work.type == SchemaType::kObject ? Json::Kind::kObject
                                                             : Json::Kind::kArray;
  fuel_.Spend(values.size());
  for (const Json& value : values) {
    if (value.kind != kind) continue;
    work.todo.push_back({Claim::kEquals, Truth::kFails, goals_.Constant(value), 0});
  }
  return true;
}

bool Tableau::NumberFails(NumberPart& part, const Literal& literal) {
  using Integrality = NumberConstraint::Integrality;
  const SchemaNode& node = document_.node(literal.id);
  NumberConstraint& number = part.constraint;
  switch (literal.claim) {
    case Claim::kInteger:
      if (node.plain_integer) {
        if (number.writing == NumberConstraint::Writing::kDigits) return false;
        number.writing = NumberConstraint::Writing::kNotDigits;
        return true;
      }
      if (number.integrality == Integrality::kInteger) return false;
      number.integrality = Integrality::kNotInteger;
      return true;
    case Claim::kLower: ReduceUpper(number.upper, Opposite(*node.lower)); return true;
    case Claim::kUpper: RaiseLower(number.lower, Opposite(*node.upper)); return true;
    case Claim::kMultiple: number.not_multiple_of.push_back(*node.multiple_of); return true;
    default: return false;
  }
}

bool Tableau::ObjectFails(ObjectPart& part, const Literal& literal) {
  const SchemaNode& node = document_.node(literal.id);
  switch (literal.claim) {
    case Claim::kMembers: part.broken.push_back({literal.id, literal.scope}); return true;
    case Claim::kMinProperties:
      if (*node.min_properties == 0) return false;
      part.max = std::min(part.max, *node.min_properties - 1);
      return true;
    case Claim::kMaxProperties:
      part.min = std::max(part.min, *node.max_properties + 1);
      return true;
    default: return false;
  }
}

bool Tableau::ArrayFails(ArrayPart& part, const Literal& literal) {
  const SchemaNode& node = document_.node(literal.id);
  const auto contains = [&](std::uint64_t min, std::uint64_t max) {
    part.contains.push_back({goals_.Schema(*node.contains, literal.scope), literal.id, min, max});
  };
  switch (literal.claim) {
    case Claim::kElements: part.broken.push_back({literal.id, literal.scope}); return true;
    case Claim::kMinItems:
      if (*node.min_items == 0) return false;
      part.max = std::min(part.max, *node.min_items - 1);
      return true;
    case Claim::kMaxItems: part.min = std::max(part.min, *node.max_items + 1); return true;
    case Claim::kUniqueItems: part.repeats = true; return true;
    case Claim::kMinContains: {
      const std::uint64_t min = node.min_contains.value_or(1);
      if (min == 0) return false;
      contains(0, min - 1);
      return true;
    }
    case Claim::kMaxContains: contains(*node.max_contains + 1, kNoLimit); return true;
    default: return false;
  }
}

}  // namespace espalier
