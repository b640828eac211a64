#include "runtime/model/gguf_metadata.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

namespace espalier {
namespace {

// Bytes of one value, 0 where its length stands in the file.
constexpr std::array<std::uint8_t, 13> kTypeBytes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

Status Broken(std::string_view key, const std::string& what) {
  return Status(Code::kDataLoss, "metadata key '" + std::string(key) + "' " + what);
}

bool ReadType(ByteReader& reader, GgufType& type) {
  std::uint32_t id = 0;
  if (!reader.Read(id) || id >= kTypeBytes.size()) return false;
  type = static_cast<GgufType>(id);
  return true;
}

// Walks over values to prove that they lie inside the file.
class ValueWalk {
 public:
  ValueWalk(ByteReader& reader, std::uint64_t& num_parts) : reader_(reader), parts_(num_parts) {}

  Status Skip(std::string_view key, GgufType type, int depth) {
    if (type == GgufType::kArray) return SkipArray(key, depth + 1);
    std::string_view value;
    const bool inside = type == GgufType::kString
                            ? reader_.ReadString(value)
                            : reader_.ReadBytes(kTypeBytes[static_cast<std::size_t>(type)], value);
    return inside ? Status() : Broken(key, "reaches past the end of the file");
  }

 private:
  Status SkipArray(std::string_view key, int depth) {
    if (depth > GgufMetadata::kMaxArrayDepth) return Broken(key, "nests arrays too deep");
    GgufType type{};
    std::uint64_t length = 0;
    if (!ReadType(reader_, type)) return Broken(key, "is an array of an unknown type");
    if (!reader_.Read(length)) return Broken(key, "reaches past the end of the file");
    if (length > GgufMetadata::kMaxArrayLength) {
      return Broken(key, "is an array of " + std::to_string(length) +
                             " elements, over the limit of " +
                             std::to_string(GgufMetadata::kMaxArrayLength));
    }
    if (const std::uint64_t bytes = kTypeBytes[static_cast<std::size_t>(type)]; bytes > 0) {
      std::string_view values;
      if (reader_.ReadBytes(length * bytes, values)) return Status();
      return Broken(key, "reaches past the end of the file");
    }
    return SkipElements(key, type, length, depth);
  }

  Status SkipElements(std::string_view key, GgufType type, std::uint64_t length, int depth) {
    parts_ += length;
    if (parts_ > 2 * GgufMetadata::kMaxArrayLength) {
      return Broken(key, "brings the strings of the file over the limit");
    }
    for (std::uint64_t i = 0; i < length; ++i) ESP_RETURN_IF_ERROR(Skip(key, type, depth));
    return Status();
  }

  ByteReader& reader_;
  std::uint64_t& parts_;  // strings and arrays walked in the whole file
};

bool IsName(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

template <typename Stored, typename T>
bool ReadAs(ByteReader& reader, T& value) {
  Stored stored{};
  if (!reader.Read(stored)) return false;
  if constexpr (std::is_same_v<T, std::int64_t>) {
    if (!std::in_range<std::int64_t>(stored)) return false;
  }
  value = static_cast<T>(stored);
  return true;
}

template <typename T>
bool ReadAnyInt(ByteReader& reader, GgufType type, T& value) {
  switch (type) {
    case GgufType::kU8: return ReadAs<std::uint8_t>(reader, value);
    case GgufType::kI8: return ReadAs<std::int8_t>(reader, value);
    case GgufType::kU16: return ReadAs<std::uint16_t>(reader, value);
    case GgufType::kI16: return ReadAs<std::int16_t>(reader, value);
    case GgufType::kU32: return ReadAs<std::uint32_t>(reader, value);
    case GgufType::kI32: return ReadAs<std::int32_t>(reader, value);
    case GgufType::kU64: return ReadAs<std::uint64_t>(reader, value);
    case GgufType::kI64: return ReadAs<std::int64_t>(reader, value);
    default: return false;
  }
}

bool ReadInt(ByteReader& reader, GgufType type, std::int64_t& value) {
  return ReadAnyInt(reader, type, value);
}

template <typename T>
bool ReadFloat(ByteReader& reader, GgufType type, T& value) {
  if (type == GgufType::kF32) return ReadAs<float>(reader, value);
  if (type == GgufType::kF64) return ReadAs<double>(reader, value);
  return ReadAnyInt(reader, type, value);
}

bool ReadBool(ByteReader& reader, GgufType type, bool& value) {
  std::uint8_t byte = 0;
  if (type != GgufType::kBool || !reader.Read(byte) || byte > 1) return false;
  value = byte == 1;
  return true;
}

bool ReadString(ByteReader& reader, GgufType type, std::string_view& value) {
  return type == GgufType::kString && reader.ReadString(value);
}

}  // namespace

Result<GgufMetadata> GgufMetadata::Parse(std::string_view file, std::uint64_t count,
                                         ByteReader& reader) {
  if (count > kMaxEntries) {
    return Status(Code::kDataLoss, "the header claims " + std::to_string(count) +
                                       " metadata entries, over the limit of " +
                                       std::to_string(kMaxEntries));
  }
  GgufMetadata metadata;
  metadata.file_ = file;
  std::uint64_t num_parts = 0;
  ValueWalk walk(reader, num_parts);
  for (std::uint64_t i = 0; i < count; ++i) {
    Entry entry;
    const std::string number = "metadata entry " + std::to_string(i);
    if (!reader.ReadString(entry.key) || entry.key.empty() || entry.key.size() > kMaxKeyBytes ||
        !IsName(entry.key)) {
      return Status(Code::kDataLoss, number + " has no valid key (file truncated or corrupt)");
    }
    if (!ReadType(reader, entry.type)) return Broken(entry.key, "has an unknown value type");
    entry.offset = reader.offset();
    ESP_RETURN_IF_ERROR(walk.Skip(entry.key, entry.type, 0));
    metadata.entries_.push_back(entry);
  }
  auto& entries = metadata.entries_;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.key < b.key; });
  const auto twin =
      std::adjacent_find(entries.begin(), entries.end(),
                         [](const Entry& a, const Entry& b) { return a.key == b.key; });
  if (twin != entries.end()) return Broken(twin->key, "stands twice in the file");
  return metadata;
}

