#include "runtime/server/request_id.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <openssl/rand.h>

#include "kernels/base/check.h"

namespace espalier {
namespace {

constexpr std::size_t kMaxIdBytes = 128;

bool IsPlain(char c) { return c > ' ' && c <= '~'; }

}  // namespace

std::string NewId(std::string_view prefix) {
  std::array<unsigned char, 16> bytes;
  ESP_CHECK(RAND_bytes(bytes.data(), bytes.size()) == 1) << "no random numbers";
  std::string id(prefix);
  for (const unsigned char byte : bytes) id += fmt::format("{:02x}", byte);
  return id;
}

std::string UsableRequestId(std::string given) {
  const bool usable = !given.empty() && given.size() <= kMaxIdBytes &&
                      std::all_of(given.begin(), given.end(), IsPlain);
  return usable ? std::move(given) : NewId("req-");
}

}  // namespace espalier
