#include "grammar/schema/member_index.h"

namespace espalier {

std::optional<SchemaId> MemberIndex::Find(SchemaId schema, std::string_view name) {
  const NamedSchemas& properties = document_.node(schema).properties;
  constexpr std::size_t kFew = 8;
  if (properties.size() <= kFew) {
    for (const auto& [property, id] : properties) {
      if (property == name) return id;
    }
    return std::nullopt;
  }
  Names& names = names_[schema];
  if (names.empty()) names.insert(properties.begin(), properties.end());
  const auto found = names.find(name);
  if (found == names.end()) return std::nullopt;
  return found->second;
}

}  // namespace espalier
