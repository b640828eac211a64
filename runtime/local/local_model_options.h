// LocalModelOptions: how a model is to be run in this process.
//
// Thread safety: plain data.
#pragma once

#include <optional>
#include <string>

namespace espalier {

struct LocalModelOptions {
  std::string model;  // as for OpenModelFile
  std::string device = "cpu";
  std::string isa;  // empty: the best that this machine has
  std::string kv_cache_type = "f16";
  std::string policy = "lpm";
  std::string eviction = "lru";
  int cache_quota_tokens = 0;
  std::optional<int> kv_cache_tokens;  // unset: a quarter of free memory
  int threads = 0;                     // 0: one a usable CPU
  int page_size = 16;
  int chunk_tokens = 0;  // 0: chosen
  int max_running = 64;
  bool no_prefix_cache = false;
  bool no_jump_forward = false;
  bool no_in_batch_sharing = false;
  double schedule_conservativeness = 1.0;
};

}  // namespace espalier
