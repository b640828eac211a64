#include "grammar/schema/member_clauses.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace espalier {
namespace {

constexpr std::size_t kMaxDepth = 16;       // of schemas in place
constexpr std::size_t kMaxClauses = 64;     // of one split
constexpr std::size_t kMaxProducts = 1024;  // of one distribution
constexpr std::size_t kMaxMembers = 8;      // of a oneOf

Truth Opposite(Truth truth) { return truth == Truth::kHolds ? Truth::kFails : Truth::kHolds; }

// Sorts the atoms of a clause and joins those that say one thing together. False: the clause
// is true of every object.
bool Normalize(MemberClause& clause) {
  std::sort(clause.begin(), clause.end());
  clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
  MemberClause kept;
  for (auto first = clause.begin(); first != clause.end();) {
    const auto last = std::find_if(
        first, clause.end(), [&](const MemberAtom& atom) { return atom.name != first->name; });
    const auto there = std::find_if(first, last, [](const MemberAtom& a) { return a.is_there(); });
    const bool any_value =
        there != last && (!there->value.has_value() || std::any_of(there, last, [&](const auto& a) {
          const MemberAtom other{a.name, Truth::kHolds, a.value->Negated()};
          return std::binary_search(there, last, other);
        }));
    kept.insert(kept.end(), first, there);
    if (any_value && there != first) return false;
    if (any_value) {
      kept.push_back({first->name, Truth::kHolds, std::nullopt});
    } else {
      kept.insert(kept.end(), there, last);
    }
    first = last;
  }
  clause = std::move(kept);
  return true;
}

// Drops the clauses that another one implies.
void DropSubsumed(std::vector<MemberClause>& clauses) {
  std::sort(clauses.begin(), clauses.end(), [](const MemberClause& a, const MemberClause& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  std::vector<MemberClause> kept;
  for (MemberClause& clause : clauses) {
    if (std::any_of(kept.begin(), kept.end(), [&](const MemberClause& shorter) {
          return std::includes(clause.begin(), clause.end(), shorter.begin(), shorter.end());
        })) {
      continue;
    }
    kept.push_back(std::move(clause));
  }
  clauses = std::move(kept);
}

// Everything that the schema says of objects, it says of named members.
bool IsAboutMembers(const SchemaNode& node, const SchemaDocument& document) {
  const bool is_open = !node.additional_properties.has_value() ||
                       document.node(*node.additional_properties).boolean == true;
  return is_open && !node.values.has_value() && !node.constant.has_value() &&
         node.pattern_properties.empty() && !node.property_names.has_value() &&
         !node.unevaluated_properties.has_value() && !node.min_properties.has_value() &&
         !node.max_properties.has_value() && node.one_of.size() <= kMaxMembers;
}

}  // namespace

std::optional<std::vector<MemberClause>> MemberClauses::Of(const std::vector<Alternative>& split) {
  has_given_up_ = false;
  std::vector<Clauses> parts;
  for (const Alternative& alternative : split) {
    Clauses& all = parts.emplace_back();
    for (const Literal& literal : alternative) all = And(std::move(all), OfLiteral(literal, 0));
    if (has_given_up_) return std::nullopt;
  }
  const Clauses any = AnyOf(parts);
  if (has_given_up_ || fuel_.exhausted()) return std::nullopt;
  return any;
}

MemberClauses::Clauses MemberClauses::GiveUp() {
  has_given_up_ = true;
  return {};
}

MemberClauses::Clauses MemberClauses::OfLiteral(const Literal& literal, std::size_t depth) {
  if (has_given_up_ || depth == kMaxDepth || !fuel_.Spend(1)) return GiveUp();
  const SchemaNode* node = nullptr;
  switch (literal.claim) {
    case Claim::kNever: return literal.holds() ? Clauses{MemberClause()} : Clauses();
    case Claim::kHasName: return Presence(goals_.name(literal.id), literal.truth);
    case Claim::kSchema: return OfSchema(literal, depth);
    case Claim::kMembers:
      node = &document_.node(literal.id);
      return IsAboutMembers(*node, document_) ? OfMembers(*node, literal) : GiveUp();
    default: return GiveUp();
  }
}

MemberClauses::Clauses MemberClauses::OfSchema(const Literal& literal, std::size_t depth) {
  const SchemaNode& node = document_.node(literal.id);
  const bool has_objects = (node.types.value_or(kAllTypes) & TypeBit(SchemaType::kObject)) != 0;
  const bool is_constant = node.boolean.has_value() || !has_objects;
  if (is_constant) {
    const bool is_true = node.boolean.value_or(false) == literal.holds();
    return is_true ? Clauses() : Clauses{MemberClause()};
  }
  if (!IsAboutMembers(node, document_)) return GiveUp();
  Clauses clauses = OfMembers(node, literal);
  clauses = Join(literal.truth, std::move(clauses), OfDependents(node, literal, depth + 1));
  return Join(literal.truth, std::move(clauses), OfInPlace(node, literal, depth + 1));
}

// required and properties.
MemberClauses::Clauses MemberClauses::OfMembers(const SchemaNode& node, const Literal& literal) {
  MemberClause broken;
  Clauses all;
  for (const std::string& name : node.required) {
    all.push_back({{goals_.Name(name), Truth::kHolds, std::nullopt}});
    broken.push_back({goals_.Name(name), Truth::kFails, std::nullopt});
  }
  for (const auto& [name, child] : node.properties) {
    const NameId id = goals_.Name(name);
    if (document_.node(child).boolean == true) continue;
    if (document_.node(child).boolean == false) {
      all.push_back({{id, Truth::kFails, std::nullopt}});
      broken.push_back({id, Truth::kHolds, std::nullopt});
      continue;
    }
    const Literal value = goals_.Schema(child, literal.scope);
    all.push_back({{id, Truth::kFails, std::nullopt}, {id, Truth::kHolds, value}});
    broken.push_back({id, Truth::kHolds, value.Negated()});
  }
  if (literal.holds()) return And({}, all);
  return And({}, {std::move(broken)});
}

MemberClauses::Clauses MemberClauses::OfDependents(const SchemaNode& node, const Literal& literal,
                                                   std::size_t depth) {
  const Truth truth = literal.truth;
  Clauses clauses = literal.holds() ? Clauses() : Clauses{MemberClause()};
  for (const auto& [name, others] : node.dependent_required) {
    const Clauses absent = Presence(name, Opposite(truth));
    for (const std::string& other : others) {
      clauses =
          Join(truth, std::move(clauses), Join(Opposite(truth), absent, Presence(other, truth)));
    }
  }
  for (const auto& [name, schema] : node.dependent_schemas) {
    const Clauses then = OfLiteral(goals_.Schema(schema, literal.scope, truth), depth);
    clauses = Join(truth, std::move(clauses),
                   Join(Opposite(truth), Presence(name, Opposite(truth)), then));
  }
  return clauses;
}

MemberClauses::Clauses MemberClauses::OfInPlace(const SchemaNode& node, const Literal& literal,
                                                std::size_t depth) {
  const Truth truth = literal.truth;
  const auto of = [&](SchemaId schema, Truth as) {
    return OfLiteral(goals_.Schema(schema, literal.scope, as), depth);
  };
  Clauses clauses = literal.holds() ? Clauses() : Clauses{MemberClause()};
  const auto join = [&](const Clauses& more) { clauses = Join(truth, std::move(clauses), more); };
  if (node.ref.has_value()) join(of(*node.ref, truth));
  if (node.dynamic_ref.has_value()) {
    join(of(goals_.Resolve(*node.dynamic_ref, literal.scope), truth));
  }
  for (const SchemaId part : node.all_of) join(of(part, truth));
  if (node.not_of.has_value()) join(of(*node.not_of, Opposite(truth)));
  if (!node.any_of.empty()) {
    std::vector<Clauses> parts;
    for (const SchemaId part : node.any_of) {
      parts.push_back(of(part, truth));
      if (has_given_up_) return {};
    }
    join(literal.holds() ? AnyOf(parts) : AllOf(parts));
  }
  if (!node.one_of.empty()) join(OfOneOf(node, literal, depth));
  if (node.if_of.has_value()) join(OfConditional(node, literal, depth));
  return clauses;
}

// One holds, and of each two one fails.
MemberClauses::Clauses MemberClauses::OfOneOf(const SchemaNode& node, const Literal& literal,
                                              std::size_t depth) {
  const Truth truth = literal.truth;
  std::vector<Clauses> holding, failing;  // or the opposite
  for (const SchemaId part : node.one_of) {
    holding.push_back(OfLiteral(goals_.Schema(part, literal.scope, truth), depth));
    failing.push_back(OfLiteral(goals_.Schema(part, literal.scope, Opposite(truth)), depth));
  }
  Clauses one = literal.holds() ? AnyOf(holding) : AllOf(holding);
  for (std::size_t i = 0; i < failing.size(); ++i) {
    for (std::size_t j = i + 1; j < failing.size() && !has_given_up_; ++j) {
      one = Join(truth, std::move(one), Join(Opposite(truth), failing[i], failing[j]));
    }
  }
  return one;
}

// "If not the condition, or `then`; and the condition, or `else`" fails iff that is so with
// `then` and `else` failing.
MemberClauses::Clauses MemberClauses::OfConditional(const SchemaNode& node, const Literal& literal,
                                                    std::size_t depth) {
  const auto of = [&](const std::optional<SchemaId>& schema) {
    if (schema.has_value()) {
      return OfLiteral(goals_.Schema(*schema, literal.scope, literal.truth), depth);
    }
    return literal.holds() ? Clauses() : Clauses{MemberClause()};
  };
  if (!node.then_of.has_value() && !node.else_of.has_value()) return of(std::nullopt);
  const Literal condition = goals_.Schema(*node.if_of, literal.scope);
  Clauses met = Or(OfLiteral(condition.Negated(), depth), of(node.then_of));
  return And(std::move(met), Or(OfLiteral(condition, depth), of(node.else_of)));
}

MemberClauses::Clauses MemberClauses::Presence(const std::string& name, Truth truth) {
  return {{{goals_.Name(name), truth, std::nullopt}}};
}

MemberClauses::Clauses MemberClauses::Join(Truth truth, Clauses a, const Clauses& b) {
  return truth == Truth::kHolds ? And(std::move(a), b) : Or(a, b);
}

MemberClauses::Clauses MemberClauses::And(Clauses a, const Clauses& b) {
  if (has_given_up_) return {};
  for (const MemberClause& clause : b) {
    a.push_back(clause);
    if (!Normalize(a.back())) a.pop_back();
  }
  fuel_.Spend(a.size());
  DropSubsumed(a);
  return a.size() > kMaxClauses ? GiveUp() : a;
}

MemberClauses::Clauses MemberClauses::AllOf(const std::vector<Clauses>& parts) {
  Clauses all;
  for (const Clauses& part : parts) all = And(std::move(all), part);
  return all;
}

// Parts of one clause each, however many they are, make one clause together.
MemberClauses::Clauses MemberClauses::AnyOf(const std::vector<Clauses>& parts) {
  MemberClause joined;
  for (const Clauses& part : parts) {
    if (part.empty()) return {};
    if (part.size() == 1) joined.insert(joined.end(), part.front().begin(), part.front().end());
  }
  fuel_.Spend(joined.size());
  if (!Normalize(joined)) return {};
  Clauses any = {std::move(joined)};
  for (const Clauses& part : parts) {
    if (part.size() > 1) any = Or(any, part);
  }
  return any;
}

MemberClauses::Clauses MemberClauses::Or(const Clauses& a, const Clauses& b) {
  if (has_given_up_ || a.size() * b.size() > kMaxProducts) return GiveUp();
  if (!fuel_.Spend(1 + a.size() * b.size())) return GiveUp();
  Clauses either;
  for (const MemberClause& first : a) {
    for (const MemberClause& second : b) {
      MemberClause clause = first;
      clause.insert(clause.end(), second.begin(), second.end());
      if (Normalize(clause)) either.push_back(std::move(clause));
    }
  }
  DropSubsumed(either);
  return either.size() > kMaxClauses ? GiveUp() : either;
}

}  // namespace espalier
