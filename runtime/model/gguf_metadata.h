// GgufMetadata: the key-value part of a GGUF file, checked as a whole when parsed.
//
// A value stays where it lies in the file: an entry is its key, type and place, so
// a vocabulary of 150,000 strings costs one walk and no copy.
//
// Invariants after Parse:
//   1. keys are printable ASCII, sorted and unique;
//   2. every value lies inside the file, arrays nest at most kMaxArrayDepth deep;
//   3. no array is longer than kMaxArrayLength.
//
// Thread safety: immutable after parsing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/base/status.h"
#include "runtime/model/byte_reader.h"

namespace espalier {

// The ids that the format gives to value types.
enum class GgufType : std::uint32_t {
  kU8,
  kI8,
  kU16,
  kI16,
  kU32,
  kI32,
  kF32,
  kBool,
  kString,
  kArray,
  kU64,
  kI64,
  kF64,
};

class GgufMetadata {
 public:
  static constexpr std::uint64_t kMaxEntries = 65536;
  static constexpr std::uint64_t kMaxKeyBytes = 65535;
  static constexpr std::uint64_t kMaxArrayLength = std::uint64_t{1} << 21;
  static constexpr int kMaxArrayDepth = 4;

  // Reads `count` entries of `file` at the reader's place and leaves it behind them.
  static Result<GgufMetadata> Parse(std::string_view file, std::uint64_t count, ByteReader& reader);

  // As the getters of Gguf say.
  Result<std::optional<std::int64_t>> GetInt(std::string_view key) const;
  Result<std::optional<double>> GetFloat(std::string_view key) const;
  Result<std::optional<bool>> GetBool(std::string_view key) const;
  Result<std::optional<std::string_view>> GetString(std::string_view key) const;
  Result<std::optional<std::vector<std::string_view>>> GetStrings(std::string_view key) const;
  Result<std::optional<std::vector<std::int64_t>>> GetInts(std::string_view key) const;
  Result<std::optional<std::vector<float>>> GetFloats(std::string_view key) const;

 private:
  struct Entry {
    std::string_view key;
    GgufType type = GgufType::kU8;
    std::size_t offset = 0;  // of the value in the file
  };
  const Entry* Find(std::string_view key) const;
  template <typename T, typename ReadOne>
  Result<std::optional<std::vector<T>>> GetArray(std::string_view key, std::string_view wanted,
                                                 ReadOne read_one) const;
  template <typename T, typename ReadOne>
  Result<std::optional<T>> GetScalar(std::string_view key, std::string_view wanted,
                                     ReadOne read_one) const;

  std::string_view file_;
  std::vector<Entry> entries_;  // by key
};

}  // namespace espalier
