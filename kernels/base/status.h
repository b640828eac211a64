// Status and Result<T>: how anything that can fail because of the outside world
// says so. Neither can be ignored: both are [[nodiscard]].
//
// Thread safety: thread-compatible values.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "kernels/base/check.h"

namespace espalier {

enum class Code : unsigned char {
  kOk,
  kInvalidArgument,  // the caller's input is wrong; retrying cannot help
  kNotFound,
  kUnsupported,  // valid, but not something this build or model can do
  kLimit,        // a bound on time, memory, steps or size was reached
  kOverloaded,   // a queue or budget is full; retry later
  kCancelled,
  kDataLoss,  // a file is corrupt or truncated
  kInternal,
};

// The code as users read it: "invalid_argument", "not_found", ...
std::string_view CodeName(Code code);

class [[nodiscard]] Status {
 public:
  Status() = default;  // ok
  Status(Code code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == Code::kOk; }
  Code code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  Code code_ = Code::kOk;
  std::string message_;
};

// Either a T or a non-ok Status.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}        // NOLINT(google-explicit-constructor)
  Result(Status status) : state_(std::move(status)) {  // NOLINT(google-explicit-constructor)
    ESP_CHECK(!std::get_if<Status>(&state_)->ok()) << "an ok Result needs a value";
  }

  bool ok() const { return std::holds_alternative<T>(state_); }
  Status status() const { return ok() ? Status() : *std::get_if<Status>(&state_); }

  // REQUIRES: ok()
  T& value() & { return *Get(*this); }
  const T& value() const& { return *Get(*this); }
  T&& value() && { return std::move(*Get(*this)); }
  T* operator->() { return Get(*this); }
  const T* operator->() const { return Get(*this); }
  T& operator*() & { return *Get(*this); }
  const T& operator*() const& { return *Get(*this); }
  T&& operator*() && { return std::move(*Get(*this)); }

 private:
  template <typename Self>
  static auto* Get(Self& self) {
    ESP_CHECK(self.ok()) << std::get_if<Status>(&self.state_)->message();
    return std::get_if<T>(&self.state_);
  }

  std::variant<T, Status> state_;
};

}  // namespace espalier

#define ESP_CONCAT_INNER(a, b) a##b
#define ESP_CONCAT(a, b) ESP_CONCAT_INNER(a, b)

// Returns from the enclosing function with the status of `expr`, unless it is ok.
#define ESP_RETURN_IF_ERROR(expr)                                                    \
  do {                                                                               \
    if (::espalier::Status esp_status = (expr); !esp_status.ok()) return esp_status; \
  } while (false)

// ESP_ASSIGN_OR_RETURN(auto x, F()): x = F()'s value, or returns F()'s status. It
// declares a variable, so it must stand in a block, not behind a bare `if` or `for`.
#define ESP_ASSIGN_OR_RETURN(lhs, expr) \
  ESP_ASSIGN_OR_RETURN_INNER(ESP_CONCAT(esp_result_, __LINE__), lhs, expr)
// NOLINTBEGIN(bugprone-macro-parentheses): `result` is a name, and `lhs` may declare one.
#define ESP_ASSIGN_OR_RETURN_INNER(result, lhs, expr) \
  auto result = (expr);                               \
  if (!result.ok()) return result.status();           \
  lhs = std::move(result).value()
// NOLINTEND(bugprone-macro-parentheses)
