// Incoming: what a client has sent and nobody has taken.
//
// One coroutine fills it, reading ahead, so that a client that goes is seen at once whatever
// its request is waiting for; another takes from it.
//
// Thread safety: io thread only; one filler and one taker.
#pragma once

#include <array>
#include <cstddef>
#include <functional>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/flat_buffer.hpp>

#include "runtime/server/wire/byte_stream.h"
#include "runtime/server/wire/notifier.h"

namespace espalier {

class Incoming {
 public:
  static constexpr std::size_t kMostBytes = 64 << 10;

  // `stream` must outlive it.
  explicit Incoming(ByteStream& stream);

  // Reads as far as there is room, until the client closes or fails; `on_end` is called then.
  boost::asio::awaitable<void> Fill(std::function<void()> on_end);
  // Lets Fill see at once that the socket was closed.
  void Wake() { room_.Notify(); }

  std::size_t size() const { return bytes_.size(); }
  boost::asio::const_buffer bytes() const { return bytes_.cdata(); }
  void Take(std::size_t num_bytes);
  bool at_end() const { return at_end_; }  // nothing more comes

  // Until there are more bytes than `known`. False at the end or the deadline.
  boost::asio::awaitable<bool> MoreThan(std::size_t known, Notifier::Time deadline);
  // Until there are more bytes than before, or the end, or the deadline.
  boost::asio::awaitable<void> Wait(Notifier::Time deadline);

 private:
  bool HasHungUp();

  ByteStream& stream_;
  std::array<char, 8 << 10> read_;
  boost::beast::flat_buffer bytes_;
  Notifier news_;  // for who takes
  Notifier room_;  // for who fills
  bool at_end_ = false;
};

}  // namespace espalier
