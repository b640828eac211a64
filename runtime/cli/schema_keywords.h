// Which keywords of a schema say something about an instance, and where each stands.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grammar/schema/schema_document.h"

namespace espalier {

struct KeywordPlace {
  std::string pointer;  // of the keyword, in the words of draft 2020-12
  std::string_view keyword;
};

// All but the pointers in `without`, in the order of the document's nodes.
std::vector<KeywordPlace> AssertedKeywords(const SchemaDocument& document,
                                           const std::vector<std::string>& without);

}  // namespace espalier
