#include "grammar/schema/schema_problems.h"

#include <algorithm>
#include <cstddef>
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

}  // namespace

SchemaProblems::SchemaProblems(const SchemaDocument& document, FormatUse format, TextRegex& text,
                               Fuel& fuel)
    : document_(document),
      format_(format),
      text_(text),
      fuel_(fuel),
      uses_unevaluated_(document.UsesUnevaluated()) {
  reached_.assign(document.size(), 0);
  checked_.assign(document.size(), 0);
}

void SchemaProblems::Walk() {
  Reach(document_.root(), kAllTypes);
  while (!open_.empty() && fuel_.Spend(1)) {
    const Visit visit = open_.back();
    open_.pop_back();
    const auto num_open = static_cast<std::ptrdiff_t>(open_.size());
    Look(visit);
    std::reverse(open_.begin() + num_open, open_.end());
  }
}

void SchemaProblems::Add(Code code, std::string pointer, std::string message) {
  if (!refused_.insert(pointer).second) return;
  problems.push_back({code, std::move(pointer), std::move(message)});
}

// A schema is looked at again only for types that are new to it.
void SchemaProblems::Reach(SchemaId schema, SchemaTypes types) {
  SchemaTypes& reached = reached_[schema];
  const auto more = static_cast<SchemaTypes>(types & ~reached);
  if (more == 0) return;
  reached |= more;
  open_.push_back({schema, more});
}

void SchemaProblems::Look(const Visit& visit) {
  const SchemaNode& node = document_.node(visit.schema);
  const SchemaTypes types = visit.types & node.types.value_or(kAllTypes);
  if (types == 0) return;
  if (checked_[visit.schema] == 0) {
    checked_[visit.schema] = 1;
    CheckStrings(node);
  }
  if ((types & kObjects) != 0) CheckMembers(node);
  if ((types & kArrays) != 0) CheckElements(node);
  ReachInPlace(node, types);
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

void SchemaProblems::CheckMembers(const SchemaNode& node) {
  for (const auto& [name, child] : node.properties) Reach(child, kAllTypes);
  for (const auto& [pattern, child] : node.pattern_properties) Reach(child, kAllTypes);
  for (const auto& child : {node.additional_properties, node.unevaluated_properties}) {
    if (child.has_value()) Reach(*child, kAllTypes);
  }
  if (node.property_names.has_value()) Reach(*node.property_names, kStrings);
}

void SchemaProblems::CheckElements(const SchemaNode& node) {
  for (const SchemaId child : node.prefix_items) Reach(child, kAllTypes);
  for (const auto& child : {node.items, node.unevaluated_items, node.contains}) {
    if (child.has_value()) Reach(*child, kAllTypes);
  }
}

void SchemaProblems::ReachInPlace(const SchemaNode& node, SchemaTypes types) {
  if (node.ref.has_value()) Reach(*node.ref, types);
  if (node.dynamic_ref.has_value()) ReachDynamic(*node.dynamic_ref, types);
  for (const auto* parts : {&node.all_of, &node.any_of, &node.one_of}) {
    for (const SchemaId child : *parts) Reach(child, types);
  }
  if (node.not_of.has_value()) Reach(*node.not_of, types);
  const bool decides = uses_unevaluated_ || node.then_of.has_value() || node.else_of.has_value();
  if (node.if_of.has_value() && decides) {
    for (const auto& child : {node.if_of, node.then_of, node.else_of}) {
      if (child.has_value()) Reach(*child, types);
    }
  }
  for (const auto& [name, child] : node.dependent_schemas) Reach(child, types & kObjects);
}

// It may lead to any anchor of its name.
void SchemaProblems::ReachDynamic(const DynamicRef& ref, SchemaTypes types) {
  Reach(ref.target, types);
  SchemaTypes& reached = anchors_reached_[ref.anchor];
  const auto more = static_cast<SchemaTypes>(types & ~reached);
  if (more == 0) return;
  reached |= more;
  for (std::uint32_t resource = 0; resource < document_.num_resources(); ++resource) {
    const auto target = document_.DynamicAnchor(resource, ref.anchor);
    if (target.has_value()) Reach(*target, more);
  }
}

}  // namespace espalier
