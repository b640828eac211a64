// StallGuard: closes what is guarded unless it ends in time.
//
// Thread safety: io thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace espalier {

class StallGuard {
 public:
  StallGuard(const boost::asio::any_io_executor& executor, std::function<void()> close)
      : timer_(executor), state_(std::make_shared<State>(State{std::move(close), 0})) {}

  // What begins now must End within that time.
  void Begin(std::chrono::seconds time) {
    timer_.expires_after(time);
    timer_.async_wait([weak = std::weak_ptr(state_),
                       guarded = ++state_->num_guarded](const boost::system::error_code& error) {
      // A timer that has fired may have its turn after what it watched has ended: it then
      // watches something else by now.
      const std::shared_ptr<State> state = weak.lock();
      if (!error && state && state->num_guarded == guarded) state->close();
    });
  }
  void End() {
    ++state_->num_guarded;
    timer_.cancel();
  }

 private:
  struct State {
    std::function<void()> close;
    std::uint64_t num_guarded;
  };

  boost::asio::steady_timer timer_;
  const std::shared_ptr<State> state_;  // outlived by no timer that would use it
};

}  // namespace espalier
