// RunRegistry: the requests under way, by the ids that abort_request knows them by, and by
// when they must have ended.
//
// Thread safety: io thread only.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier {

class RunRegistry {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using RunId = std::uint64_t;

  struct Run {
    std::string id;
    std::size_t num_outputs = 1;
    std::optional<Time> deadline;
    std::function<void()> cancel;  // called once at most; may add and remove runs
  };
  RunId Add(Run run);
  void Remove(RunId run);

  // Cancels those whose id begins with `prefix`; returns how many.
  int Abort(std::string_view prefix);
  // Cancels those whose deadline has come.
  void CancelOverdue(Time now);
  std::optional<Time> next_deadline() const;  // unset: none

  bool empty() const { return runs_.empty(); }
  std::size_t size() const { return runs_.size(); }
  std::size_t num_outputs() const { return num_outputs_; }  // of all

 private:
  using Cancel = std::function<void()>;
  static int CallAll(const std::vector<Cancel>& cancels);

  RunId last_run_ = 0;
  std::map<RunId, Run> runs_;
  std::set<std::pair<Time, RunId>> deadlines_;  // of those that were not cancelled by them
  std::size_t num_outputs_ = 0;
};

}  // namespace espalier
