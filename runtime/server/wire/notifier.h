// Notifier: lets one coroutine wait for what another does.
//
// The waiter checks its condition, then waits; nothing runs between the two, so no news
// is lost. A Notify that nobody waits for does nothing.
//
// Thread safety: io thread only; one waiter.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace espalier {

class Notifier {
 public:
  using Time = boost::asio::steady_timer::time_point;

  explicit Notifier(const boost::asio::any_io_executor& executor) : timer_(executor) {}

  void Notify() { timer_.cancel(); }

  // False if `deadline` came first.
  boost::asio::awaitable<bool> WaitUntil(Time deadline) {
    timer_.expires_at(deadline);
    auto [error] = co_await timer_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    co_return error == boost::asio::error::operation_aborted;
  }
  boost::asio::awaitable<bool> Wait() { return WaitUntil(Time::max()); }

 private:
  boost::asio::steady_timer timer_;
};

}  // namespace espalier
