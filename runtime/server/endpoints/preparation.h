// Preparation: from a body to what the engine gets: JSON, chat templates, tokens. A long body
// is prepared on the model's pool, and holds up nobody else's answer meanwhile.
//
// Thread safety: io thread only; a Prepare may run on any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"
#include "runtime/server/answer_shape.h"
#include "runtime/server/generation.h"
#include "runtime/server/http_exchange.h"
#include "runtime/server/served_model.h"
#include "runtime/server/service.h"

namespace espalier::endpoints {

// What comes of a body: requests, and how their outputs are worded; or, without a shape, the
// answer itself.
struct Prepared {
  Asked asked = {};
  std::unique_ptr<AnswerShape> shape = nullptr;
  nlohmann::ordered_json answer = nullptr;
};

// A function of what it is given: it has no other thread's state. Errors name the body's own
// fields; kNotFound: of the model that it asks for.
using Prepare = Result<Prepared> (*)(const ServedModel& served, const nlohmann::ordered_json& body,
                                     std::uint64_t seed);

// The seed of a body's request number `index` that gives none: below 2^53, so that every client
// can read it back from the answer.
std::uint64_t SeedOf(std::uint64_t body_seed, std::size_t index);

// Prepares the exchange's body and goes on with what came of it.
void PrepareAndAnswer(Service& service, const std::shared_ptr<HttpExchange>& exchange,
                      Prepare prepare);

}  // namespace espalier::endpoints
