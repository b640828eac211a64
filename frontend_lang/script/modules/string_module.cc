// _string: what string, and unicodedata, have in C++.
#include <utf8proc.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

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

// One character: its code point.
Outcome<utf8proc_int32_t> CharacterArgument(std::string_view function, const Args& args) {
  ESP_TRY(CheckPositional(function, args, 1, 1));
  const auto* text = args.positional[0].If<lang::Str>();
  if (text == nullptr || text->length() != 1) {
    const std::string what = text == nullptr ? std::string(lang::TypeName(args.positional[0]))
                                             : "str of length " + std::to_string(text->length());
    return lang::TypeError(std::string(function) + "() argument must be a unicode character, not " +
                           (text == nullptr ? what : "str"));
  }
  std::size_t at = 0;
  return static_cast<utf8proc_int32_t>(NextCodePoint(text->bytes(), at));
}

Outcome<Value> Category(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const utf8proc_int32_t c, CharacterArgument("category", args));
  return lang::MakeStr(host.heap(), std::string(utf8proc_category_string(c)));
}

Outcome<Value> Combining(Host&, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const utf8proc_int32_t c, CharacterArgument("combining", args));
  return Value::Int(utf8proc_get_property(c)->combining_class);
}

Outcome<Value> Width(Host&, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const utf8proc_int32_t c, CharacterArgument("width", args));
  return Value::Int(utf8proc_charwidth(c));
}

// normalize(form, text)
Outcome<Value> Normalize(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("normalize", args, 2, 2));
  const auto* form = args.positional[0].If<lang::Str>();
  const auto* text = args.positional[1].If<lang::Str>();
  if (form == nullptr || text == nullptr) {
    const std::size_t wrong = form == nullptr ? 0 : 1;
    return lang::TypeError("normalize() argument " + std::to_string(wrong + 1) +
                           " must be str, not " +
                           std::string(lang::TypeName(args.positional[wrong])));
  }
  const std::string_view name = form->bytes();
  if (name != "NFC" && name != "NFD" && name != "NFKC" && name != "NFKD") {
    return lang::ValueError("invalid normalization form");
  }
  constexpr std::int64_t kMostGrowth = 18 * 4;  // of one code point, in UTF-32
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(text->bytes().size()), kMostGrowth));
  ESP_TRY(host.Step(1 + static_cast<std::int64_t>(text->bytes().size() / 256)));
  int options = UTF8PROC_STABLE;
  options |= name.ends_with('C') ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE;
  if (name.size() == 4) options |= UTF8PROC_COMPAT;
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text->bytes().data()),
                   static_cast<utf8proc_ssize_t>(text->bytes().size()), &made,
                   static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(made, std::free);
  if (size < 0) return lang::ValueError("the text is not valid Unicode");
  return lang::MakeStr(host.heap(), std::string(reinterpret_cast<const char*>(made),
                                                static_cast<std::size_t>(size)));
}

constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
constexpr std::string_view kWhitespace = " \t\n\r\v\f";

}  // namespace

Value MakeStringModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {{"capwords", CapWords},
                                           {"category", Category},
                                           {"combining", Combining},
                                           {"width", Width},
                                           {"normalize", Normalize}};
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
