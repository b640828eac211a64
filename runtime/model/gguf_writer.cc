#include "runtime/model/gguf_writer.h"

#include <utility>

#include "runtime/model/gguf_metadata.h"

namespace espalier {
namespace {

constexpr std::size_t kAlignment = 32;  // the format's default

template <typename T>
void Append(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void AppendString(std::string& out, std::string_view text) {
  Append<std::uint64_t>(out, text.size());
  out += text;
}

void AppendKey(std::string& out, std::string_view key, GgufType type) {
  AppendString(out, key);
  Append(out, static_cast<std::uint32_t>(type));
}

void AppendArrayKey(std::string& out, std::string_view key, GgufType type, std::size_t length) {
  AppendKey(out, key, GgufType::kArray);
  Append(out, static_cast<std::uint32_t>(type));
  Append<std::uint64_t>(out, length);
}

void Pad(std::string& out) { out.resize((out.size() + kAlignment - 1) / kAlignment * kAlignment); }

}  // namespace

void GgufWriter::SetInt(std::string_view key, std::uint32_t value) {
  AppendKey(metadata_, key, GgufType::kU32);
  Append(metadata_, value);
  ++num_entries_;
}

void GgufWriter::SetFloat(std::string_view key, float value) {
  AppendKey(metadata_, key, GgufType::kF32);
  Append(metadata_, value);
  ++num_entries_;
}

void GgufWriter::SetBool(std::string_view key, bool value) {
  AppendKey(metadata_, key, GgufType::kBool);
  Append<std::uint8_t>(metadata_, value ? 1 : 0);
  ++num_entries_;
}

void GgufWriter::SetString(std::string_view key, std::string_view value) {
  AppendKey(metadata_, key, GgufType::kString);
  AppendString(metadata_, value);
  ++num_entries_;
}

void GgufWriter::SetStrings(std::string_view key, std::span<const std::string> values) {
  AppendArrayKey(metadata_, key, GgufType::kString, values.size());
  for (const std::string& value : values) AppendString(metadata_, value);
  ++num_entries_;
}

void GgufWriter::SetInts(std::string_view key, std::span<const std::int32_t> values) {
  AppendArrayKey(metadata_, key, GgufType::kI32, values.size());
  for (const std::int32_t value : values) Append(metadata_, value);
  ++num_entries_;
}

void GgufWriter::SetFloats(std::string_view key, std::span<const float> values) {
  AppendArrayKey(metadata_, key, GgufType::kF32, values.size());
  for (const float value : values) Append(metadata_, value);
  ++num_entries_;
}

void GgufWriter::AddTensor(std::string_view name, DType dtype,
                           std::initializer_list<std::int64_t> dims, std::string bytes) {
  tensors_.push_back({std::string(name), dtype, dims, std::move(bytes)});
}

std::string GgufWriter::Finish() const {
  std::string out = "GGUF";
  Append<std::uint32_t>(out, 3);
  Append<std::uint64_t>(out, tensors_.size());
  Append<std::uint64_t>(out, num_entries_);
  out += metadata_;
  std::string data;
  for (const Tensor& tensor : tensors_) {
    AppendString(out, tensor.name);
    Append(out, static_cast<std::uint32_t>(tensor.dims.size()));
    for (const std::int64_t dim : tensor.dims) Append(out, dim);
    Append(out, Traits(tensor.dtype).gguf_id);
    Append<std::uint64_t>(out, data.size());
    data += tensor.bytes;
    Pad(data);
  }
  Pad(out);
  return out + data;
}

}  // namespace espalier
