#include "runtime/server/router.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "runtime/server/api_error.h"
#include "runtime/server/api_keys.h"

namespace espalier {
namespace {

constexpr std::string_view kId = "{id}";

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
  const std::size_t at = route.path.find(kId);
  if (at == std::string_view::npos) {
    return route.path == path ? std::optional(std::string()) : std::nullopt;
  }
  const std::string_view before = route.path.substr(0, at);
  const std::string_view after = route.path.substr(at + kId.size());
  const bool fits = path.size() > before.size() + after.size() && path.starts_with(before) &&
                    path.ends_with(after);
  if (!fits) return std::nullopt;
  return Decoded(path.substr(at, path.size() - before.size() - after.size()));
}

std::string_view MethodOf(const HttpQuestion& question) {
  return question.method == "HEAD" ? std::string_view("GET") : question.method;
}

std::string Lowered(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lowered;
}

bool IsJson(const HttpQuestion& question) {
  std::string type = Lowered(question.content_type).substr(0, question.content_type.find(';'));
  while (type.ends_with(' ')) type.pop_back();
  return type.empty() || type == "application/json" || question.body.text.empty();
}

// An answer never echoes much of what was sent.
std::string_view Cut(std::string_view text) {
  constexpr std::size_t kMostBytes = 100;
  return text.substr(0, kMostBytes);
}

HttpAnswer NotFound(const HttpQuestion& question) {
  return ErrorAnswer(Status(Code::kNotFound, fmt::format("no such route: {} {}",
                                                         Cut(question.method), Cut(question.path))),
                     404);
}

HttpAnswer NotAllowed(const HttpQuestion& question, std::string_view allowed) {
  HttpAnswer answer = ErrorAnswer(
      Status(Code::kInvalidArgument,
             fmt::format("{} is not answered here; use {}", Cut(question.method), allowed)),
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

HttpAnswer Preflight() {
  return {.status = 204,
          .content_type = "text/plain",
          .headers = {{"Access-Control-Allow-Methods", "GET, POST, OPTIONS"},
                      {"Access-Control-Allow-Headers", "Authorization, Content-Type, X-Request-Id"},
                      {"Access-Control-Max-Age", "600"}}};
}

bool IsPreflight(const Service& service, const HttpQuestion& question) {
  return question.method == "OPTIONS" && !service.served().options().allow_origin.empty();
}

// What lets pages of the allowed origin read the answer.
std::vector<std::pair<std::string, std::string>> CorsHeaders(const Service& service,
                                                             const HttpQuestion& question) {
  const std::string& allowed = service.served().options().allow_origin;
  if (allowed.empty() || question.origin.empty()) return {};
  return {{"Access-Control-Allow-Origin", allowed},
          {"Access-Control-Expose-Headers", "X-Request-Id, X-Ignored-Fields"},
          {"Vary", "Origin"}};
}

// The route that takes a request, or the answer.
struct Found {
  const Route* route = nullptr;
  std::string id;
  HttpAnswer refusal = {};
};

Found Find(const Service& service, const HttpQuestion& question) {
  std::string allowed;
  for (const Route& route : Routes()) {
    std::optional<std::string> id = Match(route, question.path);
    if (!id) continue;
    if (route.method != MethodOf(question)) {
      allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
      continue;
    }
    const bool open = route.access == Route::Access::kOpen;
    if (!open && !HasKey(service.served().options().api_keys, question.authorization)) {
      return {.refusal = NoKey()};
    }
    return {.route = &route, .id = *std::move(id)};
  }
  return {.refusal = allowed.empty() ? NotFound(question) : NotAllowed(question, allowed)};
}

}  // namespace

std::optional<HttpAnswer> Admit(const Service& service, const HttpQuestion& head) {
  if (IsPreflight(service, head)) return std::nullopt;
  Found found = Find(service, head);
  if (found.route != nullptr) return std::nullopt;
  for (auto& header : CorsHeaders(service, head))
    found.refusal.headers.push_back(std::move(header));
  return std::move(found.refusal);
}

void Dispatch(Service& service, const Exchange& exchange) {
  const HttpQuestion& question = exchange->question();
  for (auto& [name, value] : CorsHeaders(service, question)) {
    exchange->AddHeader(std::move(name), std::move(value));
  }
  if (IsPreflight(service, question)) return exchange->Answer(Preflight());
  Found found = Find(service, question);
  if (found.route == nullptr) return exchange->Answer(std::move(found.refusal));
  if (question.path.starts_with("/v1/") && !IsJson(question)) {
    return exchange->Answer(ErrorAnswer(
        Status(Code::kInvalidArgument, "the Content-Type must be application/json"), 415));
  }
  found.route->handle(service, exchange, found.id);
}

}  // namespace espalier
