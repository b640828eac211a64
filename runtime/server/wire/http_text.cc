#include "runtime/server/wire/http_text.h"

#include <sstream>

#include <fmt/format.h>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http.hpp>

#include "runtime/server/api_error.h"
#include "runtime/server/request_id.h"

namespace espalier {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

std::string Header(const HttpRequest& head, std::string_view name) {
  return std::string(head[name]);
}

// "http://host/path" as "/path", as proxies are asked.
std::string_view WithoutOrigin(std::string_view target) {
  const std::size_t scheme = target.find("://");
  if (scheme == std::string_view::npos || scheme > target.find('/')) return target;
  const std::size_t path = target.find('/', scheme + 3);
  return path == std::string_view::npos ? std::string_view("/") : target.substr(path);
}

HttpAnswer Refused(std::string message, int http_status) {
  return ErrorAnswer(Status(Code::kInvalidArgument, std::move(message)), http_status);
}

}  // namespace

HttpQuestion ToQuestion(const HttpRequest& head) {
  HttpQuestion question;
  question.method = std::string(head.method_string());
  const std::string_view target =
      WithoutOrigin(std::string_view(head.target().data(), head.target().size()));
  const std::size_t mark = target.find('?');
  question.path = target.substr(0, mark);
  if (mark != std::string_view::npos) question.query = target.substr(mark + 1);
  question.content_type = Header(head, "Content-Type");
  question.authorization = Header(head, "Authorization");
  question.origin = Header(head, "Origin");
  question.request_id = UsableRequestId(Header(head, "X-Request-Id"));
  return question;
}

std::optional<HttpAnswer> RefusalOf(const HttpRequest& head) {
  const auto transfer = head[http::field::transfer_encoding];
  if (!transfer.empty() && !beast::iequals(transfer, "chunked")) {
    return Refused("the Transfer-Encoding must be chunked", 501);
  }
  const auto content = head[http::field::content_encoding];
  if (!content.empty() && !beast::iequals(content, "identity")) {
    return Refused("the body must not be compressed", 415);
  }
  const auto expect = head[http::field::expect];
  if (!expect.empty() && !beast::iequals(expect, "100-continue")) {
    return Refused("the Expect header must be 100-continue", 417);
  }
  return std::nullopt;
}

HttpAnswer RefusalOf(const boost::system::error_code& error) {
  if (error == http::error::header_limit) {
    return ErrorAnswer({Code::kLimit, "the request's header is too large"}, 431);
  }
  if (error == http::error::body_limit) {
    return ErrorAnswer({Code::kLimit, "the request's body is too large"}, 413);
  }
  return Refused("not an HTTP/1.1 request: " + error.message(), 400);
}

std::string HeadText(const HttpAnswer& answer, const AnswerFrame& frame) {
  const bool chunked = !frame.body_bytes && frame.version >= 11;
  http::response<http::empty_body> head;
  head.version(frame.version);
  head.result(static_cast<unsigned>(answer.status));
  head.keep_alive(frame.keep_alive);
  head.set(http::field::server, "espalier");
  head.set(http::field::content_type, answer.content_type);
  for (const auto& [name, value] : answer.headers) head.set(name, value);
  if (chunked) head.chunked(true);
  if (frame.body_bytes && answer.status != 204) head.content_length(*frame.body_bytes);
  std::ostringstream text;
  text << head.base();
  return std::move(text).str();
}

std::string ChunkText(std::string_view text) {
  return fmt::format("{:x}\r\n{}\r\n", text.size(), text);
}

}  // namespace espalier
