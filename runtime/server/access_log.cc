#include "runtime/server/access_log.h"

#include <chrono>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace espalier {
namespace {

constexpr int kClientWent = 499;  // as nginx writes it
constexpr std::size_t kMostPathBytes = 512;

std::string NowText() {
  const auto now = std::chrono::system_clock::now();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(now)), ms.count() % 1000);
}

}  // namespace

std::string AccessLine(const HttpExchange& ended) {
  using Json = nlohmann::ordered_json;
  const HttpQuestion& question = ended.question();
  const std::chrono::duration<double, std::milli> took =
      std::chrono::steady_clock::now() - ended.start();
  const bool went = !ended.answer() || (ended.gone() && !ended.ended());
  const Json line = {{"time", NowText()},
                     {"request_id", question.request_id},
                     {"method", question.method},
                     {"path", question.path.substr(0, kMostPathBytes)},
                     {"status", went ? kClientWent : ended.answer()->status},
                     {"bytes", ended.num_body_bytes()},
                     {"duration_ms", took.count()}};
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace espalier
