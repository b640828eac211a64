// _clock: of the module time (frontend_lang/script/library), clocks and sleep. A sleep ends at the
// run's time limit; other strands run meanwhile. The clocks count what asyncio has slept without
// waiting.
#include <chrono>
#include <cmath>
#include <string>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using Seconds = std::chrono::duration<double>;

template <typename Clock>
Outcome<Value> Now(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("time.time", args, 0, 0));
  return Value::Float(Seconds(Clock::now().time_since_epoch()).count() +
                      Seconds(static_cast<Machine&>(host).clock().skipped()).count());
}

template <typename Clock>
Outcome<Value> NowInNanoseconds(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("time.time_ns", args, 0, 0));
  const auto now = Clock::now().time_since_epoch() + static_cast<Machine&>(host).clock().skipped();
  return Value::Int(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

Outcome<Value> Sleep(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("time.sleep", args, 1, 1));
  const Value& given = args.positional[0];
  if (!given.is_number()) {
    return lang::TypeError("'" + std::string(lang::TypeName(given)) +
                           "' object cannot be interpreted as an integer");
  }
  ESP_TRY_ASSIGN(const double seconds, RealArgument(host, given));
  if (!(seconds >= 0)) return lang::ValueError("sleep length must be non-negative");
  constexpr double kLongest = 1e9;
  auto& machine = static_cast<Machine&>(host);
  const auto length =
      std::chrono::ceil<ProgramClock::Duration>(Seconds(std::min(seconds, kLongest)));
  ESP_TRY(machine.SleepUntil(machine.clock().Now() + length));
  return Value();
}

}  // namespace

Value MakeClockModule(Machine& machine) {
  using std::chrono::steady_clock;
  using std::chrono::system_clock;
  constexpr ModuleFunction kFunctions[] = {
      {"time", Now<system_clock>},
      {"perf_counter", Now<steady_clock>},
      {"monotonic", Now<steady_clock>},
      {"process_time", Now<steady_clock>},
      {"thread_time", Now<steady_clock>},
      {"time_ns", NowInNanoseconds<system_clock>},
      {"perf_counter_ns", NowInNanoseconds<steady_clock>},
      {"monotonic_ns", NowInNanoseconds<steady_clock>},
      {"process_time_ns", NowInNanoseconds<steady_clock>},
      {"sleep", Sleep},
  };
  return NewModule(machine, "time", kFunctions);
}

}  // namespace espalier::script
