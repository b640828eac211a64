#include "runtime/server/service.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "grammar/vocabulary.h"
#include "kernels/base/random.h"

namespace espalier {

Service::Service(LocalModel& model, LineDefaults defaults, ServiceOptions options)
    : model_(model),
      client_(model),
      defaults_(std::move(defaults)),
      options_(std::move(options)),
      start_time_s_(std::chrono::duration_cast<std::chrono::seconds>(
                        std::chrono::system_clock::now().time_since_epoch())
                        .count()) {
  const Vocabulary& vocabulary = *model.tokenizer().vocabulary();
  for (std::size_t i = 0; i < vocabulary.size(); ++i) {
    defaults_.longest_token_bytes =
        std::max(defaults_.longest_token_bytes, vocabulary.bytes(static_cast<TokenId>(i)).size());
  }
  defaults_.context_length = model.context_length();
  if (options_.served_model_name.empty()) options_.served_model_name = model.name();
}

// Below 2^53, so that every client can read it back from the answer.
std::uint64_t Service::NextSeed() { return ChildSeed(options_.seed, num_seeds_++) >> 11; }

Status Service::HasRoom(std::size_t num_outputs) const {
  if (draining()) return Status(Code::kCancelled, "the server is shutting down");
  const auto most = static_cast<std::size_t>(options_.max_queue);
  if (num_outputs > most) {
    return Status(Code::kLimit, fmt::format("{} outputs are asked for at once; the queue holds {}",
                                            num_outputs, most));
  }
  if (num_outputs_ + num_outputs <= most) return Status();
  return Status(Code::kOverloaded,
                fmt::format("{} outputs are under way or waiting; come back later", num_outputs_));
}

Service::RunId Service::AddRun(std::string id, std::size_t num_outputs,
                               std::function<void()> cancel) {
  num_outputs_ += num_outputs;
  runs_.emplace(++last_run_, Run{std::move(id), num_outputs, std::move(cancel)});
  return last_run_;
}

void Service::RemoveRun(RunId run) {
  const auto removed = runs_.extract(run);
  if (!removed.empty()) num_outputs_ -= removed.mapped().num_outputs;
}

int Service::Abort(std::string_view prefix) {
  std::vector<std::function<void()>> cancels;  // which may remove runs
  for (auto& [run, state] : runs_) {
    if (state.id.starts_with(prefix)) cancels.push_back(std::exchange(state.cancel, nullptr));
  }
  int num_aborted = 0;
  for (const auto& cancel : cancels) {
    if (!cancel) continue;
    cancel();
    ++num_aborted;
  }
  return num_aborted;
}

}  // namespace espalier
