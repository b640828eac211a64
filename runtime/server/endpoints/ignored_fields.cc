#include "runtime/server/endpoints/ignored_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace espalier::endpoints {

std::vector<std::pair<std::string, std::string>> IgnoredHeaders(
    const std::vector<std::string>& unknown) {
  if (unknown.empty()) return {};
  std::string names = fmt::format("{}", fmt::join(unknown, ", "));
  for (char& c : names) {
    if (c < ' ' || c > '~') c = '?';
  }
  return {{"X-Ignored-Fields", names.substr(0, 1000)}};
}

}  // namespace espalier::endpoints
