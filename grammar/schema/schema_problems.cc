#include "grammar/schema/schema_problems.h"

#include <utility>

#include "grammar/regex/pattern.h"
#include "grammar/schema/formats.h"
#include "grammar/schema/number_regex.h"
#include "grammar/schema/uri.h"

namespace espalier {
namespace {

constexpr SchemaTypes kStrings = TypeBit(SchemaType::kString);
constexpr SchemaTypes kObjects = TypeBit(SchemaType::kObject);
constexpr SchemaTypes kArrays = TypeBit(SchemaType::kArray);

Truth Opposite(Truth truth) { return truth == Truth::kHolds ? Truth::kFails : Truth::kHolds; }

// Formats whose language is a part of what the RFC allows: what is not in it may be valid.
bool IsApproximate(const std::string& format) {
  return format == "idn-hostname" || format == "idn-email" || format == "regex";
}

}  // namespace

SchemaProblems::SchemaProblems(const SchemaDocument& document, FormatUse format, TextRegex& text,
                               Fuel& fuel)
    : document_(document),
      format_(format),
      text_(text),
      fuel_(fuel),
      uses_unevaluated_(document.UsesUnevaluated()) {
  for (auto& types : reached_) types.assign(document.size(), 0);
  checked_.assign(document.size(), 0);
}

void SchemaProblems::Walk() {
  Reach(document_.root(), Truth::kHolds, kAllTypes);
  while (!open_.empty() && fuel_.Spend(1)) {
    const Visit visit = open_.back();
    open_.pop_back();
    Look(visit);
  }
}

void SchemaProblems::Add(Code code, std::string pointer, std::string message) {
  if (!refused_.insert(pointer).second) return;
  problems.push_back({code, std::move(pointer), std::move(message)});
}

// A schema is looked at again only for types that are new to it.
void SchemaProblems::Reach(SchemaId schema, Truth truth, SchemaTypes types) {
  SchemaTypes& reached = reached_[truth == Truth::kHolds ? 1 : 0][schema];
  const auto more = static_cast<SchemaTypes>(types & ~reached);
  if (more == 0) return;
  reached |= more;
  open_.push_back({schema, truth, more});
}

void SchemaProblems::Look(const Visit& visit) {
  const SchemaNode& node = document_.node(visit.schema);
  const SchemaTypes types = visit.types & node.types.value_or(kAllTypes);
  if (types == 0) return;
  if (checked_[visit.schema] == 0) {
    checked_[visit.schema] = 1;
    CheckStrings(node);
  }
  if (visit.truth == Truth::kFails) CheckFailing(node, types);
  if ((types & kObjects) != 0) CheckMembers(node, visit.truth);
  if ((types & kArrays) != 0) CheckElements(node, visit.truth);
  ReachInPlace(node, visit.truth, types);
}

void SchemaProblems::CheckStrings(const SchemaNode& node) {
  if (node.pattern.has_value()) CheckPattern(*node.pattern, node.pointer + "/pattern");
  const bool has_strings = (node.types.value_or(kAllTypes) & TypeBit(SchemaType::kString)) != 0;
  if (has_strings && node.min_length.value_or(0) >= RegexSet::kUnbounded) {
    Add(Code::kLimit, node.pointer + "/minLength",
        "is over the limit of " + std::to_string(RegexSet::kUnbounded - 1) + " for lengths");
  }
  if (node.format.has_value()) CheckFormat(*node.format, node.pointer + "/format");
  for (const auto& [pattern, child] : node.pattern_properties) {
    CheckPattern(pattern, node.pointer + "/patternProperties/" + EscapedToken(pattern));
  }
  if (node.multiple_of.has_value()) {
    NumberConstraint number;
    number.multiple_of.push_back(*node.multiple_of);
    const Result<RegexId> regex = NumberRegex(number, text_.set());
    if (!regex.ok()) {
      Add(regex.status().code(), node.pointer + "/multipleOf", regex.status().message());
    }
  }
}

void SchemaProblems::CheckFormat(const std::string& format, std::string pointer) {
  if (format_ != FormatUse::kAnnotate && FormatRegex(format, text_).has_value()) return;
  if (format_ == FormatUse::kAssertAll && !IsKnownAnnotation(format)) {
    Add(Code::kUnsupported, std::move(pointer), "format " + format + " is not known");
  } else {
    unasserted.push_back(std::move(pointer));
  }
}

void SchemaProblems::CheckPattern(const std::string& pattern, const std::string& pointer) {
  const Result<RegexId> regex = CompilePattern(pattern, PatternDialect::kEcma, text_);
  if (!regex.ok()) Add(regex.status().code(), pointer, regex.status().message());
}

// Keywords that can be asked for, but not for their opposite.
void SchemaProblems::CheckFailing(const SchemaNode& node, SchemaTypes types) {
  const auto refuse = [&](const std::string& keyword) {
    Add(Code::kUnsupported, node.pointer + "/" + keyword,
        keyword + " cannot be enforced where it must not hold (below not, oneOf or if)");
  };
  if ((types & kArrays) != 0 && node.unique_items) refuse("uniqueItems");
  const bool asserts_format = format_ != FormatUse::kAnnotate && node.format.has_value();
  if ((types & kStrings) != 0 && asserts_format && IsApproximate(*node.format)) refuse("format");
}

void SchemaProblems::CheckMembers(const SchemaNode& node, Truth truth) {
  for (const auto& [name, child] : node.properties) Reach(child, truth, kAllTypes);
  for (const auto& [pattern, child] : node.pattern_properties) Reach(child, truth, kAllTypes);
  for (const auto& child : {node.additional_properties, node.unevaluated_properties}) {
    if (child.has_value()) Reach(*child, truth, kAllTypes);
  }
  if (node.property_names.has_value()) Reach(*node.property_names, truth, kStrings);
}

void SchemaProblems::CheckElements(const SchemaNode& node, Truth truth) {
  for (const SchemaId child : node.prefix_items) Reach(child, truth, kAllTypes);
  for (const auto& child : {node.items, node.unevaluated_items}) {
    if (child.has_value()) Reach(*child, truth, kAllTypes);
  }
  if (!node.contains.has_value()) return;
  Reach(*node.contains, Truth::kHolds, kAllTypes);
  if (truth == Truth::kFails || node.max_contains.has_value() || uses_unevaluated_) {
    Reach(*node.contains, Truth::kFails, kAllTypes);
  }
}

void SchemaProblems::ReachInPlace(const SchemaNode& node, Truth truth, SchemaTypes types) {
  if (node.ref.has_value()) Reach(*node.ref, truth, types);
  if (node.dynamic_ref.has_value()) ReachDynamic(*node.dynamic_ref, truth, types);
  for (const SchemaId child : node.all_of) Reach(child, truth, types);
  for (const SchemaId child : node.any_of) {
    Reach(child, truth, types);
    if (uses_unevaluated_) Reach(child, Opposite(truth), types);
  }
  ReachOneOf(node, truth, types);
  if (node.not_of.has_value()) Reach(*node.not_of, Opposite(truth), types);
  if (node.if_of.has_value() &&
      (uses_unevaluated_ || node.then_of.has_value() || node.else_of.has_value())) {
    Reach(*node.if_of, Truth::kHolds, types);
    Reach(*node.if_of, Truth::kFails, types);
    for (const auto& child : {node.then_of, node.else_of}) {
      if (child.has_value()) Reach(*child, truth, types);
    }
  }
  for (const auto& [name, child] : node.dependent_schemas) Reach(child, truth, types & kObjects);
}

// A member must fail for the values of the other members only.
void SchemaProblems::ReachOneOf(const SchemaNode& node, Truth truth, SchemaTypes types) {
  SchemaTypes once = 0;
  SchemaTypes twice = 0;
  for (const SchemaId child : node.one_of) {
    twice |= once & TypesOf(child);
    once |= TypesOf(child);
  }
  for (const SchemaId child : node.one_of) {
    Reach(child, Truth::kHolds, types);
    const SchemaTypes failing = truth == Truth::kFails ? kAllTypes : twice;
    Reach(child, Truth::kFails, static_cast<SchemaTypes>(types & failing & TypesOf(child)));
  }
}

// It may lead to any anchor of its name.
void SchemaProblems::ReachDynamic(const DynamicRef& ref, Truth truth, SchemaTypes types) {
  Reach(ref.target, truth, types);
  SchemaTypes& reached = anchors_reached_[{ref.anchor, truth}];
  const auto more = static_cast<SchemaTypes>(types & ~reached);
  if (more == 0) return;
  reached |= more;
  for (std::uint32_t resource = 0; resource < document_.num_resources(); ++resource) {
    const auto target = document_.DynamicAnchor(resource, ref.anchor);
    if (target.has_value()) Reach(*target, truth, more);
  }
}

// The types of a schema by its own `type` and those of what it refers to.
SchemaTypes SchemaProblems::TypesOf(SchemaId schema) const {
  constexpr int kMaxRefs = 32;
  SchemaTypes types = kAllTypes;
  for (int i = 0; i < kMaxRefs; ++i) {
    const SchemaNode& node = document_.node(schema);
    if (node.boolean == false) return 0;
    types &= node.types.value_or(kAllTypes);
    if (!node.ref.has_value()) break;
    schema = *node.ref;
  }
  return types;
}

}  // namespace espalier
