// RawTerminal: keys of the terminal come one by one and unechoed while it lives, also those
// typed ahead: a change of mode between lines would turn an early Ctrl-D into something else.
//
// However the process ends, the terminal is given back as it was.
//
// Thread safety: main thread only; one at a time.
#pragma once

#include <termios.h>

namespace espalier {

class RawTerminal {
 public:
  RawTerminal();  // REQUIRES: stdin is a terminal
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  // Ctrl-C is a key like others while a line is read, and interrupts between lines.
  void BeginLine() const;
  void EndLine() const;

 private:
  termios raw_ = {};
};

// For handlers of signals that end the process: gives the terminal back, if one is raw.
void GiveTerminalBack();

}  // namespace espalier
