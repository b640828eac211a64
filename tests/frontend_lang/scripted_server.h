// A server on loopback whose answers a test scripts. One connection at a time.
#pragma once

#include <atomic>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <nlohmann/json.hpp>

namespace espalier {

struct SeenRequest {
  std::string target;  // "POST /generate"
  std::string head;    // all header lines
  nlohmann::json body;
};

inline std::string HttpAnswer(int status, const std::string& body) {
  return "HTTP/1.1 " + std::to_string(status) +
         " X\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" +
         body;
}

// The events, each as one chunk.
inline std::string EventStream(const std::vector<std::string>& events) {
  std::string out =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
      "Connection: close\r\n\r\n";
  for (const std::string& event : events) {
    const std::string data = "data: " + event + "\n\n";
    char size[32];
    std::snprintf(size, sizeof(size), "%zx\r\n", data.size());
    out += size + data + "\r\n";
  }
  return out + "0\r\n\r\n";
}

class ScriptedServer {
 public:
  // `answer` gives the whole reply, bytes as they go out; "" hangs up.
  using Answer = std::function<std::string(const SeenRequest&)>;

  explicit ScriptedServer(Answer answer)
      : answer_(std::move(answer)),
        acceptor_(io_, {boost::asio::ip::address_v4::loopback(), 0}),
        thread_([this] { Serve(); }) {}

  ~ScriptedServer() {
    stopping_ = true;
    boost::asio::ip::tcp::socket wake(io_);
    boost::system::error_code ignored;
    wake.connect(acceptor_.local_endpoint(), ignored);
    thread_.join();
  }

  std::string url() const {
    return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
  }
  std::vector<SeenRequest> seen() {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

 private:
  void Serve() {
    for (;;) {
      boost::asio::ip::tcp::socket socket(io_);
      boost::system::error_code error;
      acceptor_.accept(socket, error);
      if (stopping_ || error) return;
      while (ServeOne(socket)) {
      }
    }
  }

  // Whether the connection stays open.
  bool ServeOne(boost::asio::ip::tcp::socket& socket) {
    std::string text;
    boost::system::error_code error;
    const std::size_t head_size =
        boost::asio::read_until(socket, boost::asio::dynamic_buffer(text), "\r\n\r\n", error);
    if (error) return false;
    SeenRequest request;
    request.head = text.substr(0, head_size);
    request.target = request.head.substr(0, request.head.find(" HTTP/"));
    std::string body = text.substr(head_size);
    const std::size_t length = request.head.find("Content-Length: ");
    const std::size_t size =
        length == std::string::npos ? 0 : std::stoul(request.head.substr(length + 16));
    if (body.size() < size) {
      std::string rest(size - body.size(), '\0');
      boost::asio::read(socket, boost::asio::buffer(rest), error);
      body += rest;
    }
    request.body = nlohmann::json::parse(body, nullptr, false);
    const std::string answer = answer_(request);
    {
      const std::lock_guard lock(mutex_);
      seen_.push_back(std::move(request));
    }
    boost::asio::write(socket, boost::asio::buffer(answer), error);
    return !error && !answer.empty() && answer.find("Connection: close") == std::string::npos;
  }

  const Answer answer_;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::vector<SeenRequest> seen_;
  boost::asio::io_context io_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::thread thread_;
};

}  // namespace espalier
