#include "frontend_lang/script/values/hash.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/extension.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

namespace espalier::lang {
namespace {

constexpr std::uint64_t kNoneHash = 0xFCA86420;

// SipHash-1-3 (Aumasson and Bernstein, 2012) with the key 0.
class SipHash {
 public:
  void Add(std::uint64_t word) {
    v3_ ^= word;
    Round();
    v0_ ^= word;
  }
  std::uint64_t Finish() {
    v2_ ^= 0xFF;
    for (int i = 0; i < 3; ++i) Round();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

 private:
  void Round() {
    v0_ += v1_, v2_ += v3_;
    v1_ = std::rotl(v1_, 13) ^ v0_, v3_ = std::rotl(v3_, 16) ^ v2_;
    v0_ = std::rotl(v0_, 32);
    v2_ += v1_, v0_ += v3_;
    v1_ = std::rotl(v1_, 17) ^ v2_, v3_ = std::rotl(v3_, 21) ^ v0_;
    v2_ = std::rotl(v2_, 32);
  }

  std::uint64_t v0_ = 0x736F6D6570736575, v1_ = 0x646F72616E646F6D;
  std::uint64_t v2_ = 0x6C7967656E657261, v3_ = 0x7465646279746573;
};

std::uint64_t NotNone(std::uint64_t hash) { return hash == kNoHash ? kNoHash - 1 : hash; }

// Python hashes a text as it keeps it: in units that are wide enough for its widest character.
template <typename Unit>
std::uint64_t HashUnits(std::string_view utf8) {
  std::basic_string<Unit> units;
  units.reserve(utf8.size());
  for (std::size_t at = 0; at < utf8.size();) {
    units += static_cast<Unit>(NextCodePoint(utf8, at));
  }
  return HashBytes({reinterpret_cast<const char*>(units.data()), units.size() * sizeof(Unit)});
}

// The same xxHash-like folding of lanes as CPython's.
class TupleHash {
 public:
  void Add(std::uint64_t lane) {
    sum_ = std::rotl(sum_ + lane * kPrime2, 31) * kPrime1;
    ++size_;
  }
  std::uint64_t Finish() const {
    const std::uint64_t hash = sum_ + (size_ ^ (kPrime5 ^ 3527539));
    return hash == kNoHash ? 1546275796 : hash;
  }

 private:
  static constexpr std::uint64_t kPrime1 = 11400714785074694791U, kPrime2 = 14029467366897019727U,
                                 kPrime5 = 2870177450012600261U;
  std::uint64_t sum_ = kPrime5, size_ = 0;
};

Outcome<std::uint64_t> HashTuple(Host& host, const Tuple& tuple) {
  NestedScope scope(host);
  ESP_TRY(scope.Check());
  TupleHash hash;
  for (const Value& item : tuple.items()) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const std::uint64_t lane, Hash(host, item));
    hash.Add(lane);
  }
  return hash.Finish();
}

// Ranges of the same items are equal, whatever their steps and stops.
std::uint64_t HashRange(const Range& range) {
  const auto hash_of = [](std::int64_t number) {
    return static_cast<std::uint64_t>(NumericHash(Value::Int(number)));
  };
  TupleHash hash;
  hash.Add(hash_of(range.size()));
  hash.Add(range.size() > 0 ? hash_of(range.start()) : kNoneHash);
  hash.Add(range.size() > 1 ? hash_of(range.step()) : kNoneHash);
  return hash.Finish();
}

}  // namespace

Outcome<std::uint64_t> Hash(Host& host, const Value& value) {
  switch (value.type()) {
    case Type::kUnset:
    case Type::kNone: return kNoneHash;
    case Type::kBool:
    case Type::kInt:
    case Type::kFloat:
    case Type::kBigInt: return static_cast<std::uint64_t>(NumericHash(value));
    case Type::kStr: return value.As<Str>()->Hash();
    case Type::kTuple: return HashTuple(host, *value.As<Tuple>());
    case Type::kRange: return HashRange(*value.As<Range>());
    case Type::kSet:
      if (!value.As<Set>()->frozen()) break;
      ESP_TRY(host.Step(value.As<Set>()->size() / 64));
      return value.As<Set>()->HashOfMembers();
    case Type::kList:
    case Type::kDict:
    case Type::kSlice: break;
    default: {
      ESP_TRY_ASSIGN(const std::uint64_t hash, ExtensionOf(value).Hash(host));
      return NotNone(hash);
    }
  }
  return TypeError("unhashable type: '" + std::string(TypeName(value)) + "'");
}

std::uint64_t HashBytes(std::string_view bytes) {
  if (bytes.empty()) return 0;
  SipHash hash;
  const std::uint64_t size = bytes.size();
  std::uint64_t word = 0;
  for (; bytes.size() >= sizeof word; bytes.remove_prefix(sizeof word)) {
    std::memcpy(&word, bytes.data(), sizeof word);
    hash.Add(word);
  }
  word = 0;
  std::memcpy(&word, bytes.data(), bytes.size());
  hash.Add(word | size << 56);
  return NotNone(hash.Finish());
}

std::uint64_t HashStr(std::string_view utf8) {
  char32_t widest = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    if (static_cast<signed char>(utf8[at]) >= 0) {
      ++at;
    } else {
      widest = std::max(widest, NextCodePoint(utf8, at));
    }
  }
  if (widest == 0) return HashBytes(utf8);
  return widest < 0x100     ? HashUnits<char>(utf8)
         : widest < 0x10000 ? HashUnits<char16_t>(utf8)
                            : HashUnits<char32_t>(utf8);
}

}  // namespace espalier::lang
