// HTTP/1.x messages to and from the structs that endpoints know.
//
// Source: RFC 9110 and 9112.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "runtime/server/http_exchange.h"

namespace espalier {

using HttpParser = boost::beast::http::request_parser<boost::beast::http::string_body>;
using HttpRequest = HttpParser::value_type;

// All but the body. A target in absolute form is taken as its path.
HttpQuestion ToQuestion(const HttpRequest& head);

// What a message that is HTTP and that we do not take is answered with, by its head: a
// coding or an expectation that we do not know.
std::optional<HttpAnswer> RefusalOf(const HttpRequest& head);
// What a message that the parser gave up is answered with.
HttpAnswer RefusalOf(const boost::system::error_code& error);

// How an answer is framed.
struct AnswerFrame {
  unsigned version = 11;  // of the request
  bool keep_alive = true;
  std::optional<std::uint64_t> body_bytes;  // unset: chunks, or for HTTP/1.0 until the end
};

// The status line and the header, the empty line included.
std::string HeadText(const HttpAnswer& answer, const AnswerFrame& frame);

// `text` as one chunk.
std::string ChunkText(std::string_view text);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace espalier
