#include "grammar/schema/uri.h"

#include <algorithm>

#include "grammar/ascii.h"
#include "kernels/base/check.h"

namespace espalier {
namespace {

bool IsSchemeChar(char c) { return IsLetter(c) || IsDigit(c) || c == '+' || c == '-' || c == '.'; }

// The components of RFC 3986, section 3, less the fragment.
struct Components {
  std::optional<std::string_view> scheme, authority, query;
  std::string_view path;
};

Components SplitUri(std::string_view uri) {
  Components parts;
  const auto scheme_end = std::ranges::find_if_not(uri, IsSchemeChar);
  if (scheme_end != uri.end() && *scheme_end == ':' && IsLetter(uri.front())) {
    const auto size = static_cast<std::size_t>(scheme_end - uri.begin());
    parts.scheme = uri.substr(0, size);
    uri.remove_prefix(size + 1);
  }
  if (uri.starts_with("//")) {
    uri.remove_prefix(2);
    parts.authority = uri.substr(0, uri.find_first_of("/?"));
    uri.remove_prefix(parts.authority->size());
  }
  parts.path = uri.substr(0, uri.find('?'));
  if (parts.path.size() < uri.size()) parts.query = uri.substr(parts.path.size() + 1);
  return parts;
}

// Section 5.2.4: "." and ".." segments take effect.
std::string RemoveDotSegments(std::string_view path) {
  std::string out;
  const auto drop_last = [&out] { out.resize(std::min(out.size(), out.rfind('/'))); };
  while (!path.empty()) {
    if (path.starts_with("../")) {
      path.remove_prefix(3);
    } else if (path.starts_with("./") || path.starts_with("/./")) {
      path.remove_prefix(2);
    } else if (path == "/." || path == "/..") {
      if (path == "/..") drop_last();
      path = "/";
    } else if (path.starts_with("/../")) {
      path.remove_prefix(3);
      drop_last();
    } else if (path == "." || path == "..") {
      break;
    } else {
      const std::string_view segment = path.substr(0, path.find('/', 1));
      out += segment;
      path.remove_prefix(segment.size());
    }
  }
  return out;
}

// Section 5.2.3.
std::string MergedPath(const Components& base, std::string_view path) {
  if (base.authority && base.path.empty()) return "/" + std::string(path);
  const std::size_t slash = base.path.rfind('/');
  const std::string_view folder =
      slash == base.path.npos ? std::string_view() : base.path.substr(0, slash + 1);
  return std::string(folder) + std::string(path);
}

std::string Join(const Components& parts, std::string_view path) {
  std::string out;
  if (parts.scheme) out.append(*parts.scheme).append(":");
  if (parts.authority) out.append("//").append(*parts.authority);
  out.append(path);
  if (parts.query) out.append("?").append(*parts.query);
  return out;
}

}  // namespace

UriParts SplitFragment(std::string_view reference) {
  const std::size_t hash = reference.find('#');
  if (hash == reference.npos) return {.uri = reference, .fragment = {}};
  return {.uri = reference.substr(0, hash), .fragment = reference.substr(hash + 1)};
}

std::string ResolveUri(std::string_view base, std::string_view reference) {
  const Components from = SplitUri(base);
  Components to = SplitUri(reference);
  if (to.scheme || to.authority) {
    if (!to.scheme) to.scheme = from.scheme;
    // A URN's path has no segments (RFC 8141).
    return Join(to, to.authority || to.path.starts_with('/') ? RemoveDotSegments(to.path)
                                                             : std::string(to.path));
  }
  to.scheme = from.scheme;
  to.authority = from.authority;
  if (to.path.empty()) {
    if (!to.query) to.query = from.query;
    return Join(to, from.path);
  }
  if (to.path.starts_with('/')) return Join(to, RemoveDotSegments(to.path));
  return Join(to, RemoveDotSegments(MergedPath(from, to.path)));
}

std::string PercentDecoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool may_escape = text[i] == '%' && i + 2 < text.size();
    const auto high = may_escape ? HexValue(text[i + 1]) : std::nullopt;
    const auto low = may_escape ? HexValue(text[i + 2]) : std::nullopt;
    const bool escapes = high && low;
    out += escapes ? static_cast<char>(*high * 16 + *low) : text[i];
    if (escapes) i += 2;
  }
  return out;
}

std::vector<std::string> PointerTokens(std::string_view pointer) {
  ESP_CHECK(pointer.empty() || pointer.front() == '/');
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      tokens.emplace_back();
    } else if (pointer.substr(i, 2) == "~0" || pointer.substr(i, 2) == "~1") {
      tokens.back() += pointer[++i] == '0' ? '~' : '/';
    } else {
      tokens.back() += pointer[i];
    }
  }
  return tokens;
}

std::string EscapedToken(std::string_view token) {
  std::string out;
  for (const char c : token) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace espalier
