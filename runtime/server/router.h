// The routes, and who answers a request.
//
// Thread safety: io thread only.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/server/http_exchange.h"
#include "runtime/server/service.h"

namespace espalier {

using Exchange = std::shared_ptr<HttpExchange>;

// A row of the table. HEAD is answered as GET, without the body.
struct Route {
  std::string_view method;
  // What stands for "{id}" in it, decoded, is the id: at its end with slashes, if it has some.
  std::string_view path;
  enum class Access : unsigned char { kKey, kOpen } access;
  void (*handle)(Service& service, const Exchange& exchange, std::string_view id);
  std::string_view summary;
  std::string_view body = "";  // the schema of what it takes (BodySchemas); "": nothing
};
std::span<const Route> Routes();

// What a request is refused with by its head alone: 401 without a key, 404, 405. Unset if
// an endpoint takes it.
std::optional<HttpAnswer> Admit(const Service& service, const HttpQuestion& head);

// Lets the endpoint answer; refuses what Admit does, and with 415 a body of /v1/ that says
// it is not JSON.
void Dispatch(Service& service, const Exchange& exchange);

}  // namespace espalier
