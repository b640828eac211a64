// RunObserver: who hears of a run while it goes on.
//
// Thread safety: none; called on the run's thread. It must not act on the run.
#pragma once

#include <optional>
#include <string_view>

namespace espalier::program {

class RunObserver {
 public:
  virtual ~RunObserver() = default;

  // A state begins; they are numbered from 0. `parent`: the one that it was forked from.
  virtual void OnState(int state, std::optional<int> parent) = 0;
  // Text that a state's prompt has gained; `variable`: that it is for, or "". A fork's text
  // begins where it left its parent.
  virtual void OnText(int state, std::string_view variable, std::string_view text) = 0;
};

}  // namespace espalier::program
