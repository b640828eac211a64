#include "runtime/api/embedding_json.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

#include <openssl/evp.h>

#include <fmt/format.h>

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

// The double with the fewest digits that is this float: it is written with as many.
double Short(float x) {
  const std::string text = fmt::format("{}", x);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string Base64(std::span<const float> numbers) {
  std::vector<unsigned char> bytes;
  bytes.reserve(numbers.size() * sizeof(float));
  for (const float x : numbers) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    for (int shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<unsigned char>(bits >> shift));
    }
  }
  std::string text((bytes.size() + 2) / 3 * 4, '\0');
  // It ends what it writes with a zero, where std::string has one.
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(),
                  static_cast<int>(bytes.size()));
  return text;
}

}  // namespace

Result<std::vector<float>> Normalized(std::span<const float> embedding) {
  double squares = 0;
  for (const double x : embedding) squares += x * x;
  const double length = std::sqrt(squares);
  if (!std::isfinite(length) || length == 0) {
    return Status(Code::kInternal, "the model gave hidden states that have no direction");
  }
  std::vector<float> unit;
  unit.reserve(embedding.size());
  for (const double x : embedding) unit.push_back(static_cast<float>(x / length));
  return unit;
}

Json EmbeddingJson(std::span<const float> embedding, EmbeddingsBody::Encoding encoding) {
  if (encoding == EmbeddingsBody::Encoding::kBase64) return Base64(embedding);
  Json list = Json::array();
  for (const float x : embedding) list.push_back(Short(x));
  return list;
}

}  // namespace espalier
