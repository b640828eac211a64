#include "runtime/server/service.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "kernels/base/random.h"

namespace espalier {

Service::Service(LocalModel& model, ServedModel served, ServiceOptions options)
    : model_(model),
      client_(model),
      served_(std::move(served)),
      options_(std::move(options)),
      pool_work_([&model](std::function<void()> work) { model.Post(std::move(work)); },
                 [this](std::function<void()> work) { Post(std::move(work)); }) {}

std::uint64_t Service::NextSeed() { return ChildSeed(options_.seed, num_seeds_++); }

void Service::Post(std::function<void()> work) const {
  const MutexLock lock(mutex_);
  if (poster_) poster_(std::move(work));
}

void Service::SetPoster(Poster poster) {
  const MutexLock lock(mutex_);
  poster_ = std::move(poster);
}

Status Service::HasRoom(std::size_t num_outputs) const {
  if (draining()) return Status(Code::kCancelled, "the server is shutting down");
  const auto most = static_cast<std::size_t>(options_.max_queue);
  if (num_outputs > most) {
    return Status(Code::kLimit, fmt::format("{} outputs are asked for at once; the queue holds {}",
                                            num_outputs, most));
  }
  if (runs_.num_outputs() + num_outputs <= most) return Status();
  return Status(
      Code::kOverloaded,
      fmt::format("{} outputs are under way or waiting; come back later", runs_.num_outputs()));
}

std::optional<RunRegistry::Time> Service::DeadlineOf(RunRegistry::Time start,
                                                     double timeout_s) const {
  const double most = options_.request_timeout_s;
  if (timeout_s <= 0 || (most > 0 && timeout_s > most)) timeout_s = most;
  if (timeout_s <= 0) return std::nullopt;
  return start + std::chrono::duration_cast<RunRegistry::Time::duration>(
                     std::chrono::duration<double>(timeout_s));
}

}  // namespace espalier
