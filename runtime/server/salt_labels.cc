#include "runtime/server/salt_labels.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "kernels/base/check.h"

namespace espalier {

SaltLabels::SaltLabels() {
  ESP_CHECK(RAND_bytes(key_.data(), static_cast<int>(key_.size())) == 1) << "no random bytes";
}

std::string SaltLabels::Of(std::string_view salt) const {
  if (salt.empty()) return "";
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
       reinterpret_cast<const unsigned char*>(salt.data()), salt.size(), digest.data(), &size);
  return fmt::format("{:02x}{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2], digest[3]);
}

}  // namespace espalier
