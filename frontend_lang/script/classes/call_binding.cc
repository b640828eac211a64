#include "frontend_lang/script/classes/call_binding.h"

#include <algorithm>

#include <fmt/format.h>

namespace espalier::script {
namespace {

using lang::TypeError;
using Kind = BoundParameter::Kind;

std::string Quoted(const std::vector<std::string_view>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += names.size() == 2 ? " and " : i + 1 == names.size() ? ", and " : ", ";
    out += fmt::format("'{}'", names[i]);
  }
  return out;
}

Fault TooMany(std::string_view function, std::span<const BoundParameter> parameters,
              std::size_t given) {
  std::size_t most = 1, least = 1;  // self
  for (const BoundParameter& parameter : parameters) {
    if (parameter.kind != Kind::kPositional) continue;
    ++most;
    least += parameter.has_default ? 0 : 1;
  }
  const std::string takes =
      least < most ? fmt::format("from {} to {}", least, most) : fmt::format("{}", most);
  return TypeError(fmt::format("{}() takes {} positional argument{} but {} {} given", function,
                               takes, most == 1 ? "" : "s", given + 1,
                               given == 0 ? "was" : "were"));
}

Fault CheckMissing(std::string_view function, std::span<const BoundParameter> parameters,
                   const std::vector<Value>& bound, Kind kind) {
  std::vector<std::string_view> missing;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const BoundParameter& parameter = parameters[i];
    if (parameter.kind == kind && !parameter.has_default && bound[i].is_unset()) {
      missing.push_back(parameter.name);
    }
  }
  if (missing.empty()) return Fault();
  return TypeError(fmt::format("{}() missing {} required {} argument{}: {}", function,
                               missing.size(),
                               kind == Kind::kPositional ? "positional" : "keyword-only",
                               missing.size() == 1 ? "" : "s", Quoted(missing)));
}

}  // namespace

Outcome<std::vector<Value>> BindParameters(std::string_view function,
                                           std::span<const BoundParameter> parameters,
                                           const Args& args) {
  std::vector<Value> bound(parameters.size(), Value::Unset());
  std::size_t next = 0;
  for (std::size_t i = 0; i < parameters.size() && next < args.positional.size(); ++i) {
    if (parameters[i].kind == Kind::kPositional) bound[i] = args.positional[next++];
  }
  for (const lang::Keyword& keyword : args.keywords) {
    const auto at = std::ranges::find(parameters, keyword.name, &BoundParameter::name);
    if (at == parameters.end()) {
      return TypeError(
          fmt::format("{}() got an unexpected keyword argument '{}'", function, keyword.name));
    }
    Value& slot = bound[static_cast<std::size_t>(at - parameters.begin())];
    if (!slot.is_unset()) {
      return TypeError(
          fmt::format("{}() got multiple values for argument '{}'", function, keyword.name));
    }
    slot = keyword.value;
  }
  if (next < args.positional.size()) return TooMany(function, parameters, args.positional.size());
  ESP_TRY(CheckMissing(function, parameters, bound, Kind::kPositional));
  ESP_TRY(CheckMissing(function, parameters, bound, Kind::kKeywordOnly));
  return bound;
}

}  // namespace espalier::script
