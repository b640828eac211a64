// GET /openapi.json
#include "runtime/server/openapi.h"

#include "runtime/server/endpoints/endpoints.h"

namespace espalier::endpoints {

void OpenApi(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  AnswerJson(*exchange, OpenApiDocument(service));
}

}  // namespace espalier::endpoints
