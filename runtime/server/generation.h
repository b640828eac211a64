// Generation: the requests of one exchange on their way through the engine, and the
// exchange's answer.
//
//   1. The answer's status waits for the first piece of text, so that what the engine
//      refuses is an HTTP error and no broken stream.
//   2. The first request that fails ends the others and is the answer: an error, or the
//      stream's last event.
//   3. When the client goes, or the deadline comes, all its requests are cancelled at once.
//      What has text by the deadline ends with "abort"; where there is none it is an error.
//
// Thread safety: io thread only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/api/field_names.h"
#include "runtime/api/request_line.h"
#include "runtime/server/answer_shape.h"
#include "runtime/server/http_exchange.h"
#include "runtime/server/service.h"

namespace espalier {

struct Asked {
  std::vector<LineRequest> requests;  // not empty
  std::vector<std::string> ids;       // of each, as abort_request knows it
  bool stream = false;
  double timeout_s = 0;                                           // 0: none is asked for
  std::vector<std::pair<std::string, std::string>> headers = {};  // of the answer
  FieldNames names = {};                                          // of fields that errors are about
};

void StartGeneration(Service& service, std::shared_ptr<HttpExchange> exchange, Asked asked,
                     std::unique_ptr<AnswerShape> shape);

}  // namespace espalier
