// Keywords that speak of numbers and strings.
#include "grammar/schema/keyword_readers.h"
#include "grammar/schema/number_constraint.h"

namespace espalier {
namespace {

using BoundKind = NumberBound::Kind;

// Draft 4: true beside minimum or maximum makes it exclusive.
BoundKind KindBeside(const KeywordUse& use, std::string_view flag) {
  const Json* value = use.dialect.draft == Draft::k4 ? use.schema.Find(flag) : nullptr;
  return value != nullptr && value->kind == Json::Kind::kTrue ? BoundKind::kExclusive
                                                              : BoundKind::kInclusive;
}

// A number, with a hint where draft 4's boolean stands.
std::optional<Decimal> ExclusiveBound(KeywordUse& use) {
  if (!use.value->is_boolean()) return use.Number();
  use.Refuse("must be a number; true and false belong to draft 4, which $schema must name");
  return {};
}

}  // namespace

void ReadMinimum(KeywordUse& use) {
  const BoundKind kind = KindBeside(use, "exclusiveMinimum");
  if (auto value = use.Number()) RaiseLower(use.node.lower, {*value, kind});
}

void ReadMaximum(KeywordUse& use) {
  const BoundKind kind = KindBeside(use, "exclusiveMaximum");
  if (auto value = use.Number()) ReduceUpper(use.node.upper, {*value, kind});
}

void ReadExclusiveMinimum(KeywordUse& use) {
  if (auto value = ExclusiveBound(use)) {
    RaiseLower(use.node.lower, {*value, BoundKind::kExclusive});
  }
}

void ReadExclusiveMaximum(KeywordUse& use) {
  if (auto value = ExclusiveBound(use)) {
    ReduceUpper(use.node.upper, {*value, BoundKind::kExclusive});
  }
}

void ReadExclusiveFlag(KeywordUse& use) {
  const std::string_view bound = use.keyword == "exclusiveMinimum" ? "minimum" : "maximum";
  if (use.value->kind == Json::Kind::kNumber) {
    return use.Refuse("draft 4 takes true or false; a number needs a newer draft in $schema");
  }
  if (use.Flag() && use.schema.Find(bound) == nullptr) {
    use.Refuse("needs " + std::string(bound) + " beside it");
  }
}

void ReadMultipleOf(KeywordUse& use) {
  std::optional<Decimal> value = use.Number();
  if (!value) return;
  if (value->negative() || value->is_zero()) return use.Refuse("must be greater than 0");
  use.node.multiple_of = std::move(value);
}

void ReadMinLength(KeywordUse& use) { use.node.min_length = use.Count(); }

void ReadMaxLength(KeywordUse& use) { use.node.max_length = use.Count(); }

void ReadPattern(KeywordUse& use) {
  if (const std::string* pattern = use.Text()) use.node.pattern = *pattern;
}

void ReadFormat(KeywordUse& use) {
  if (const std::string* format = use.Text()) use.node.format = *format;
}

}  // namespace espalier
