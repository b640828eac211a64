#include "runtime/cli/load.h"

#include <chrono>
#include <future>

#include <fmt/format.h>

#include "runtime/cli/progress.h"
#include "runtime/local/model_file.h"

namespace espalier {
namespace {

constexpr std::chrono::milliseconds kDelay(500);
constexpr std::chrono::milliseconds kInterval(100);

using Loaded = Result<std::unique_ptr<LocalModel>>;

// Loads beside this thread, which draws meanwhile.
Loaded LoadBesideProgress(const LocalModelOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Progress progress(kDelay);
  std::future<Loaded> loaded =
      std::async(std::launch::async, [&options] { return LocalModel::Load(options); });
  while (loaded.wait_for(kInterval) != std::future_status::ready) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    progress.Draw(-1,
                  fmt::format("loading {} ({:.1f} s)", ModelName(options.model), seconds.count()));
  }
  return loaded.get();
}

}  // namespace

Result<std::unique_ptr<LocalModel>> LoadLocalModel(const CommonFlags& flags) {
  ESP_RETURN_IF_ERROR(RefuseUrl(flags));
  Loaded loaded =
      StderrIsTerminal() ? LoadBesideProgress(flags.local) : LocalModel::Load(flags.local);
  if (!loaded.ok()) return loaded;
  if (flags.local.model == "tiny") {
    flags.log().Info("model tiny: random weights, for trying the plumbing; its text means nothing");
  }
  return loaded;
}

void LogKvCache(const CommonFlags& flags, const LocalModel& model) {
  if (flags.local.kv_cache_tokens) return;
  const LocalModel::KvCacheSize size = model.kv_cache();
  flags.log().Info(fmt::format(
      "KV cache: {} tokens, up to {} MiB (a quarter of free memory at most; --kv-cache-tokens)",
      size.tokens, size.bytes >> 20));
}

}  // namespace espalier
