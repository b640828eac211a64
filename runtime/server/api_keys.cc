#include "runtime/server/api_keys.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <openssl/crypto.h>
#include <openssl/sha.h>

namespace espalier {
namespace {

// Digests are of one length, so comparing them says nothing of the keys' lengths.
using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

Digest DigestOf(std::string_view text) {
  Digest digest;
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return digest;
}

}  // namespace

bool HasKey(std::span<const std::string> keys, std::string_view authorization) {
  if (keys.empty()) return true;
  constexpr std::string_view kScheme = "bearer ";
  const bool fits =
      authorization.size() >= kScheme.size() &&
      std::equal(kScheme.begin(), kScheme.end(), authorization.begin(), [](char known, char c) {
        return known == std::tolower(static_cast<unsigned char>(c));
      });
  if (!fits) return false;
  const Digest given = DigestOf(authorization.substr(kScheme.size()));
  bool found = false;
  for (const std::string& key : keys) {
    const Digest known = DigestOf(key);
    found |= CRYPTO_memcmp(given.data(), known.data(), given.size()) == 0;
  }
  return found;
}

}  // namespace espalier
