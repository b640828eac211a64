#include "frontend_lang/script/builtins/arguments.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace espalier::script {
namespace {

std::string Plural(int count) { return count == 1 ? "" : "s"; }

}  // namespace

Fault CheckPositional(std::string_view function, const Args& args, int least, int most) {
  if (!args.keywords.empty()) {
    return lang::TypeError(fmt::format("{}() takes no keyword arguments", function));
  }
  const int given = static_cast<int>(args.positional.size());
  if (given >= least && given <= most) return Fault();
  if (least == most && least >= 2) {
    const std::string_view name = function.substr(function.rfind('.') + 1);
    return lang::TypeError(fmt::format("{} expected {} arguments, got {}", name, least, given));
  }
  if (least == most) {
    const std::string_view takes = least == 0 ? "no arguments" : "exactly one argument";
    return lang::TypeError(fmt::format("{}() takes {} ({} given)", function, takes, given));
  }
  const int bound = given < least ? least : most;
  return lang::TypeError(fmt::format("{} expected at {} {} argument{}, got {}", function,
                                     given < least ? "least" : "most", bound, Plural(bound),
                                     given));
}

Outcome<std::vector<Value>> BindArguments(std::string_view function, const Args& args,
                                          std::initializer_list<std::string_view> names,
                                          int num_required) {
  if (args.positional.size() > names.size()) {
    return lang::TypeError(fmt::format("{}() takes at most {} argument{} ({} given)", function,
                                       names.size(), Plural(static_cast<int>(names.size())),
                                       args.positional.size() + args.keywords.size()));
  }
  std::vector<Value> bound(args.positional.begin(), args.positional.end());
  bound.resize(names.size(), Value::Unset());
  for (const lang::Keyword& keyword : args.keywords) {
    const auto* found = std::find(names.begin(), names.end(), keyword.name);
    if (found == names.end()) {
      return lang::TypeError(
          fmt::format("{}() got an unexpected keyword argument '{}'", function, keyword.name));
    }
    Value& slot = bound[static_cast<std::size_t>(found - names.begin())];
    if (!slot.is_unset()) {
      return lang::TypeError(
          fmt::format("{}() got multiple values for argument '{}'", function, keyword.name));
    }
    slot = keyword.value;
  }
  for (int i = 0; i < num_required; ++i) {
    if (!bound[static_cast<std::size_t>(i)].is_unset()) continue;
    return lang::TypeError(fmt::format("{}() missing required argument '{}' (pos {})", function,
                                       names.begin()[i], i + 1));
  }
  return bound;
}

}  // namespace espalier::script
