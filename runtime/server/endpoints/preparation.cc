#include "runtime/server/endpoints/preparation.h"

#include <exception>
#include <optional>
#include <utility>

#include "kernels/base/random.h"
#include "runtime/server/endpoints/endpoints.h"

namespace espalier::endpoints {
namespace {

constexpr std::size_t kMostBytesHere = 8 << 10;  // prepared on the io thread: well below 1 ms

// What a library throws is our fault, and this request's.
Result<Prepared> Run(Prepare prepare, const ServedModel& served, const std::string& text,
                     std::uint64_t seed) {
  try {
    ESP_ASSIGN_OR_RETURN(const nlohmann::ordered_json body, BodyJson(text));
    return prepare(served, body, seed);
  } catch (const std::exception& /*a library's*/) {
    return Status(Code::kInternal, "the request could not be read");
  }
}

void GoOn(Service& service, const std::shared_ptr<HttpExchange>& exchange,
          Result<Prepared> prepared) {
  if (exchange->gone()) return;
  if (!prepared.ok()) {
    const Status status = prepared.status();
    if (status.code() == Code::kNotFound) return RefuseModel(*exchange, status);
    return Refuse(*exchange, status);
  }
  if (prepared->shape == nullptr) return AnswerJson(*exchange, prepared->answer);
  StartGeneration(service, exchange, std::move(prepared->asked), std::move(prepared->shape));
}

}  // namespace

std::uint64_t SeedOf(std::uint64_t body_seed, std::size_t index) {
  return ChildSeed(body_seed, index) >> 11;
}

void PrepareAndAnswer(Service& service, const std::shared_ptr<HttpExchange>& exchange,
                      Prepare prepare) {
  const std::uint64_t seed = service.NextSeed();
  HttpBody body = exchange->TakeBody();
  if (body.text.size() <= kMostBytesHere) {
    return GoOn(service, exchange, Run(prepare, service.served(), body.text, seed));
  }
  struct Job {
    HttpBody body;
    std::optional<Result<Prepared>> prepared;
  };
  const auto job = std::make_shared<Job>(Job{std::move(body), std::nullopt});
  service.pool_work().Start(
      [job, prepare, seed, &served = service.served()] {
        job->prepared = Run(prepare, served, job->body.text, seed);
      },
      [job, exchange, &service] {
        job->body = {};
        GoOn(service, exchange, *std::move(job->prepared));
      });
}

}  // namespace espalier::endpoints
