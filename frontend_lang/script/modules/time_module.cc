// time: clocks and sleep. A sleep ends at the run's time limit. The clocks count what
// asyncio has slept without waiting.
#include <chrono>
#include <cmath>
#include <ctime>
#include <string>
#include <thread>

#include "frontend_lang/script/arguments.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/str.h"

namespace espalier::script {
namespace {

using Seconds = std::chrono::duration<double>;

template <typename Clock>
Outcome<Value> Now(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("time.time", args, 0, 0));
  return Value::Float(Seconds(Clock::now().time_since_epoch()).count() +
                      static_cast<Machine&>(host).slept_seconds());
}

template <typename Clock>
Outcome<Value> NowInNanoseconds(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("time.time_ns", args, 0, 0));
  return Value::Int(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
          .count());
}

// In short pieces, with a look at the limits between them.
Outcome<Value> Sleep(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("time.sleep", args, 1, 1));
  const Value& length = args.positional[0];
  if (!length.is_number()) {
    return lang::TypeError("'" + std::string(lang::TypeName(length)) +
                           "' object cannot be interpreted as an integer");
  }
  ESP_TRY_ASSIGN(const double seconds, RealArgument(host, length));
  if (!(seconds >= 0)) return lang::ValueError("sleep length must be non-negative");
  constexpr std::int64_t kStepsBetweenLooks = 4096;  // at the clock, so each piece looks
  constexpr double kLongest = 1e9, kPiece = 0.01;
  const auto end = std::chrono::steady_clock::now() + Seconds(std::min(seconds, kLongest));
  for (;;) {
    ESP_TRY(host.Step(seconds > kPiece ? kStepsBetweenLooks : 1));
    const Seconds left = end - std::chrono::steady_clock::now();
    if (left.count() <= 0) return Value();
    std::this_thread::sleep_for(std::min(left, Seconds(kPiece)));
  }
}

// Of now, in UTC: the language knows no time zone.
Outcome<Value> Strftime(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("strftime", args, 1, 1));
  if (!args.positional[0].is_str()) {
    return lang::TypeError("strftime() argument 1 must be str, not " +
                           std::string(lang::TypeName(args.positional[0])));
  }
  constexpr std::size_t kLongestFormat = 1000;
  const std::string format(lang::TextOf(args.positional[0]));
  if (format.size() > kLongestFormat) return lang::ValueError("the format is too long");
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[64 * kLongestFormat];
  const std::size_t size = std::strftime(text, sizeof text, format.c_str(), &parts);
  return lang::MakeStr(host.heap(), std::string(text, size));
}

}  // namespace

Value MakeTimeModule(Machine& machine) {
  using std::chrono::steady_clock;
  using std::chrono::system_clock;
  constexpr ModuleFunction kFunctions[] = {
      {"time", Now<system_clock>},
      {"perf_counter", Now<steady_clock>},
      {"monotonic", Now<steady_clock>},
      {"process_time", Now<steady_clock>},
      {"time_ns", NowInNanoseconds<system_clock>},
      {"perf_counter_ns", NowInNanoseconds<steady_clock>},
      {"sleep", Sleep},
      {"strftime", Strftime},
  };
  return NewModule(machine, "time", kFunctions);
}

}  // namespace espalier::script