const GgufMetadata::Entry* GgufMetadata::Find(std::string_view key) const {
  const auto it = std::lower_bound(entries_.begin(), entries_.end(), key,
                                   [](const Entry& e, std::string_view k) { return e.key < k; });
  return it != entries_.end() && it->key == key ? &*it : nullptr;
}

template <typename T, typename ReadOne>
Result<std::optional<T>> GgufMetadata::GetScalar(std::string_view key, std::string_view wanted,
                                                 ReadOne read_one) const {
  const Entry* entry = Find(key);
  if (entry == nullptr) return std::optional<T>();
  ByteReader reader(file_, entry->offset);
  T value{};
  if (!read_one(reader, entry->type, value)) {
    return Broken(key, "is not " + std::string(wanted));
  }
  return std::optional<T>(value);
}

template <typename T, typename ReadOne>
Result<std::optional<std::vector<T>>> GgufMetadata::GetArray(std::string_view key,
                                                             std::string_view wanted,
                                                             ReadOne read_one) const {
  const Entry* entry = Find(key);
  if (entry == nullptr) return std::optional<std::vector<T>>();
  ByteReader reader(file_, entry->offset);
  GgufType type = entry->type;
  std::uint64_t length = 1;
  if (type == GgufType::kArray && (!ReadType(reader, type) || !reader.Read(length))) {
    return Broken(key, "reaches past the end of the file");
  }
  std::vector<T> values;
  T value{};
  for (std::uint64_t i = 0; i < length; ++i) {
    if (!read_one(reader, type, value)) {
      return Broken(key,
                    "is not an array of " + std::string(wanted) + " at index " + std::to_string(i));
    }
    values.push_back(value);
  }
  return std::optional<std::vector<T>>(std::move(values));
}

Result<std::optional<std::int64_t>> GgufMetadata::GetInt(std::string_view key) const {
  return GetScalar<std::int64_t>(key, "an integer of 64 bits or fewer", ReadInt);
}

Result<std::optional<double>> GgufMetadata::GetFloat(std::string_view key) const {
  return GetScalar<double>(key, "a number", ReadFloat<double>);
}

Result<std::optional<bool>> GgufMetadata::GetBool(std::string_view key) const {
  return GetScalar<bool>(key, "true or false", ReadBool);
}

Result<std::optional<std::string_view>> GgufMetadata::GetString(std::string_view key) const {
  return GetScalar<std::string_view>(key, "a string", ReadString);
}

Result<std::optional<std::vector<std::string_view>>> GgufMetadata::GetStrings(
    std::string_view key) const {
  return GetArray<std::string_view>(key, "strings", ReadString);
}

Result<std::optional<std::vector<std::int64_t>>> GgufMetadata::GetInts(std::string_view key) const {
  return GetArray<std::int64_t>(key, "integers", ReadInt);
}

Result<std::optional<std::vector<float>>> GgufMetadata::GetFloats(std::string_view key) const {
  return GetArray<float>(key, "numbers", ReadFloat<float>);
}

}  // namespace espalier
