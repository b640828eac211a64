#include "runtime/cli/progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace espalier {
namespace {

constexpr int kBarWidth = 24;
constexpr std::chrono::milliseconds kInterval(100);

}  // namespace

Progress::Progress(std::chrono::milliseconds delay)
    : shows_(StderrIsTerminal()), next_(Clock::now() + delay) {}

bool Progress::Due() const { return shows_ && Clock::now() >= next_; }

void Progress::Draw(double fraction, std::string_view text) {
  if (!Due()) return;
  std::string line = "\r\x1b[K";
  if (fraction >= 0) {
    const int filled = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * kBarWidth);
    line += fmt::format("[{:=<{}}{: <{}}] ", "", filled, "", kBarWidth - filled);
  }
  line += text;
  std::fputs(line.c_str(), stderr);
  drawn_ = true;
  next_ = Clock::now() + kInterval;
}

void Progress::Clear() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

}  // namespace espalier
