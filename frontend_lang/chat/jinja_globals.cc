// The functions that every template has.
#include <ctime>
#include <limits>
#include <string>

#include "frontend_lang/chat/jinja_evaluator.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict_operations.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set_operations.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::jinja {
namespace {

constexpr std::int64_t kMaxRange = 100'000;  // jinja2's sandbox has the same

Outcome<std::int64_t> IntOf(const Value& value) {
  if (value.is_integral()) return value.as_int();
  if (const auto* undefined = value.IfExtension<Undefined>()) return undefined->Error();
  return lang::TypeError("'" + std::string(lang::TypeName(value)) +
                         "' object cannot be interpreted as an integer");
}

Outcome<Value> RangeCode(Host& host, const Value&, const Args& args) {
  const std::size_t count = args.positional.size();
  if (count == 0 || count > 3) {
    return lang::TypeError("range expected 1 to 3 arguments, got " + std::to_string(count));
  }
  std::int64_t parts[3] = {0, 0, 1};
  for (std::size_t i = 0; i < count; ++i) {
    ESP_TRY_ASSIGN(parts[count == 1 ? 1 : i], IntOf(args.positional[i]));
  }
  if (parts[2] == 0) return lang::ValueError("range() arg 3 must not be zero");
  const Value range = host.heap().New<lang::Range>(parts[0], parts[1], parts[2]);
  if (range.As<lang::Range>()->size() > kMaxRange) {
    return lang::Raise("OverflowError",
                       "Range too big. The sandbox blocks ranges larger than MAX_RANGE (" +
                           std::to_string(kMaxRange) + ").");
  }
  return range;
}

Outcome<Value> DictCode(Host& host, const Value&, const Args& args) {
  const Value dict = host.heap().New<lang::Dict>();
  for (const Value& source : args.positional) {
    ESP_TRY(lang::UpdateDict(host, *dict.As<lang::Dict>(), source));
  }
  for (const lang::Keyword& keyword : args.keywords) {
    dict.As<lang::Dict>()->PutStr(keyword.name, keyword.value);
  }
  return dict;
}

Outcome<Value> NamespaceCode(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const Value attributes, DictCode(host, self, args));
  const Value space = host.heap().New<Namespace>();
  ESP_TRY(
      lang::UpdateDict(host, static_cast<Namespace*>(space.object())->attributes(), attributes));
  return space;
}

Outcome<Value> JoinerCode(Host& host, const Value&, const Args& args) {
  Value separator = lang::MakeStr(host.heap(), std::string_view(", "));
  if (!args.positional.empty()) separator = args.positional[0];
  if (!args.keywords.empty()) separator = args.keywords[0].value;
  return host.heap().New<Joiner>(std::move(separator));
}

Outcome<Value> CyclerCode(Host& host, const Value&, const Args& args) {
  if (args.positional.empty()) return lang::TypeError("at least one item has to be provided");
  return host.heap().New<Cycler>(
      std::vector<Value>(args.positional.begin(), args.positional.end()));
}

Outcome<Value> RaiseCode(Host& host, const Value&, const Args& args) {
  std::string message = "the template raised an exception";
  if (!args.positional.empty()) {
    ESP_TRY_ASSIGN(message, lang::Text(host, args.positional[0]));
  }
  return lang::Raise("TemplateError", std::move(message));
}

Outcome<Value> StrftimeCode(Host& host, const Value&, const Args& args) {
  if (args.positional.size() != 1 || !args.positional[0].is_str()) {
    return lang::TypeError("strftime_now takes one format string");
  }
  const std::string format(lang::TextOf(args.positional[0]));
  if (format.size() > 256) return lang::ValueError("strftime_now: the format is too long");
  if (format.empty()) return host.heap().EmptyStr();
  char text[4096];
  const std::tm& now = static_cast<Evaluator&>(host).now();
  return lang::MakeStr(host.heap(),
                       std::string(text, std::strftime(text, sizeof text, format.c_str(), &now)));
}

struct Global {
  std::string_view name;
  lang::NativeCode code;
};
constexpr Global kGlobals[] = {
    {"cycler", CyclerCode},         {"dict", DictCode},
    {"joiner", JoinerCode},         {"namespace", NamespaceCode},
    {"raise_exception", RaiseCode}, {"range", RangeCode},
    {"strftime_now", StrftimeCode},
};

}  // namespace

void DefineGlobals(Evaluator& evaluator) {
  for (const Global& global : kGlobals) {
    evaluator.Define(global.name,
                     evaluator.heap().New<lang::NativeFunction>(global.name, global.code));
  }
}

}  // namespace espalier::jinja
