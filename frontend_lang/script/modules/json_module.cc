// json: loads, dumps, load, dump.
#include <algorithm>
#include <string>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/bytes/bytes.h"
#include "frontend_lang/script/modules/json_functions.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

constexpr std::int64_t kMaxIndent = 1000;

Fault ReadSeparators(const Value& value, JsonStyle& style) {
  const auto* tuple = value.If<lang::Tuple>();
  const auto* list = value.If<lang::List>();
  if (tuple == nullptr && list == nullptr) {
    return TypeError("cannot unpack non-iterable " + std::string(lang::TypeName(value)) +
                     " object");
  }
  const auto& pair = tuple != nullptr ? tuple->items() : list->items();
  if (pair.size() != 2) return lang::ValueError("separators must be two strings");
  if (!pair[0].is_str() || !pair[1].is_str()) {
    return TypeError("separators must be two strings");
  }
  style.item_separator = lang::TextOf(pair[0]);
  style.key_separator = lang::TextOf(pair[1]);
  return Fault();
}

Fault ReadIndent(const Value& value, JsonStyle& style) {
  if (value.is_none()) return Fault();
  style.item_separator = ",";
  if (value.is_str()) {
    style.indent = lang::TextOf(value);
    return Fault();
  }
  ESP_TRY_ASSIGN(const std::int64_t width, IndexArgument(value));
  if (width > kMaxIndent) return lang::ValueError("the indent is too large");
  style.indent = std::string(static_cast<std::size_t>(std::max<std::int64_t>(0, width)), ' ');
  return Fault();
}

// One keyword argument of dumps and dump.
Fault ReadStyle(Host& host, const lang::Keyword& keyword, JsonStyle& style) {
  const auto flag = [&](bool& to) -> Fault {
    ESP_TRY_ASSIGN(to, lang::Truth(host, keyword.value));
    return Fault();
  };
  if (keyword.name == "ensure_ascii") return flag(style.ensure_ascii);
  if (keyword.name == "sort_keys") return flag(style.sort_keys);
  if (keyword.name == "allow_nan") return flag(style.allow_nan);
  if (keyword.name == "skipkeys") return flag(style.skip_keys);
  if (keyword.name == "default") {
    style.fallback = keyword.value;
    return Fault();
  }
  const bool later = keyword.name == "indent" || keyword.name == "separators";
  if (later || keyword.name == "check_circular" || keyword.value.is_none()) return Fault();
  return TypeError("JSONEncoder.__init__() got an unexpected keyword argument '" +
                   std::string(keyword.name) + "'");
}

Value Find(std::span<const lang::Keyword> keywords, std::string_view name) {
  const auto at = std::ranges::find(keywords, name, &lang::Keyword::name);
  return at == keywords.end() ? Value() : at->value;
}

// cls=: an encoder of the program's own, made with all options, as CPython makes it.
Outcome<std::string> Write(Host& host, const Value& value,
                           std::span<const lang::Keyword> keywords) {
  const Value cls = Find(keywords, "cls");
  if (cls.is_none()) return WriteStyled(host, value, keywords);
  std::vector<lang::Keyword> options;
  for (const auto& [name, usual] :
       std::initializer_list<lang::Keyword>{{"skipkeys", Value::Bool(false)},
                                            {"ensure_ascii", Value::Bool(true)},
                                            {"check_circular", Value::Bool(true)},
                                            {"allow_nan", Value::Bool(true)},
                                            {"indent", Value()},
                                            {"separators", Value()},
                                            {"default", Value()},
                                            {"sort_keys", Value::Bool(false)}}) {
    const auto given = std::ranges::find(keywords, name, &lang::Keyword::name);
    options.push_back({name, given == keywords.end() ? usual : given->value});
  }
  for (const lang::Keyword& keyword : keywords) {
    const bool known =
        keyword.name == "cls" ||
        std::ranges::find(options, keyword.name, &lang::Keyword::name) != options.end();
    if (!known) options.push_back(keyword);
  }
  ESP_TRY_ASSIGN(const Value encoder, host.Call(cls, Args{{}, options}));
  ESP_TRY_ASSIGN(const Value text, lang::CallAttr(host, encoder, "encode", {{&value, 1}, {}}));
  if (!text.is_str()) return TypeError("encode() must give a str");
  return std::string(lang::TextOf(text));
}

Fault CountArguments(std::string_view function, const Args& args, std::size_t wanted) {
  const std::string name(function);
  const std::size_t given = args.positional.size();
  if (given == wanted) return Fault();
  if (given > wanted) {
    return TypeError(name + "() takes " + std::to_string(wanted) + " positional argument" +
                     (wanted == 1 ? "" : "s") + " but " + std::to_string(given) + " were given");
  }
  const std::string missing = name == "loads"                ? "'s'"
                              : given == 0 && name != "load" ? "'obj'"
                                                             : "'fp'";
  return TypeError(name + "() missing 1 required positional argument: " + missing);
}

