// KeywordUse: one keyword in one schema, as the functions that read keywords see it.
//
// Thread safety: as SchemaReader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/schema/dialect.h"
#include "grammar/schema/json.h"
#include "grammar/schema/schema_document.h"

namespace espalier {

class SchemaReader;

// Counts beyond are read as this one, which no value in memory reaches.
inline constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 53;

struct KeywordUse {
  SchemaReader& reader;
  const Json& schema;  // the object that it stands in
  SchemaNode& node;    // what is read goes here
  Dialect dialect;     // of the schema
  std::string_view keyword = {};
  const Json* value = nullptr;  // the keyword's

  // Lists a problem of the keyword's value, or of what stands at `below` ("/name") in it.
  void Refuse(const std::string& message, std::string_view below = {});
  void RefuseAs(Code code, const std::string& message, std::string_view below = {});
  // A keyword that means something only with this one; empty if the schema has it not.
  std::optional<KeywordUse> Beside(std::string_view other) const;

  // The value. Empty, and a problem is listed, if it has another shape.
  std::optional<std::uint64_t> Count();  // at most kMaxCount
  std::optional<Decimal> Number();
  std::optional<bool> Flag();
  const std::string* Text();
  std::optional<SchemaId> Schema();

  // Values of another shape, and schemas that are none, are listed as problems and left out.
  std::vector<SchemaId> Schemas();  // of a list that must not be empty
  NamedSchemas SchemasByName();
  std::optional<SchemaId> SchemaAt(const Json& at, std::string_view name);
  // Without repetitions, in order. `below` as in Refuse.
  std::vector<std::string> TextsOf(const Json& list, std::string_view below);
  bool IsObject();  // of any members
};

}  // namespace espalier
