// GgufWriter: builds the image of a GGUF v3 file in memory, for the built-in model
// and for tests. It checks nothing: a test may write a broken file on purpose.
//
// Thread safety: thread-compatible.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/tensor.h"

namespace espalier {

class GgufWriter {
 public:
  void SetInt(std::string_view key, std::uint32_t value);
  void SetFloat(std::string_view key, float value);
  void SetBool(std::string_view key, bool value);
  void SetString(std::string_view key, std::string_view value);
  void SetStrings(std::string_view key, std::span<const std::string> values);
  void SetInts(std::string_view key, std::span<const std::int32_t> values);
  void SetFloats(std::string_view key, std::span<const float> values);

  // `dims` fastest first; `bytes` is the tensor's memory in the layout of `dtype`.
  void AddTensor(std::string_view name, DType dtype, std::initializer_list<std::int64_t> dims,
                 std::string bytes);

  std::string Finish() const;

 private:
  struct Tensor {
    std::string name;
    DType dtype;
    std::vector<std::int64_t> dims;
    std::string bytes;
  };
  std::string metadata_;
  std::uint64_t num_entries_ = 0;
  std::vector<Tensor> tensors_;
};

}  // namespace espalier
