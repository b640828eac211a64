#include "runtime/server/run_registry.h"

namespace espalier {

RunRegistry::RunId RunRegistry::Add(Run run) {
  num_outputs_ += run.num_outputs;
  ++last_run_;
  if (run.deadline) deadlines_.emplace(*run.deadline, last_run_);
  runs_.emplace(last_run_, std::move(run));
  return last_run_;
}

void RunRegistry::Remove(RunId run) {
  const auto removed = runs_.extract(run);
  if (removed.empty()) return;
  num_outputs_ -= removed.mapped().num_outputs;
  if (removed.mapped().deadline) deadlines_.erase({*removed.mapped().deadline, run});
}

int RunRegistry::CallAll(const std::vector<Cancel>& cancels) {
  int num_called = 0;
  for (const Cancel& cancel : cancels) {
    if (!cancel) continue;
    cancel();
    ++num_called;
  }
  return num_called;
}

int RunRegistry::Abort(std::string_view prefix) {
  std::vector<Cancel> cancels;
  for (auto& [run, state] : runs_) {
    if (state.id.starts_with(prefix)) cancels.push_back(std::exchange(state.cancel, nullptr));
  }
  return CallAll(cancels);
}

void RunRegistry::CancelOverdue(Time now) {
  std::vector<Cancel> cancels;
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    cancels.push_back(std::exchange(runs_.at(deadlines_.begin()->second).cancel, nullptr));
    deadlines_.erase(deadlines_.begin());
  }
  CallAll(cancels);
}

std::optional<RunRegistry::Time> RunRegistry::next_deadline() const {
  if (deadlines_.empty()) return std::nullopt;
  return deadlines_.begin()->first;
}

}  // namespace espalier
