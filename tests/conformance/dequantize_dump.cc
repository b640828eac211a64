// dequantize_dump FORMAT: blocks from standard input, their float32 to standard output.
// tests/conformance/dequantize.py compares them with another implementation's.
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "kernels/quant/dequantize.h"

int main(int argc, char** argv) {
  using namespace espalier;
  const std::string name = argc == 2 ? argv[1] : "";
  for (const DTypeTraits& type : kDTypeTraits) {
    if (name != type.name) continue;
    const std::vector<char> bytes(std::istreambuf_iterator<char>(std::cin), {});
    const auto num_blocks = static_cast<std::int64_t>(bytes.size()) / type.block_bytes;
    std::vector<float> values(static_cast<std::size_t>(num_blocks * type.block_size));
    DequantizeRow({bytes.data(), type.dtype, 1, num_blocks * type.block_size}, 0, values.data());
    std::fwrite(values.data(), sizeof(float), values.size(), stdout);
    return 0;
  }
  std::fprintf(stderr, "usage: dequantize_dump FORMAT <blocks >floats\n");
  return 2;
}
