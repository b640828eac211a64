#include "runtime/server/router.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "runtime/server/api_error.h"
#include "runtime/server/api_keys.h"

namespace espalier {
namespace {

constexpr std::string_view kIdEnd = "/{id}";

// "%2F" as "/"; unset if it is broken.
std::optional<std::string> Decoded(std::string_view text) {
  const auto digit = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isxdigit(byte) == 0) return -1;
    return std::isdigit(byte) != 0 ? c - '0' : std::tolower(byte) - 'a' + 10;
  };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    if (i + 2 >= text.size() || digit(text[i + 1]) < 0 || digit(text[i + 2]) < 0) {
      return std::nullopt;
    }
    result += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
    i += 2;
  }
  return result;
}

// The id in `path` as the route sees it: "" where it has none; unset if it does not match.
std::optional<std::string> Match(const Route& route, std::string_view path) {
  if (!route.path.ends_with(kIdEnd)) {
    return route.path == path ? std::optional(std::string()) : std::nullopt;
  }
  const std::string_view head = route.path.substr(0, route.path.size() - kIdEnd.size() + 1);
  if (!path.starts_with(head) || path.size() == head.size()) return std::nullopt;
  return Decoded(path.substr(head.size()));
}

std::string_view MethodOf(const HttpQuestion& question) {
  return question.method == "HEAD" ? std::string_view("GET") : question.method;
}

bool IsJson(const HttpQuestion& question) {
  const std::string_view type = question.content_type;
  return type.empty() || type.starts_with("application/json") || question.body.empty();
}

HttpAnswer NotFound(const HttpQuestion& question) {
  // The path is cut: an answer never echoes much of what was sent.
  return ErrorAnswer(Status(Code::kNotFound, fmt::format("no such route: {} {}", question.method,
                                                         question.path.substr(0, 100))),
                     404);
}

HttpAnswer NotAllowed(const HttpQuestion& question, std::string_view allowed) {
  HttpAnswer answer =
      ErrorAnswer(Status(Code::kInvalidArgument,
                         fmt::format("{} is not answered here; use {}", question.method, allowed)),
                  405);
  answer.headers.emplace_back("Allow", allowed);
  return answer;
}

HttpAnswer NoKey() {
  HttpAnswer answer;
  answer.status = 401;
  answer.body = R"({"error":{"message":"a valid API key is needed: Authorization: Bearer KEY",)"
                R"("type":"invalid_request_error","param":null,"code":"invalid_api_key"}})";
  answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  return answer;
}

HttpAnswer Preflight(const Service& service) {
  return {.status = 204,
          .content_type = "text/plain",
          .headers = {{"Access-Control-Allow-Origin", service.options().allow_origin},
                      {"Access-Control-Allow-Methods", "GET, POST, OPTIONS"},
                      {"Access-Control-Allow-Headers", "Authorization, Content-Type, X-Request-Id"},
                      {"Access-Control-Max-Age", "600"}}};
}

}  // namespace

void Dispatch(Service& service, const Exchange& exchange) {
  const HttpQuestion& question = exchange->question();
  if (question.method == "OPTIONS" && !service.options().allow_origin.empty()) {
    return exchange->Answer(Preflight(service));
  }
  std::string allowed;
  for (const Route& route : Routes()) {
    const std::optional<std::string> id = Match(route, question.path);
    if (!id) continue;
    if (route.method != MethodOf(question)) {
      allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
      continue;
    }
    const bool open = route.access == Route::Access::kOpen;
    if (!open && !HasKey(service.options().api_keys, question.authorization)) {
      return exchange->Answer(NoKey());
    }
    if (question.path.starts_with("/v1/") && !IsJson(question)) {
      return exchange->Answer(ErrorAnswer(
          Status(Code::kInvalidArgument, "the Content-Type must be application/json"), 415));
    }
    return route.handle(service, exchange, *id);
  }
  exchange->Answer(allowed.empty() ? NotFound(question) : NotAllowed(question, allowed));
}

}  // namespace espalier
