#include "frontend_lang/http/http_client.h"

#include <array>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>

namespace espalier {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace ssl = boost::asio::ssl;
using boost::system::error_code;

// Operations give their error code first, and nothing throws.
constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);

using Parser = http::response_parser<http::buffer_body>;

struct Connection {
  explicit Connection(asio::io_context& io) : plain(io) {}

  beast::tcp_stream plain;
  std::optional<ssl::stream<beast::tcp_stream&>> tls;  // around plain, for https
  beast::flat_buffer buffer;
  bool was_used = false;
};

struct Exchange {
  HttpRequest request;
  HttpClient::OnDone on_done;
  HttpClient::OnData on_data;
  Connection* connection = nullptr;  // while it talks
  bool cancelled = false;
  bool heard = false;  // a reply has begun
};

http::request<http::string_body> Message(const HttpRequest& request, const ServerUrl& url,
                                         const std::string& api_key) {
  http::request<http::string_body> message;
  message.method_string(request.method);
  message.target(url.path + request.path);
  message.version(11);
  message.set(http::field::host, url.Authority());
  message.set(http::field::user_agent, "espalier");
  message.set(http::field::accept, "*/*");
  if (!api_key.empty()) message.set(http::field::authorization, "Bearer " + api_key);
  if (!request.body.empty()) {
    message.set(http::field::content_type, "application/json; charset=utf-8");
    message.body() = request.body;
  }
  message.prepare_payload();
  return message;
}

}  // namespace

// The coroutines: each exchange is one, and takes a connection for its time.
class HttpClient::Exchanges {
 public:
  Exchanges(ServerUrl url, std::string api_key)
      : url_(std::move(url)), api_key_(std::move(api_key)) {
    if (url_.scheme == ServerUrl::Scheme::kHttp) return;
    error_code ignored;
    tls_.emplace(ssl::context::tls_client);
    tls_->set_default_verify_paths(ignored);
    tls_->set_verify_mode(ssl::verify_peer, ignored);
  }

  const ServerUrl& url() const { return url_; }

  std::uint64_t Start(HttpRequest request, OnDone on_done, OnData on_data) {
    const std::uint64_t id = next_id_++;
    Exchange& exchange = open_[id];
    exchange.request = std::move(request);
    exchange.on_done = std::move(on_done);
    exchange.on_data = std::move(on_data);
    waiting_.push_back(id);
    StartWaiting();
    return id;
  }

  void Cancel(std::uint64_t id) {
    const auto found = open_.find(id);
    if (found == open_.end()) return;
    found->second.cancelled = true;
    if (found->second.connection != nullptr) found->second.connection->plain.close();
  }

  bool RunOne(Deadline deadline) {
    io_.restart();
    return (deadline ? io_.run_one_until(*deadline) : io_.run_one()) > 0;
  }

 private:
  Status Fault(std::string_view what, const error_code& error) const {
    return Status(Code::kNotFound, fmt::format("{}: {}: {}", url_.Text(), what, error.message()));
  }

  void StartWaiting() {
    while (!waiting_.empty() && num_talking_ < kMaxConnections) {
      ++num_talking_;
      asio::co_spawn(io_, Run(waiting_.front()), asio::detached);
      waiting_.pop_front();
    }
  }

  asio::awaitable<void> Run(std::uint64_t id) {
    Exchange& exchange = open_.at(id);
    Result<HttpReply> reply = co_await Talk(exchange);
    if (exchange.cancelled) reply = Status(Code::kCancelled, "cancelled");
    const OnDone on_done = std::move(exchange.on_done);
    open_.erase(id);
    --num_talking_;
    StartWaiting();
    on_done(std::move(reply));
  }

  // co_await stands in statements of its own: GCC 12 destroys temporaries of a co_await
  // inside a conditional expression twice.
  asio::awaitable<Result<HttpReply>> Talk(Exchange& exchange) {
    while (!exchange.cancelled) {
      std::unique_ptr<Connection> connection = TakeIdle();
      const bool was_used = connection->was_used;
      exchange.connection = connection.get();
      Result<HttpReply> reply = co_await SpeakOn(*connection, exchange);
      exchange.connection = nullptr;
      if (reply.ok() && connection->was_used && !exchange.cancelled) {
        idle_.push_back(std::move(connection));
      }
      // A kept connection that the server has closed meanwhile: on a new one.
      if (!reply.ok() && was_used && !exchange.heard) continue;
      co_return reply;
    }
    co_return Result<HttpReply>(Status(Code::kCancelled, "cancelled"));
  }

  asio::awaitable<Result<HttpReply>> SpeakOn(Connection& connection, Exchange& exchange) {
    if (!connection.was_used) {
      Status connected = co_await Connect(connection);
      if (!connected.ok()) co_return Result<HttpReply>(std::move(connected));
      if (exchange.cancelled) co_return Result<HttpReply>(Status(Code::kCancelled, "cancelled"));
    }
    if (connection.tls) {
      Result<HttpReply> reply = co_await Speak(*connection.tls, connection, exchange);
      co_return reply;
    }
    Result<HttpReply> reply = co_await Speak(connection.plain, connection, exchange);
    co_return reply;
  }

