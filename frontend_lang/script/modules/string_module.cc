// string: constants, capwords.
#include <string>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

Outcome<Value> CapWords(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("capwords", args, {"s", "sep"}, 1));
  const bool blanks = bound[1].is_unset() || bound[1].is_none();
  const Value separator = blanks ? Value() : bound[1];
  ESP_TRY_ASSIGN(const Value words, lang::CallAttr(host, bound[0], "split", {{&separator, 1}, {}}));
  const Value capital = host.heap().New<lang::List>();
  ESP_TRY(lang::ForEach(host, words, [&](const Value& word) -> Fault {
    ESP_TRY_ASSIGN(Value made, lang::CallAttr(host, word, "capitalize", {}));
    capital.As<lang::List>()->Append(std::move(made));
    return Fault();
  }));
  const Value glue = blanks ? lang::MakeStr(host.heap(), std::string(" ")) : bound[1];
  return lang::CallAttr(host, glue, "join", {{&capital, 1}, {}});
}

constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
constexpr std::string_view kWhitespace = " \t\n\r\v\f";

}  // namespace

Value MakeStringModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {{"capwords", CapWords}};
  const Value value = NewModule(machine, "string", kFunctions);
  const auto add = [&](std::string_view name, std::string text) {
    ModuleOf(value).Add(name, lang::MakeStr(machine.heap(), std::move(text)));
  };
  const std::string lower(kLower), upper(kUpper), digits(kDigits), punctuation(kPunctuation);
  add("ascii_lowercase", lower);
  add("ascii_uppercase", upper);
  add("ascii_letters", lower + upper);
  add("digits", digits);
  add("hexdigits", "0123456789abcdefABCDEF");
  add("octdigits", "01234567");
  add("punctuation", punctuation);
  add("whitespace", " \t\n\r\v\f");
  add("printable", digits + lower + upper + punctuation + std::string(kWhitespace));
  return value;
}

}  // namespace espalier::script
