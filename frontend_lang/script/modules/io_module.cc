// io: StringIO.
#include <string>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/modules/text_file.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

Outcome<Value> MakeStringFile(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("StringIO", args, {"initial_value", "newline"}, 0));
  std::string text;
  if (bound[0].is_str()) {
    text = lang::TextOf(bound[0]);
  } else if (!bound[0].is_unset() && !bound[0].is_none()) {
    return lang::TypeError("initial_value must be str or None, not " +
                           std::string(lang::TypeName(bound[0])));
  }
  return host.heap().New<TextFile>(TextFile::Kind::kStringIo, std::move(text));
}

}  // namespace

Value MakeIoModule(Machine& machine) {
  const Value module = NewModule(machine, "io", {});
  ModuleOf(module).Add(
      "StringIO", NewType(machine, "_io.StringIO", MakeStringFile, [](const Value& value) {
        return Exactly<TextFile>(value) != nullptr && lang::TypeName(value) == "StringIO";
      }));
  return module;
}

}  // namespace espalier::script
