// Gguf: a GGUF v2 or v3 file, validated as a whole before anything of it is used.
//
// The file is mapped, not read; tensors are views into the mapping. Every count,
// length, offset, alignment and type is checked against the file's size before
// use, and nothing is allocated on the word of the header alone. A file that is
// truncated, hostile or big-endian is a Status that names the field or tensor.
//
// Source of the format: ggml's docs/gguf.md.
//
// Thread safety: immutable after opening.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/status.h"
#include "kernels/tensor.h"

namespace espalier {

class Gguf {
 public:
  // kNotFound if there is no such file; kDataLoss if it is broken; kUnsupported for
  // another version, byte order or tensor type.
  static Result<std::shared_ptr<const Gguf>> Open(const std::string& path);
  // The same checks on an image in memory, which it keeps.
  static Result<std::shared_ptr<const Gguf>> FromMemory(std::string image);
  ~Gguf();

  // Metadata. Integers of any width and sign convert where the value fits; an
  // absent key is nullopt, a key of another type or range is kDataLoss naming it. A
  // scalar reads as an array of one.
  Result<std::optional<std::int64_t>> GetInt(std::string_view key) const;
  Result<std::optional<double>> GetFloat(std::string_view key) const;
  Result<std::optional<bool>> GetBool(std::string_view key) const;
  Result<std::optional<std::string_view>> GetString(std::string_view key) const;
  Result<std::optional<std::vector<std::string_view>>> GetStrings(std::string_view key) const;
  Result<std::optional<std::vector<std::int64_t>>> GetInts(std::string_view key) const;
  Result<std::optional<std::vector<float>>> GetFloats(std::string_view key) const;

  struct Tensor {
    std::string_view name;
    TensorView view;                 // {1, n} for one dimension; more than two are folded into rows
    std::vector<std::int64_t> dims;  // as in the file: fastest first
  };
  std::span<const Tensor> tensors() const { return tensors_; }  // by name
  const Tensor* FindTensor(std::string_view name) const;        // null if absent

  std::int64_t file_bytes() const;
  std::string_view bytes() const;  // the whole mapping

  // After the weights were packed: frees the memory of what was read. The views stay
  // valid.
  void DropPages() const;

  static constexpr std::uint64_t kMaxTensors = 65536;
  static constexpr std::uint64_t kMaxTensorNameBytes = 64;
  static constexpr std::uint32_t kMaxDims = 4;

 private:
  Gguf();
  Status Parse();
  struct Contents;
  std::unique_ptr<Contents> contents_;
  std::vector<Tensor> tensors_;
};

}  // namespace espalier
