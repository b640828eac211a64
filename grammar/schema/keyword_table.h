// The keyword table: each keyword that schemas may use, the drafts that it belongs to, where
// schemas stand in its value, and the function that reads it into a SchemaNode. A keyword
// without a row, or of another draft or vocabulary, is an annotation.
//
// Thread safety: constants.
#pragma once

#include <cstdint>
#include <string_view>

#include "grammar/schema/dialect.h"

namespace espalier {

struct KeywordUse;

// Where schemas stand in a keyword's value.
enum class Subschemas : std::uint8_t { kNone, kOne, kList, kMap, kOneOrList };

struct Keyword {
  std::string_view name;
  Drafts drafts;
  KeywordVocabulary vocabulary;
  Subschemas subschemas;
  void (*read)(KeywordUse& use);  // null: says nothing about values
};

// Null if the dialect has no such keyword. O(log keywords).
const Keyword* FindKeyword(std::string_view name, Dialect dialect);

}  // namespace espalier
