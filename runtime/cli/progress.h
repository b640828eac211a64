// A line on stderr that is drawn over and over: only on a terminal, a few times a
// second.
//
// Thread safety: none; main thread only.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "runtime/cli/output.h"

namespace espalier {

class Progress {
 public:
  // Draws nothing before `delay` has passed.
  explicit Progress(std::chrono::milliseconds delay);
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Whether a call of Draw would show something now: to not make texts in vain.
  bool Due() const;
  // "[=====>    ] text"; fraction below 0: no bar, since the end is not known.
  void Draw(double fraction, std::string_view text);
  void Clear();  // takes the line away

 private:
  using Clock = std::chrono::steady_clock;

  bool shows_;
  bool drawn_ = false;
  Clock::time_point next_;
};

}  // namespace espalier
