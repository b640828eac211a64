// The functions that read keywords into the words of draft 2020-12, a file for each kind of
// value that they speak of. Each checks the shape that the draft's metaschema asks for, and
// lists a problem where the value has another.
//
// Thread safety: as SchemaReader.
#pragma once

#include "grammar/schema/keyword_use.h"

namespace espalier {

// keywords_any.cc: of any value
void ReadType(KeywordUse& use);
void ReadEnum(KeywordUse& use);
void ReadConst(KeywordUse& use);
void ReadRef(KeywordUse& use);
void ReadDynamicRef(KeywordUse& use);
void ReadRecursiveRef(KeywordUse& use);
void ReadAllOf(KeywordUse& use);
void ReadAnyOf(KeywordUse& use);
void ReadOneOf(KeywordUse& use);
void ReadNot(KeywordUse& use);
void ReadIf(KeywordUse& use);
void ReadText(KeywordUse& use);  // a keyword that the reader needs not, but a string
void ReadId(KeywordUse& use);
void ReadAnchor(KeywordUse& use);
void ReadFlag(KeywordUse& use);  // as ReadText, but a boolean

// keywords_scalar.cc: of numbers and strings
void ReadMinimum(KeywordUse& use);
void ReadMaximum(KeywordUse& use);
void ReadExclusiveMinimum(KeywordUse& use);
void ReadExclusiveMaximum(KeywordUse& use);
void ReadExclusiveFlag(KeywordUse& use);  // draft 4: beside minimum or maximum
void ReadMultipleOf(KeywordUse& use);
void ReadMinLength(KeywordUse& use);
void ReadMaxLength(KeywordUse& use);
void ReadPattern(KeywordUse& use);
void ReadFormat(KeywordUse& use);

// keywords_array.cc
void ReadItems(KeywordUse& use);
void ReadItemsOrTuple(KeywordUse& use);  // up to 2019-09, with additionalItems
void ReadPrefixItems(KeywordUse& use);
void ReadUnevaluatedItems(KeywordUse& use);
void ReadContains(KeywordUse& use);  // with minContains and maxContains
void ReadMinItems(KeywordUse& use);
void ReadMaxItems(KeywordUse& use);
void ReadUniqueItems(KeywordUse& use);

// keywords_object.cc
void ReadProperties(KeywordUse& use);
void ReadPatternProperties(KeywordUse& use);
void ReadAdditionalProperties(KeywordUse& use);
void ReadUnevaluatedProperties(KeywordUse& use);
void ReadPropertyNames(KeywordUse& use);
void ReadRequired(KeywordUse& use);
void ReadDependentRequired(KeywordUse& use);
void ReadDependentSchemas(KeywordUse& use);
void ReadDependencies(KeywordUse& use);
void ReadMinProperties(KeywordUse& use);
void ReadMaxProperties(KeywordUse& use);

}  // namespace espalier
