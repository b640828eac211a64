#include "frontend_lang/script/asyncio/sync.h"

#include <limits>
#include <string>
#include <utility>

#include "frontend_lang/script/asyncio/waiters.h"
#include "frontend_lang/script/builtins/arguments.h"

namespace espalier::script::asyncio {
namespace {

using Given = NativeCoroutine::Given;

// ---- Semaphore; a Lock is one of 1.

class Semaphore final : public lang::Extension {
 public:
  Semaphore(Heap& heap, std::string_view name, std::int64_t value, std::int64_t most)
      : Extension(heap, lang::Type::kExtension), name_(name), most_(most), value_(value) {}

  std::string_view TypeName() const override { return name_; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

  bool is_lock() const { return name_ == "Lock"; }
  bool locked() const { return value_ <= 0; }
  Value Acquire();
  Fault Release();

 private:
  void Clear() override { waiters_.Clear(); }

  std::string_view name_;
  std::int64_t most_, value_;
  Waiters waiters_;
};

// Whoever is woken has got it: a release passes it on, so nobody can come between.
Value Semaphore::Acquire() {
  return heap().New<NativeCoroutine>(
      [self = Value(this), this, waiter = Value()](Machine& machine, const Given& given,
                                                   Value& next) mutable -> Outcome<bool> {
        if (!given.error.is_unset()) {
          waiters_.Remove(waiter);
          const Future* woken = AsFuture(waiter);
          if (woken != nullptr && woken->state() == Future::State::kFinished) ESP_TRY(Release());
          return Throwing(given.error);
        }
        if (waiter.is_none() && (value_ <= 0 || !waiters_.empty())) {
          ESP_TRY_ASSIGN(waiter, waiters_.Add(machine));
          next = waiter;
          return true;
        }
        if (waiter.is_none()) --value_;
        next = Value::Bool(true);
        return false;
      });
}

Fault Semaphore::Release() {
  if (is_lock() && value_ > 0) return lang::Raise("RuntimeError", "Lock is not acquired.");
  if (value_ >= most_) return lang::ValueError("BoundedSemaphore released too many times");
  if (!waiters_.WakeOne()) ++value_;
  return Fault();
}

Semaphore& SemaphoreOf(const Value& self) { return *static_cast<Semaphore*>(self.object()); }

Outcome<Value> Acquire(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("acquire", args, 0, 0));
  return SemaphoreOf(self).Acquire();
}
Outcome<Value> ReleaseMethod(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("release", args, 0, 0));
  ESP_TRY(SemaphoreOf(self).Release());
  return Value();
}
Outcome<Value> Locked(Host&, const Value& self, const Args&) {
  return Value::Bool(SemaphoreOf(self).locked());
}
// __aenter__ gives None, __aexit__ releases at once.
Outcome<Value> EnterSemaphore(Host& host, const Value& self, const Args&) {
  const Value acquiring = SemaphoreOf(self).Acquire();
  return host.heap().New<NativeCoroutine>(
      [acquiring, sent = Value()](Machine& machine, const Given& given,
                                  Value& next) -> Outcome<bool> {
        auto& inner = *static_cast<NativeCoroutine*>(acquiring.object());
        ESP_TRY_ASSIGN(const bool waits, given.error.is_unset()
                                             ? inner.Send(machine, Value(), next)
                                             : inner.Throw(machine, given.error, next));
        if (!waits) next = Value();
        return waits;
      });
}
Outcome<Value> ExitSemaphore(Host& host, const Value& self, const Args&) {
  return host.heap().New<NativeCoroutine>(
      [self](Machine&, const Given&, Value& next) -> Outcome<bool> {
        ESP_TRY(SemaphoreOf(self).Release());
        next = Value();
        return false;
      });
}

constexpr Method kSemaphoreMethods[] = {{"acquire", Acquire},
                                        {"release", ReleaseMethod},
                                        {"locked", Locked},
                                        {"__aenter__", EnterSemaphore},
                                        {"__aexit__", ExitSemaphore}};

Outcome<Value> Semaphore::GetAttr(Host&, std::string_view name) {
  return MethodOf(kSemaphoreMethods, name, Value(this));
}

Outcome<Value> MakeSemaphore(Host& host, std::string_view name, const Args& args) {
  ESP_TRY_ASSIGN(auto bound, BindArguments(name, args, {"value"}, 0));
  ESP_TRY_ASSIGN(const std::int64_t value, CountOf(bound[0], 1));
  if (value < 0) return lang::ValueError("Semaphore initial value must be >= 0");
  const std::int64_t most =
      name == "BoundedSemaphore" ? value : std::numeric_limits<std::int64_t>::max();
  return host.heap().New<Semaphore>(name, value, most);
}

// ---- Event.

class Event final : public lang::Extension {
 public:
  explicit Event(Heap& heap) : Extension(heap, lang::Type::kExtension) {}

  std::string_view TypeName() const override { return "Event"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

  bool is_set = false;
  Waiters waiters;

 private:
  void Clear() override { waiters.Clear(); }
};

Event& EventOf(const Value& self) { return *static_cast<Event*>(self.object()); }

Outcome<Value> SetEvent(Host&, const Value& self, const Args&) {
  if (!std::exchange(EventOf(self).is_set, true)) EventOf(self).waiters.WakeAll();
  return Value();
}
Outcome<Value> ClearEvent(Host&, const Value& self, const Args&) {
  EventOf(self).is_set = false;
  return Value();
}
Outcome<Value> IsSet(Host&, const Value& self, const Args&) {
  return Value::Bool(EventOf(self).is_set);
}
// Once woken it is done, even if the event has been cleared meanwhile.
Outcome<Value> WaitEvent(Host&, const Value& self, const Args&) {
  Event& event = EventOf(self);
  bool asked = false;
  return Until(
      self, event.waiters,
      [&event, asked]() mutable { return std::exchange(asked, true) || event.is_set; },
      [](Machine&) -> Outcome<Value> { return Value::Bool(true); });
}

constexpr Method kEventMethods[] = {
    {"set", SetEvent}, {"clear", ClearEvent}, {"is_set", IsSet}, {"wait", WaitEvent}};

Outcome<Value> Event::GetAttr(Host&, std::string_view name) {
  return MethodOf(kEventMethods, name, Value(this));
}

}  // namespace

Outcome<std::int64_t> CountOf(const Value& value, std::int64_t otherwise) {
  if (value.is_unset()) return otherwise;
  if (!value.is_integral()) {
    return lang::TypeError("'" + std::string(lang::TypeName(value)) +
                           "' object cannot be interpreted as an integer");
  }
  return value.as_int();
}

Outcome<Value> NewLock(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("Lock", args, 0, 0));
  return host.heap().New<Semaphore>("Lock", 1, 1);
}
Outcome<Value> NewSemaphore(Host& host, const Value&, const Args& args) {
  return MakeSemaphore(host, "Semaphore", args);
}
Outcome<Value> NewBoundedSemaphore(Host& host, const Value&, const Args& args) {
  return MakeSemaphore(host, "BoundedSemaphore", args);
}
Outcome<Value> NewEvent(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("Event", args, 0, 0));
  return host.heap().New<Event>();
}

}  // namespace espalier::script::asyncio
