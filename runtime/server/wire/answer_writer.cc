#include "runtime/server/wire/answer_writer.h"

#include <cstddef>
#include <optional>
#include <string>

#include "runtime/server/wire/http_text.h"

namespace espalier {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kMostJoinedBytes = 16 << 10;  // a small body leaves with its header

}  // namespace

asio::awaitable<bool> AnswerWriter::Write(std::string_view text) {
  text.remove_prefix(stream_.WriteNow(text));
  while (!text.empty()) {
    guard_.Begin(kWriteTimeout);
    const std::size_t num_written = co_await stream_.WriteSome(text);
    guard_.End();
    if (num_written == 0) co_return false;
    text.remove_prefix(num_written);
  }
  co_return true;
}

asio::awaitable<bool> AnswerWriter::Send(HttpExchange& exchange, Manner manner) {
  while (!exchange.answer() && !exchange.gone()) co_await news_.Wait();
  if (exchange.gone()) co_return false;
  // GCC 12 destroys temporaries of a co_await's operand twice where ?: makes them.
  if (exchange.streams()) {
    const bool sent = co_await SendStream(exchange, manner);
    co_return sent;
  }
  const bool sent = co_await SendWhole(*exchange.answer(), manner);
  co_return sent&& manner.keep_alive;
}

asio::awaitable<bool> AnswerWriter::SendWhole(const HttpAnswer& answer, Manner manner) {
  std::string head = HeadText(answer, {manner.version, manner.keep_alive, answer.body.size()});
  const std::string_view body = manner.head_only ? std::string_view() : answer.body;
  const bool joined = body.size() <= kMostJoinedBytes;
  if (joined) head += body;
  bool sent = co_await Write(head);
  if (sent && !joined) sent = co_await Write(body);
  co_return sent;
}

// A client of HTTP/1.0 knows no chunks: the stream's end is the connection's.
asio::awaitable<bool> AnswerWriter::SendStream(HttpExchange& exchange, Manner manner) {
  const bool chunked = manner.version >= 11;
  std::string text =
      HeadText(*exchange.answer(), {manner.version, manner.keep_alive && chunked, std::nullopt});
  while (!exchange.gone()) {
    const std::string news = exchange.TakeBacklog();
    if (!news.empty()) text += chunked ? ChunkText(news) : news;
    const bool is_end = exchange.ended();
    if (is_end && chunked) text += kLastChunk;
    if (!text.empty()) {
      const bool open = co_await Write(text);
      if (!open) break;
      text.clear();
    }
    if (is_end) co_return chunked&& manner.keep_alive;
    if (exchange.has_backlog() || exchange.ended()) continue;
    co_await news_.Wait();
  }
  exchange.MarkGone();
  co_return false;
}

}  // namespace espalier