Outcome<Value> Dumps(Host& host, const Value&, const Args& args) {
  ESP_TRY(CountArguments("dumps", args, 1));
  ESP_TRY_ASSIGN(std::string text, Write(host, args.positional[0], args.keywords));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> Dump(Host& host, const Value&, const Args& args) {
  ESP_TRY(CountArguments("dump", args, 2));
  ESP_TRY_ASSIGN(std::string text, Write(host, args.positional[0], args.keywords));
  const Value piece = lang::MakeStr(host.heap(), std::move(text));
  ESP_TRY_ASSIGN([[maybe_unused]] const Value written,
                 lang::CallAttr(host, args.positional[1], "write", {{&piece, 1}, {}}));
  return Value();
}

// By a decoder of the program's: cls(other keywords).decode(text).
Outcome<Value> ReadWith(Host& host, const Value& cls, const Value& text,
                        std::span<const lang::Keyword> keywords) {
  std::vector<lang::Keyword> others;
  for (const lang::Keyword& keyword : keywords) {
    if (keyword.name != "cls") others.push_back(keyword);
  }
  ESP_TRY_ASSIGN(const Value decoder, host.Call(cls, Args{{}, others}));
  return lang::CallAttr(host, decoder, "decode", Args{{&text, 1}, {}});
}

Outcome<Value> Read(Host& host, const Value& text, std::span<const lang::Keyword> keywords) {
  if (Exactly<Bytes>(text) != nullptr) {
    ESP_TRY_ASSIGN(const Value decoded, lang::CallAttr(host, text, "decode", {}));
    return Read(host, decoded, keywords);
  }
  if (!text.is_str()) {
    return TypeError("the JSON object must be str, bytes or bytearray, not " +
                     std::string(lang::TypeName(text)));
  }
  const Value cls = Find(keywords, "cls");
  if (!cls.is_none()) return ReadWith(host, cls, text, keywords);
  ESP_TRY_ASSIGN(const JsonHooks hooks, ReadHooks(host, keywords));
  return ReadJson(host, lang::TextOf(text), hooks);
}

Outcome<Value> Loads(Host& host, const Value&, const Args& args) {
  ESP_TRY(CountArguments("loads", args, 1));
  return Read(host, args.positional[0], args.keywords);
}

Outcome<Value> Load(Host& host, const Value&, const Args& args) {
  ESP_TRY(CountArguments("load", args, 1));
  ESP_TRY_ASSIGN(const Value text, lang::CallAttr(host, args.positional[0], "read", {}));
  return Read(host, text, args.keywords);
}

}  // namespace

Outcome<std::string> WriteStyled(Host& host, const Value& value,
                                 std::span<const lang::Keyword> keywords) {
  JsonStyle style;
  ESP_TRY(ReadIndent(Find(keywords, "indent"), style));  // the separators win over it
  const Value separators = Find(keywords, "separators");
  if (!separators.is_none()) ESP_TRY(ReadSeparators(separators, style));
  for (const lang::Keyword& keyword : keywords) ESP_TRY(ReadStyle(host, keyword, style));
  return WriteJson(host, value, style);
}

Outcome<JsonHooks> ReadHooks(Host& host, std::span<const lang::Keyword> keywords) {
  JsonHooks hooks;
  for (const lang::Keyword& keyword : keywords) {
    if (keyword.name == "object_hook") {
      hooks.object_hook = keyword.value;
    } else if (keyword.name == "object_pairs_hook") {
      hooks.object_pairs_hook = keyword.value;
    } else if (keyword.name == "parse_float") {
      hooks.parse_float = keyword.value;
    } else if (keyword.name == "parse_int") {
      hooks.parse_int = keyword.value;
    } else if (keyword.name == "parse_constant") {
      hooks.parse_constant = keyword.value;
    } else if (keyword.name == "strict") {
      ESP_TRY_ASSIGN(hooks.strict, lang::Truth(host, keyword.value));
    } else if (!keyword.value.is_none()) {
      return TypeError("JSONDecoder.__init__() got an unexpected keyword argument '" +
                       std::string(keyword.name) + "'");
    }
  }
  return hooks;
}

Value MakeJsonModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {
      {"loads", Loads}, {"dumps", Dumps}, {"load", Load}, {"dump", Dump}};
  const Value module = NewModule(machine, "json", kFunctions);
  AddJsonClasses(machine, module);
  ModuleOf(module).Add("JSONDecodeError", NewErrorType(machine, "JSONDecodeError"));
  return module;
}

}  // namespace espalier::script
