#include "frontend_lang/program/join.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/script/values/containers.h"

namespace espalier::program {
namespace {

// A variable that only some forks have becomes a list of those.
lang::Fault Gather(Executor& executor, PromptState& parent, std::span<PromptState* const> forks) {
  std::vector<std::pair<std::string, std::vector<lang::Value>>> gathered;
  std::map<std::string_view, std::size_t> place;  // in gathered
  for (const PromptState* fork : forks) {
    for (const std::string& name : fork->names()) {
      ESP_TRY(executor.machine().Step());
      if (parent.Find(name) != nullptr) continue;
      const auto [found, is_new] = place.try_emplace(name, gathered.size());
      if (is_new) gathered.emplace_back(name, std::vector<lang::Value>());
      gathered[found->second].second.push_back(*fork->Find(name));
    }
  }
  for (auto& [name, values] : gathered) {
    executor.Set(parent, name, executor.machine().heap().New<lang::List>(std::move(values)));
  }
  return lang::Fault();
}

}  // namespace

std::optional<JoinMode> ParseJoinMode(std::string_view name) {
  if (name == "gather_variable") return JoinMode::kGatherVariable;
  if (name == "concate_and_append") return JoinMode::kConcateAndAppend;
  return std::nullopt;
}

lang::Fault JoinForks(Executor& executor, PromptState& parent, std::span<PromptState* const> forks,
                      JoinMode mode) {
  for (PromptState* fork : forks) {
    ESP_TRY(executor.Sync(*fork));
    if (Trace* trace = executor.options().trace)
      trace->AddJoin(fork->trace_id(), parent.trace_id());
  }
  if (mode == JoinMode::kGatherVariable) return Gather(executor, parent, forks);
  for (const PromptState* fork : forks) {
    ESP_TRY(executor.machine().Step());
    executor.Append(parent, TextSegment{std::string(fork->ForkedText())});
  }
  return lang::Fault();
}

}  // namespace espalier::program
