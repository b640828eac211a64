#include "frontend_lang/http/url.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace espalier {
namespace {

Status Wrong(std::string_view url, std::string_view why) {
  return Status(Code::kInvalidArgument,
                fmt::format("the address '{}' {}; write it as http://HOST:PORT", url, why));
}

bool IsDecimal(std::string_view text) {
  return !text.empty() && text.size() <= 5 && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

bool IsPlain(char c) {
  return c > ' ' && c < '\x7f' && c != '@' && c != '?' && c != '#' && c != '\\';
}

}  // namespace

std::string ServerUrl::Authority() const {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return is_ipv6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

std::string ServerUrl::Text() const {
  return fmt::format("{}://{}{}", scheme == Scheme::kHttps ? "https" : "http", Authority(), path);
}

Result<ServerUrl> ParseServerUrl(std::string_view text) {
  if (!std::all_of(text.begin(), text.end(), IsPlain)) {
    return Wrong(text, "has characters that an address cannot have");
  }
  ServerUrl url;
  std::string_view rest = text;
  if (const std::size_t scheme = rest.find("://"); scheme != std::string_view::npos) {
    const std::string_view name = rest.substr(0, scheme);
    if (name != "http" && name != "https") return Wrong(text, "is neither http nor https");
    if (name == "https") url.scheme = ServerUrl::Scheme::kHttps;
    rest.remove_prefix(scheme + 3);
  }
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view authority = rest.substr(0, slash);
  std::string_view path = rest.substr(slash);
  while (path.ends_with('/')) path.remove_suffix(1);
  if (path.ends_with("/v1")) path.remove_suffix(3);
  url.path = path;
  url.port = url.scheme == ServerUrl::Scheme::kHttps ? "443" : "80";
  const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
  if (bracket == std::string_view::npos) return Wrong(text, "lacks a ']'");
  if (const std::size_t colon = authority.find(':', bracket); colon != std::string_view::npos) {
    const std::string_view port = authority.substr(colon + 1);
    if (!IsDecimal(port) || std::stoi(std::string(port)) > 65535) {
      return Wrong(text, "has a port that is no number up to 65535");
    }
    url.port = port;
    authority = authority.substr(0, colon);
  }
  if (bracket > 0) authority = authority.substr(1, bracket - 1);
  if (authority.empty()) return Wrong(text, "names no host");
  url.host = authority;
  return url;
}

}  // namespace espalier
