// ProgramClock: the time as a program sees it. It runs as the machine's does, but jumps
// over sleeps that nobody would notice.
//
// Thread safety: none; one thread.
#pragma once

#include <chrono>

namespace espalier::script {

class ProgramClock {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  TimePoint Now() const { return std::chrono::steady_clock::now() + skipped_; }
  // What it is ahead of the machine's clock.
  Duration skipped() const { return skipped_; }
  // How long the program has waited so far, skipped sleeps included.
  Duration waited() const { return waited_; }

  void Skip(Duration duration) {
    skipped_ += duration;
    waited_ += duration;
  }
  void AddWaited(Duration duration) { waited_ += duration; }

 private:
  Duration skipped_{}, waited_{};
};

}  // namespace espalier::script
