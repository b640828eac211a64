#include "grammar/schema/keyword_table.h"

#include <algorithm>
#include <array>

#include "grammar/schema/keyword_readers.h"

namespace espalier {
namespace {

using D = Draft;
using S = Subschemas;
using V = KeywordVocabulary;

// Sorted by name; drafts that read a keyword in different ways have a row each.
//
// minContains, maxContains, additionalItems, then and else are read with the keyword beside
// which alone they mean something. `dependencies` left the specification with draft 2019-09,
// but its metaschemas still describe it for the schemas that kept it.
constexpr std::array kKeywords = {
    Keyword{"$anchor", Since(D::k2019), V::kCore, S::kNone, ReadAnchor},
    Keyword{"$defs", Since(D::k2019), V::kCore, S::kMap, nullptr},
    Keyword{"$dynamicAnchor", Since(D::k2020), V::kCore, S::kNone, ReadAnchor},
    Keyword{"$dynamicRef", Since(D::k2020), V::kCore, S::kNone, ReadDynamicRef},
    Keyword{"$id", Since(D::k6), V::kCore, S::kNone, ReadId},
    Keyword{"$recursiveAnchor", DraftBit(D::k2019), V::kCore, S::kNone, ReadFlag},
    Keyword{"$recursiveRef", DraftBit(D::k2019), V::kCore, S::kNone, ReadRecursiveRef},
    Keyword{"$ref", kAllDrafts, V::kCore, S::kNone, ReadRef},
    Keyword{"$schema", kAllDrafts, V::kCore, S::kNone, ReadText},
    Keyword{"additionalItems", UpTo(D::k2019), V::kApplicator, S::kOne, nullptr},
    Keyword{"additionalProperties", kAllDrafts, V::kApplicator, S::kOne, ReadAdditionalProperties},
    Keyword{"allOf", kAllDrafts, V::kApplicator, S::kList, ReadAllOf},
    Keyword{"anyOf", kAllDrafts, V::kApplicator, S::kList, ReadAnyOf},
    Keyword{"const", Since(D::k6), V::kValidation, S::kNone, ReadConst},
    Keyword{"contains", Since(D::k6), V::kApplicator, S::kOne, ReadContains},
    Keyword{"contentSchema", Since(D::k2019), V::kAnnotation, S::kOne, nullptr},
    Keyword{"definitions", kAllDrafts, V::kCore, S::kMap, nullptr},
    Keyword{"dependencies", kAllDrafts, V::kApplicator, S::kMap, ReadDependencies},
    Keyword{"dependentRequired", Since(D::k2019), V::kValidation, S::kNone, ReadDependentRequired},
    Keyword{"dependentSchemas", Since(D::k2019), V::kApplicator, S::kMap, ReadDependentSchemas},
    Keyword{"else", Since(D::k7), V::kApplicator, S::kOne, nullptr},
    Keyword{"enum", kAllDrafts, V::kValidation, S::kNone, ReadEnum},
    Keyword{"exclusiveMaximum", DraftBit(D::k4), V::kValidation, S::kNone, ReadExclusiveFlag},
    Keyword{"exclusiveMaximum", Since(D::k6), V::kValidation, S::kNone, ReadExclusiveMaximum},
    Keyword{"exclusiveMinimum", DraftBit(D::k4), V::kValidation, S::kNone, ReadExclusiveFlag},
    Keyword{"exclusiveMinimum", Since(D::k6), V::kValidation, S::kNone, ReadExclusiveMinimum},
    Keyword{"format", kAllDrafts, V::kCore, S::kNone, ReadFormat},
    Keyword{"id", DraftBit(D::k4), V::kCore, S::kNone, ReadId},
    Keyword{"if", Since(D::k7), V::kApplicator, S::kOne, ReadIf},
    Keyword{"items", UpTo(D::k2019), V::kApplicator, S::kOneOrList, ReadItemsOrTuple},
    Keyword{"items", Since(D::k2020), V::kApplicator, S::kOne, ReadItems},
    Keyword{"maxContains", Since(D::k2019), V::kValidation, S::kNone, nullptr},
    Keyword{"maxItems", kAllDrafts, V::kValidation, S::kNone, ReadMaxItems},
    Keyword{"maxLength", kAllDrafts, V::kValidation, S::kNone, ReadMaxLength},
    Keyword{"maxProperties", kAllDrafts, V::kValidation, S::kNone, ReadMaxProperties},
    Keyword{"maximum", kAllDrafts, V::kValidation, S::kNone, ReadMaximum},
    Keyword{"minContains", Since(D::k2019), V::kValidation, S::kNone, nullptr},
    Keyword{"minItems", kAllDrafts, V::kValidation, S::kNone, ReadMinItems},
    Keyword{"minLength", kAllDrafts, V::kValidation, S::kNone, ReadMinLength},
    Keyword{"minProperties", kAllDrafts, V::kValidation, S::kNone, ReadMinProperties},
    Keyword{"minimum", kAllDrafts, V::kValidation, S::kNone, ReadMinimum},
    Keyword{"multipleOf", kAllDrafts, V::kValidation, S::kNone, ReadMultipleOf},
    Keyword{"not", kAllDrafts, V::kApplicator, S::kOne, ReadNot},
    Keyword{"oneOf", kAllDrafts, V::kApplicator, S::kList, ReadOneOf},
    Keyword{"pattern", kAllDrafts, V::kValidation, S::kNone, ReadPattern},
    Keyword{"patternProperties", kAllDrafts, V::kApplicator, S::kMap, ReadPatternProperties},
    Keyword{"prefixItems", Since(D::k2020), V::kApplicator, S::kList, ReadPrefixItems},
    Keyword{"properties", kAllDrafts, V::kApplicator, S::kMap, ReadProperties},
    Keyword{"propertyNames", Since(D::k6), V::kApplicator, S::kOne, ReadPropertyNames},
    Keyword{"required", kAllDrafts, V::kValidation, S::kNone, ReadRequired},
    Keyword{"then", Since(D::k7), V::kApplicator, S::kOne, nullptr},
    Keyword{"type", kAllDrafts, V::kValidation, S::kNone, ReadType},
    Keyword{"unevaluatedItems", Since(D::k2019), V::kUnevaluated, S::kOne, ReadUnevaluatedItems},
    Keyword{"unevaluatedProperties", Since(D::k2019), V::kUnevaluated, S::kOne,
            ReadUnevaluatedProperties},
    Keyword{"uniqueItems", kAllDrafts, V::kValidation, S::kNone, ReadUniqueItems},
};
static_assert(std::ranges::is_sorted(kKeywords, {}, &Keyword::name));

}  // namespace

const Keyword* FindKeyword(std::string_view name, Dialect dialect) {
  for (const Keyword& row : std::ranges::equal_range(kKeywords, name, {}, &Keyword::name)) {
    const bool in_draft = (row.drafts & DraftBit(dialect.draft)) != 0;
    const bool in_use = row.vocabulary == V::kCore || row.vocabulary == V::kAnnotation ||
                        (dialect.vocabularies & VocabularyBit(row.vocabulary)) != 0;
    if (in_draft && in_use) return &row;
  }
  return nullptr;
}

}  // namespace espalier
