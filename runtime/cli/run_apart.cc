#include "runtime/cli/run_apart.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "runtime/cli/line_reader.h"

namespace espalier {
namespace {

// The child's part: it never returns.
[[noreturn]] void WorkFrom(std::size_t item, const ApartWork& work, int fd) {
  for (; item < work.num_items; ++item) {
    const std::string line = work.work(item) + "\n";
    for (std::size_t sent = 0; sent < line.size();) {
      const ssize_t n = write(fd, line.data() + sent, line.size() - sent);
      if (n < 0 && errno != EINTR) _exit(1);
      if (n > 0) sent += static_cast<std::size_t>(n);
    }
  }
  _exit(0);
}

class Child {
 public:
  Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { Stop(); }

  bool running() const { return pid_ > 0; }

  Status Start(std::size_t item, const ApartWork& work) {
    int ends[2];
    if (pipe(ends) != 0) return SystemError("pipe");
    pid_ = fork();
    if (pid_ == 0) {
      close(ends[0]);
      WorkFrom(item, work, ends[1]);
    }
    close(ends[1]);
    lines_.emplace(InputFile(ends[0]));
    return pid_ > 0 ? Status() : SystemError("fork");
  }

  // The next item's result; how it died if it did, and then it is gone.
  ApartResult Next(std::chrono::seconds limit) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (true) {
      if (auto line = lines_->Next()) return {std::move(line->text), ""};
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          deadline - std::chrono::steady_clock::now());
      pollfd fds = {.fd = lines_->fd(), .events = POLLIN, .revents = 0};
      const int ready = left.count() > 0 ? poll(&fds, 1, static_cast<int>(left.count())) : 0;
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) {
        Stop();
        return {"", fmt::format("no answer in {} s", limit.count())};
      }
      // What it had begun to write is no line.
      if (!lines_->ReadSome().ok() || !lines_->wants_more()) return {"", HowItEnded()};
    }
  }

 private:
  std::string HowItEnded() {
    const int status = Reap();
    if (WIFSIGNALED(status)) return fmt::format("killed by signal {}", WTERMSIG(status));
    return fmt::format("exit code {}", WEXITSTATUS(status));
  }

  void Stop() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    Reap();
  }

  int Reap() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    lines_.reset();
    pid_ = -1;
    return status;
  }

  pid_t pid_ = -1;
  std::optional<LineReader> lines_;  // that it has written
};

}  // namespace

Status RunApart(const ApartWork& work,
                const std::function<Status(std::size_t item, const ApartResult&)>& take) {
  Child child;
  for (std::size_t item = 0; item < work.num_items; ++item) {
    if (!child.running()) ESP_RETURN_IF_ERROR(child.Start(item, work));
    ESP_RETURN_IF_ERROR(take(item, child.Next(work.limit)));
  }
  return Status();
}

}  // namespace espalier
