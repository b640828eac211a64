// For grammars that name no tokens and hold no schemas.
#pragma once

#include <memory>
#include <string_view>

#include "grammar/ebnf/ebnf.h"

namespace espalier {

inline GrammarSources NoSources() {
  static const Vocabulary vocabulary({}, {});
  static const SchemaSection no_schemas = [](std::string_view, PropertyOrder) {
    return Result<std::unique_ptr<Network>>(Status(Code::kUnsupported, "no schemas here"));
  };
  return {vocabulary, no_schemas};
}

}  // namespace espalier
