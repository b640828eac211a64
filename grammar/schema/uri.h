// URI references: splitting and resolving them (RFC 3986, sections 3 and 5), and the
// percent-encoding and JSON pointers of their fragments (RFC 6901).
//
// Nothing is refused: a text that is no URI resolves to some text, which then names no
// document.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

struct UriParts {
  std::string_view uri;                      // all before '#'
  std::optional<std::string_view> fragment;  // behind it; empty optional: no '#'
};
UriParts SplitFragment(std::string_view reference);

// The absolute form of `reference` (without fragment) seen from `base` (without fragment).
// A base that is relative or empty leaves a relative result.
std::string ResolveUri(std::string_view base, std::string_view reference);

// %41 becomes A; a % that no two hexadecimal digits follow stays.
std::string PercentDecoded(std::string_view text);

// "/a~1b/0" is {"a/b", "0"}. REQUIRES: pointer is empty or begins with '/'
std::vector<std::string> PointerTokens(std::string_view pointer);

// The token as it stands in a JSON pointer: '~' is ~0, '/' is ~1.
std::string EscapedToken(std::string_view token);

}  // namespace espalier
