#include "runtime/cli/output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace espalier {
namespace {

// Returns the errno of what stopped it, or 0.
int WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// Without the control characters that a file's own words may hold: a terminal obeys them.
std::string Tame(std::string_view message) {
  std::string tame(message);
  std::ranges::replace_if(
      tame, [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F; }, '?');
  return tame;
}

}  // namespace

Status WriteOut(std::string_view text) {
  const int error = WriteAll(STDOUT_FILENO, text);
  if (error == 0) return Status();
  if (error == EPIPE) return Status(Code::kCancelled, "");
  return Status(Code::kInternal,
                fmt::format("stdout: {}", std::strerror(error)));  // NOLINT(concurrency-mt-unsafe)
}

std::string JsonLine(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Status WriteJson(const nlohmann::ordered_json& value) { return WriteOut(JsonLine(value)); }

void PrintError(std::string_view message) {
  if (!message.empty())
    WriteAll(STDERR_FILENO, fmt::format("espalier: error: {}\n", Tame(message)));
}

void Log::Line(LogLevel level, std::string_view message) const {
  if (Has(level)) WriteAll(STDERR_FILENO, fmt::format("espalier: {}\n", Tame(message)));
}

bool StderrIsTerminal() { return isatty(STDERR_FILENO) == 1; }

}  // namespace espalier
