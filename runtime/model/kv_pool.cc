#include "runtime/model/kv_pool.h"

#include <sys/mman.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace espalier {
namespace {

constexpr std::int64_t kSideAlignment = 4096;  // bytes; a side starts on a memory page

// Bytes of K or of V of one layer, or 0 where they cannot be counted.
std::int64_t SideBytes(const KvShape& shape, int num_pages) {
  std::int64_t bytes = Traits(shape.dtype).block_bytes;
  const std::int64_t factors[] = {shape.num_kv_heads, shape.head_dim, shape.page_size, num_pages};
  for (const std::int64_t factor : factors) {
    if (factor < 1 || __builtin_mul_overflow(bytes, factor, &bytes)) return 0;
  }
  if (bytes > INT64_MAX - kSideAlignment) return 0;
  return (bytes + kSideAlignment - 1) / kSideAlignment * kSideAlignment;
}

}  // namespace

Result<KvPool> KvPool::Create(const KvShape& shape, int num_pages) {
  const bool valid = shape.num_layers >= 1 &&
                     (shape.dtype == DType::kF16 || shape.dtype == DType::kF32) &&
                     shape.page_size >= 1 && kAttentionChunk % shape.page_size == 0;
  const std::int64_t side = valid ? SideBytes(shape, num_pages) : 0;
  std::int64_t total = 0;
  if (side == 0 || __builtin_mul_overflow(side, std::int64_t{2} * shape.num_layers, &total)) {
    return Status(Code::kInvalidArgument, "a KV cache of " + std::to_string(num_pages) +
                                              " pages of " + std::to_string(shape.page_size) +
                                              " tokens cannot be made (the page size must divide " +
                                              std::to_string(kAttentionChunk) + ")");
  }
  // MAP_NORESERVE: a pool for many tokens costs what is written, page by page.
  void* memory = ::mmap(nullptr, static_cast<std::size_t>(total), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return Status(Code::kLimit,
                  "the KV cache of " + std::to_string(total >> 20) +
                      " MiB cannot be reserved: " + std::generic_category().message(errno) +
                      "; ask for fewer tokens (--kv-cache-tokens)");
  }
  KvPool pool;
  pool.shape_ = shape;
  pool.num_pages_ = num_pages;
  pool.memory_ = memory;
  pool.size_bytes_ = static_cast<std::size_t>(total);
  char* next = static_cast<char*>(memory);
  for (std::int32_t i = 0; i < shape.num_layers; ++i) {
    pool.layers_.push_back({.k = next,
                            .v = next + side,
                            .dtype = shape.dtype,
                            .num_kv_heads = shape.num_kv_heads,
                            .head_dim = shape.head_dim,
                            .page_size = shape.page_size});
    next += 2 * side;
  }
  return pool;
}

KvPool::KvPool(KvPool&& other) noexcept { *this = std::move(other); }

KvPool& KvPool::operator=(KvPool&& other) noexcept {
  std::swap(shape_, other.shape_);
  std::swap(num_pages_, other.num_pages_);
  std::swap(memory_, other.memory_);
  std::swap(size_bytes_, other.size_bytes_);
  std::swap(layers_, other.layers_);
  return *this;
}

KvPool::~KvPool() {
  if (memory_ != nullptr) ::munmap(memory_, size_bytes_);
}

}  // namespace espalier
