// JsonIndex: the members of objects by name, in constant time.
//
// Thread safety: none: indexes are made at first use.
#pragma once

#include <string_view>
#include <unordered_map>

#include "grammar/schema/json.h"

namespace espalier {

class JsonIndex {
 public:
  // Null if absent. REQUIRES: `object` outlives the index, and neither moves nor changes.
  const JsonMember* Find(const Json& object, std::string_view name);

 private:
  using Names = std::unordered_map<std::string_view, const JsonMember*>;

  std::unordered_map<const Json*, Names> names_;  // of objects with many members
};

}  // namespace espalier
