#include "grammar/schema/json_index.h"

#include <algorithm>
#include <cstddef>

namespace espalier {

const JsonMember* JsonIndex::Find(const Json& object, std::string_view name) {
  constexpr std::size_t kFew = 16;
  if (object.members.size() <= kFew) {
    const auto found = std::ranges::find(
        object.members, name, [](const JsonMember& m) { return std::string_view(m.name); });
    return found == object.members.end() ? nullptr : &*found;
  }
  Names& names = names_[&object];
  if (names.empty()) {
    for (const JsonMember& member : object.members) names.emplace(member.name, &member);
  }
  const auto found = names.find(name);
  return found == names.end() ? nullptr : found->second;
}

}  // namespace espalier
