// What acts on running requests and on the cache: SGLang's.
#include <fmt/format.h>

#include "runtime/server/api_error.h"
#include "runtime/server/endpoints/endpoints.h"

namespace espalier::endpoints {

void FlushCache(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  if (!service.idle()) {
    return exchange->Answer(
        {.status = 400,
         .content_type = "text/plain; charset=utf-8",
         .body = fmt::format("Not flushed: {} requests are under way.\n", service.runs().size())});
  }
  service.model().engine().FlushCache();
  AnswerText(*exchange, "Cache flushed.\n");
}

// {"rid": "..."} ends the requests whose ids begin so; {"abort_all": true} ends all.
void AbortRequest(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  const Result<nlohmann::ordered_json> body = BodyJson(exchange->question().body.text);
  if (!body.ok()) return Refuse(*exchange, body.status());
  const auto rid = body->find("rid");
  const auto all = body->find("abort_all");
  const bool abort_all = all != body->end() && *all == true;
  const bool has_rid = rid != body->end() && rid->is_string() && !rid->empty();
  if (!abort_all && (!has_rid || rid->get_ref<const std::string&>().empty())) {
    return Refuse(*exchange,
                  Status(Code::kInvalidArgument, "rid must be a string that is not empty"));
  }
  const int num_aborted = service.runs().Abort(abort_all ? "" : rid->get<std::string>());
  AnswerJson(*exchange, {{"num_aborted", num_aborted}});
}

// There is none to start: /metrics says where the time goes.
void Profile(Service& /*service*/, const Exchange& exchange, std::string_view /*id*/) {
  AnswerText(*exchange, "There is no profiler; see /metrics.\n");
}

// Nothing is to be done: appended texts are computed as any text, from the prefix cache.
void Concatenate(Service& /*service*/, const Exchange& exchange, std::string_view /*id*/) {
  AnswerJson(*exchange, nlohmann::ordered_json::object());
}

}  // namespace espalier::endpoints
