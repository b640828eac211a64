// What a mapped file that shrinks, or whose disk fails, does to the process.
//
// Weights are read where they are mapped; a page that is gone is a signal (SIGBUS), and no
// code stands where it could become a Status. So the process ends with one line that says it.
#pragma once

namespace espalier {

// Sets that up. REQUIRES: called once, before files are mapped.
void ExplainBusErrors();

}  // namespace espalier