  std::unique_ptr<Connection> TakeIdle() {
    if (idle_.empty()) return std::make_unique<Connection>(io_);
    std::unique_ptr<Connection> connection = std::move(idle_.back());
    idle_.pop_back();
    return connection;
  }

  asio::awaitable<Status> Connect(Connection& connection) {
    asio::ip::tcp::resolver resolver(io_);
    auto [resolve_error, endpoints] = co_await resolver.async_resolve(url_.host, url_.port, kAwait);
    if (resolve_error) co_return Fault("cannot find the host", resolve_error);
    connection.plain.expires_after(kConnectTimeout);
    auto [error, endpoint] = co_await connection.plain.async_connect(endpoints, kAwait);
    if (error) co_return Fault("cannot connect; is the server running?", error);
    error_code ignored;
    connection.plain.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
    if (!tls_) co_return Status();
    connection.tls.emplace(connection.plain, *tls_);
    SSL_set_tlsext_host_name(connection.tls->native_handle(), url_.host.c_str());
    connection.tls->set_verify_callback(ssl::host_name_verification(url_.host), ignored);
    auto [tls_error] = co_await connection.tls->async_handshake(ssl::stream_base::client, kAwait);
    if (tls_error) co_return Fault("no secure connection", tls_error);
    co_return Status();
  }

  // One request and its reply. connection.was_used then says whether it may serve again.
  template <typename Stream>
  asio::awaitable<Result<HttpReply>> Speak(Stream& stream, Connection& connection,
                                           Exchange& exchange) {
    connection.was_used = false;
    connection.plain.expires_after(kIdleTimeout);
    const auto message = Message(exchange.request, url_, api_key_);
    auto [write_error, num_written] = co_await http::async_write(stream, message, kAwait);
    if (write_error) co_return Fault("the request was not taken", write_error);
    std::optional<Parser> reading;
    do {  // what comes before the answer: 100 Continue, 103 Early Hints
      reading.emplace();
      reading->body_limit(exchange.on_data ? kMaxStreamBytes : kMaxBodyBytes);
      auto [error, num_read] =
          co_await http::async_read_header(stream, connection.buffer, *reading, kAwait);
      if (error) co_return Fault("no answer", error);
      exchange.heard = true;
    } while (reading->get().result_int() < 200);
    Parser& parser = *reading;
    HttpReply reply;
    reply.status = static_cast<int>(parser.get().result_int());
    const bool is_streamed = exchange.on_data && reply.status == 200;
    OnData on_data = [&reply](std::string_view data) { reply.body += data; };
    if (is_streamed) on_data = exchange.on_data;
    const error_code body_error = co_await ReadBody(stream, connection, parser, on_data);
    if (body_error) co_return Fault("the answer broke off", body_error);
    connection.was_used = parser.get().keep_alive();
    co_return reply;
  }

  template <typename Stream>
  asio::awaitable<error_code> ReadBody(Stream& stream, Connection& connection, Parser& parser,
                                       const OnData& on_data) {
    std::vector<char> piece(std::size_t{16} << 10);
    while (!parser.is_done()) {
      auto& body = parser.get().body();
      body.data = piece.data();
      body.size = piece.size();
      connection.plain.expires_after(kIdleTimeout);
      auto [error, num_read] =
          co_await http::async_read_some(stream, connection.buffer, parser, kAwait);
      if (error && error != http::error::need_buffer) co_return error;
      on_data({piece.data(), piece.size() - body.size});
    }
    co_return error_code();
  }

  const ServerUrl url_;
  const std::string api_key_;
  std::optional<ssl::context> tls_;  // for https
  std::uint64_t next_id_ = 1;
  int num_talking_ = 0;
  std::unordered_map<std::uint64_t, Exchange> open_;
  std::deque<std::uint64_t> waiting_;  // of open_: not yet talking
  // Destroying io_ destroys the coroutines, which refer to all above.
  asio::io_context io_{1};
  std::vector<std::unique_ptr<Connection>> idle_;
};

HttpClient::HttpClient(ServerUrl url, std::string api_key)
    : exchanges_(std::make_unique<Exchanges>(std::move(url), std::move(api_key))) {}

HttpClient::~HttpClient() = default;

const ServerUrl& HttpClient::url() const { return exchanges_->url(); }

ExchangeId HttpClient::Start(HttpRequest request, OnDone on_done, OnData on_data) {
  return ExchangeId{exchanges_->Start(std::move(request), std::move(on_done), std::move(on_data))};
}

void HttpClient::Cancel(ExchangeId exchange) {
  exchanges_->Cancel(static_cast<std::uint64_t>(exchange));
}

bool HttpClient::RunOne(Deadline deadline) { return exchanges_->RunOne(deadline); }

Result<HttpReply> HttpClient::Fetch(HttpRequest request, Deadline deadline) {
  auto reply = std::make_shared<std::optional<Result<HttpReply>>>();
  const ExchangeId exchange = Start(
      std::move(request), [reply](Result<HttpReply> given) { reply->emplace(std::move(given)); });
  while (!*reply) {
    if (RunOne(deadline)) continue;
    Cancel(exchange);
    return Status(Code::kLimit, url().Text() + ": no answer within the time limit");
  }
  return std::move(**reply);
}

}  // namespace espalier
