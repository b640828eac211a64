#include "runtime/server/wire/incoming.h"

#include <poll.h>

#include <chrono>

namespace espalier {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookInterval{200};

}  // namespace

Incoming::Incoming(ByteStream& stream)
    : stream_(stream),
      news_(stream.socket().get_executor()),
      room_(stream.socket().get_executor()) {}

// It reads beside the buffer, since who takes moves that meanwhile.
asio::awaitable<void> Incoming::Fill(std::function<void()> on_end) {
  while (stream_.socket().is_open()) {
    if (bytes_.size() >= kMostBytes) {
      co_await room_.WaitUntil(Clock::now() + kLookInterval);
      if (HasHungUp()) break;
      continue;
    }
    const std::size_t num_read = co_await stream_.ReadSome(asio::buffer(read_));
    if (num_read == 0) break;
    bytes_.commit(asio::buffer_copy(bytes_.prepare(num_read), asio::buffer(read_)));
    news_.Notify();
  }
  at_end_ = true;
  on_end();
  news_.Notify();
}

// Whether the client has gone, though it left more than we read ahead.
bool Incoming::HasHungUp() {
  pollfd state{.fd = stream_.socket().native_handle(), .events = POLLRDHUP, .revents = 0};
  return bytes_.size() >= kMostBytes && poll(&state, 1, 0) > 0;
}

void Incoming::Take(std::size_t num_bytes) {
  bytes_.consume(num_bytes);
  room_.Notify();
}

asio::awaitable<bool> Incoming::MoreThan(std::size_t known, Notifier::Time deadline) {
  while (bytes_.size() <= known) {
    if (at_end_) co_return false;
    const bool notified = co_await news_.WaitUntil(deadline);
    if (!notified && Clock::now() >= deadline) co_return false;
  }
  co_return true;
}

asio::awaitable<void> Incoming::Wait(Notifier::Time deadline) {
  co_await news_.WaitUntil(deadline);
}

}  // namespace espalier
