// ServerUrl: where a server is, as --url and programs name it.
//
// Thread safety: immutable value.
#pragma once

#include <string>
#include <string_view>

#include "kernels/base/status.h"

namespace espalier {

struct ServerUrl {
  enum class Scheme { kHttp, kHttps };

  Scheme scheme = Scheme::kHttp;
  std::string host;  // without the brackets of an IPv6 address
  std::string port;  // decimal
  std::string path;  // what stands before each route: "" or "/base", no slash at its end

  // As the Host header of a request and error messages say it.
  std::string Authority() const;
  std::string Text() const;
};

// "http://host:port/base", "https://...", or "host:port". A trailing "/v1" is taken off:
// people copy the address that OpenAI clients want. kInvalidArgument says what is wrong.
Result<ServerUrl> ParseServerUrl(std::string_view text);

}  // namespace espalier
