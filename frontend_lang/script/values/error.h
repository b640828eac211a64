// How the languages' own errors travel: a Python exception as a value.
//
//   Fault f = Delete(...);        an error, or nothing
//   Outcome<Value> v = Add(...);  an error, or a Value
//
// A program may catch a raised error; it may not catch a limit. (A Status is about
// the world outside; a LangError is about the program that runs.)
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "frontend_lang/script/values/value.h"
#include "kernels/base/status.h"

namespace espalier::lang {

struct LangError {
  enum class Kind : unsigned char { kRaised, kLimit };

  std::string type;     // "TypeError", as Python names it
  std::string message;  // as CPython 3.11 says it, where it would
  Kind kind = Kind::kRaised;
  Value object = Value::Unset();    // the exception object, where a program made one
  std::string hint = {};            // what a traceback adds: "Did you mean: 'x'?"
  Value argument = Value::Unset();  // what its args hold, where that is not the message
};

class [[nodiscard]] Fault {
 public:
  Fault() = default;  // none
  explicit Fault(LangError error) : error_(std::make_unique<LangError>(std::move(error))) {}

  bool ok() const { return error_ == nullptr; }
  const LangError& error() const { return *error_; }  // REQUIRES: !ok()
  LangError& error() { return *error_; }              // REQUIRES: !ok()

 private:
  std::unique_ptr<LangError> error_;
};

// Either a T or a Fault that is not ok.
template <typename T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : value_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Outcome(Fault fault) : fault_(std::move(fault)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return fault_.ok(); }
  T& value() { return value_; }              // REQUIRES: ok()
  const T& value() const { return value_; }  // REQUIRES: ok()
  T& operator*() { return value_; }
  T* operator->() { return &value_; }
  Fault&& TakeFault() { return std::move(fault_); }
  const LangError& error() const { return fault_.error(); }  // REQUIRES: !ok()

 private:
  T value_{};
  Fault fault_;
};

inline Fault Raise(std::string_view type, std::string message) {
  return Fault(LangError{std::string(type), std::move(message)});
}
inline Fault TypeError(std::string message) { return Raise("TypeError", std::move(message)); }
inline Fault ValueError(std::string message) { return Raise("ValueError", std::move(message)); }
// The error whose only argument is `argument`; `message` is its text.
Fault RaiseWith(std::string_view type, std::string message, Value argument);
Fault RaiseWithHint(std::string_view type, std::string message, std::string hint);
Fault LimitError(std::string message);

// kLimit, or kInvalidArgument with "TypeError: message".
Status ToStatus(const LangError& error);

}  // namespace espalier::lang

// Returns from the function with the fault, if there is one.
#define ESP_TRY(expr) \
  if (::espalier::lang::Fault esp_fault = (expr); !esp_fault.ok()) return esp_fault

// ESP_TRY_ASSIGN(auto x, F()): x = F()'s value, or returns F()'s fault.
#define ESP_TRY_ASSIGN(lhs, expr) \
  ESP_TRY_ASSIGN_INNER(ESP_CONCAT(esp_outcome_, __LINE__), lhs, expr)
#define ESP_TRY_ASSIGN_INNER(outcome, lhs, expr) \
  auto outcome = (expr);                         \
  if (!outcome.ok()) return outcome.TakeFault(); \
  lhs = std::move(outcome.value())
