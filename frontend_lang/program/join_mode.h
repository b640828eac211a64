// JoinMode: what a parent gets of its forks.
#pragma once

namespace espalier::program {

enum class JoinMode {
  kGatherVariable,    // each variable that is new in a fork becomes a list in the parent
  kConcateAndAppend,  // each fork's text from its fork on is appended to the parent, in order
};

}  // namespace espalier::program
