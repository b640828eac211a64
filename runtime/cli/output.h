// stdout for results, stderr for all else.
//
// Thread safety: main thread only.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "kernels/base/status.h"

namespace espalier {

// Writes all of `text` to stdout, unbuffered. kCancelled with no message when the
// reader has gone; kInternal when it cannot be written.
Status WriteOut(std::string_view text);

// One line of JSON. Invalid UTF-8 in it becomes U+FFFD.
std::string JsonLine(const nlohmann::ordered_json& value);
Status WriteJson(const nlohmann::ordered_json& value);

// "espalier: error: <message>" on stderr. Nothing for an empty message.
void PrintError(std::string_view message);

// How much goes to stderr beside errors.
enum class LogLevel { kError, kWarning, kInfo };

// Lines "espalier: <message>" on stderr, those at or above a level.
class Log {
 public:
  explicit Log(LogLevel most) : most_(most) {}
  bool Has(LogLevel level) const { return level <= most_; }
  void Info(std::string_view message) const { Line(LogLevel::kInfo, message); }

 private:
  void Line(LogLevel level, std::string_view message) const;
  LogLevel most_;
};

bool StderrIsTerminal();

}  // namespace espalier
