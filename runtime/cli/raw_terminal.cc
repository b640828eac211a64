#include "runtime/cli/raw_terminal.h"

#include <unistd.h>

#include <csignal>

namespace espalier {
namespace {

constexpr int kEndings[] = {SIGABRT, SIGHUP, SIGQUIT, SIGSEGV, SIGTERM};

// A signal handler reaches nothing but globals.
termios before = {};
volatile std::sig_atomic_t is_raw = 0;

// The default action follows, once the handler returns.
void OnEnding(int signal) {
  GiveTerminalBack();
  raise(signal);
}

void OnEndings(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : kEndings) sigaction(signal, &action, nullptr);
}

void SetSignals(termios mode, tcflag_t isig) {
  mode.c_lflag = (mode.c_lflag & ~static_cast<tcflag_t>(ISIG)) | isig;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
}

}  // namespace

RawTerminal::RawTerminal() {
  tcgetattr(STDIN_FILENO, &before);
  raw_ = before;
  raw_.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | IEXTEN);
  raw_.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL);
  raw_.c_cc[VMIN] = 1;
  raw_.c_cc[VTIME] = 0;
  is_raw = 1;
  OnEndings(OnEnding);
  EndLine();
}

RawTerminal::~RawTerminal() {
  GiveTerminalBack();
  OnEndings(SIG_DFL);
}

void RawTerminal::BeginLine() const { SetSignals(raw_, 0); }
void RawTerminal::EndLine() const { SetSignals(raw_, ISIG); }

void GiveTerminalBack() {
  if (is_raw == 0) return;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
  is_raw = 0;
}

}  // namespace espalier
