// What an exception that nobody catches does to the process: one line says it.
//
// Our code throws none, and what libraries throw is caught where it arises; what is left is
// memory or threads that the machine does not give, wherever that happens.
#pragma once

namespace espalier {

// Sets that up, for all threads.
void ExplainUncaughtExceptions();

}  // namespace espalier
