// ESP_CHECK(cond) << "why": aborts with file, line and message when cond is
// false, in every build. ESP_DCHECK does the same in debug and sanitizer builds
// only.
//
// A failed check is a bug in this program. Input from outside (a request, a
// file, a schema) must never be able to fail one: return a Status instead.
#pragma once

#include <cstdlib>
#include <iostream>
#include <sstream>

namespace espalier::internal {

class CheckFailure {
 public:
  CheckFailure(const char* file, int line, const char* condition) {
    stream_ << file << ':' << line << ": ESP_CHECK failed: " << condition << ' ';
  }
  [[noreturn]] ~CheckFailure() {
    std::cerr << stream_.str() << std::endl;
    std::abort();
  }
  std::ostream& stream() { return stream_; }

 private:
  std::ostringstream stream_;
};

}  // namespace espalier::internal

#define ESP_CHECK(condition)  \
  if (condition) [[likely]] { \
  } else /* NOLINT */         \
    ::espalier::internal::CheckFailure(__FILE__, __LINE__, #condition).stream()

#ifdef NDEBUG
#define ESP_DCHECK(condition) ESP_CHECK(true || (condition))
#else
#define ESP_DCHECK(condition) ESP_CHECK(condition)
#endif
