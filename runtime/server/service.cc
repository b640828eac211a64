#include "runtime/server/service.h"

#include <utility>

#include <fmt/format.h>

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
  if (options_.served_model_name.empty()) options_.served_model_name = model.name();
}

std::uint64_t Service::NextSeed() { return ChildSeed(options_.seed, num_seeds_++); }

Status Service::HasRoom() const {
  if (draining()) return Status(Code::kCancelled, "the server is shutting down");
  if (num_runs() < static_cast<std::size_t>(options_.max_queue)) return Status();
  return Status(Code::kOverloaded,
                fmt::format("{} requests are under way or waiting; come back later", num_runs()));
}

Service::RunId Service::AddRun(std::string id, std::function<void()> cancel) {
  runs_.emplace(++last_run_, Run{std::move(id), std::move(cancel)});
  return last_run_;
}

void Service::RemoveRun(RunId run) {
  runs_.erase(run);
  if (draining() && idle()) on_idle_();
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

void Service::Drain(std::function<void()> on_idle) {
  on_idle_ = std::move(on_idle);
  if (idle()) on_idle_();
}

}  // namespace espalier
