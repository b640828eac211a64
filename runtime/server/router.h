// The routes, and who answers a request.
//
// Thread safety: io thread only.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "runtime/server/http_exchange.h"
#include "runtime/server/service.h"

namespace espalier {

using Exchange = std::shared_ptr<HttpExchange>;

// A row of the table. HEAD is answered as GET, without the body.
struct Route {
  std::string_view method;
  std::string_view path;  // ends with "/{id}": the rest of the path, decoded, is the id
  enum class Access : unsigned char { kKey, kOpen } access;
  void (*handle)(Service& service, const Exchange& exchange, std::string_view id);
  std::string_view summary;
};
std::span<const Route> Routes();

// Answers, or lets the endpoint answer: 401 without a key, 404, 405, and 415 for a body of
// /v1/ that says it is not JSON.
void Dispatch(Service& service, const Exchange& exchange);

}  // namespace espalier
