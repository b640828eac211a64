// argparse, as far as programs use it to name their options: ArgumentParser,
// add_argument, parse_args. A program has no command line, so parse_args() gives the
// defaults, or reads the list that it is given.
#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/modules/step_iterator.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;
using Values = std::vector<Value>;

// What parse_args gives: the values by name.
class Namespace final : public lang::Extension {
 public:
  explicit Namespace(Heap& heap)
      : Extension(heap, lang::Type::kExtension), values_(heap.New<lang::Dict>()) {}

  lang::Dict& values() const { return *values_.As<lang::Dict>(); }

  std::string_view TypeName() const override { return "Namespace"; }
  Outcome<std::string> Repr(Host& host) override {
    std::string text;
    for (std::size_t at = 0; const auto* entry = values().EntryAt(at); ++at) {
      ESP_TRY_ASSIGN(const std::string value, lang::Repr(host, entry->value));
      if (!entry->key.is_str()) continue;
      text += (text.empty() ? "" : ", ") + std::string(lang::TextOf(entry->key)) + "=" + value;
    }
    return "Namespace(" + text + ")";
  }
  Outcome<bool> Equals(Host& host, const Value& other) override {
    const auto* names = Exactly<Namespace>(other);
    if (names == nullptr) return false;
    return lang::Equals(host, values_, names->values_);
  }
  Outcome<Value> GetAttr(Host&, std::string_view name) override {
    if (name == "__dict__") return values_;  // for vars(); no program may say it
    const Value* found = values().FindStr(name);
    return found == nullptr ? Value::Unset() : *found;
  }
  Outcome<bool> SetAttr(Host&, std::string_view name, Value value) override {
    values().PutStr(name, std::move(value));
    return true;
  }
  Outcome<Value> Contains(Host&, const Value& name) override {
    return Value::Bool(name.is_str() && values().FindStr(lang::TextOf(name)) != nullptr);
  }

 private:
  void Clear() override { values_ = heap().New<lang::Dict>(); }

  Value values_;
};

enum class Action : unsigned char { kStore, kTrue, kFalse, kCount, kAppend };

struct Argument {
  std::vector<std::string> flags;  // "--n", "-n"; none: positional
  std::string name;                // in the namespace
  Action action = Action::kStore;
  Value type, default_value, choices;
  char count = 0;  // nargs: 0 one, ? * +
  bool required = false;
};

class ArgumentParser final : public lang::Extension {
 public:
  explicit ArgumentParser(Heap& heap) : Extension(heap, lang::Type::kExtension) {}

  std::string_view TypeName() const override { return "ArgumentParser"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

  Fault Add(Host& host, const Args& args);
  Outcome<Value> Parse(Host& host, const std::vector<std::string>& words);

 private:
  void Clear() override { arguments_.clear(); }
  Argument* FindFlag(std::string_view flag);
  Fault Take(Host& host, Namespace& into, Argument& argument, const std::vector<std::string>& words,
             std::size_t& at);
  Outcome<Value> Convert(Host& host, const Argument& argument, const std::string& word);
  Fault Complain(Host& host, std::string message);

  std::deque<Argument> arguments_;  // a type= function may add more while one is in use
};

Fault ReadOption(Host& host, const lang::Keyword& keyword, Argument& argument) {
  const Value& value = keyword.value;
  if (keyword.name == "type") {
    argument.type = value;
  } else if (keyword.name == "default") {
    argument.default_value = value;
  } else if (keyword.name == "choices") {
    argument.choices = value;
  } else if (keyword.name == "required") {
    ESP_TRY_ASSIGN(argument.required, lang::Truth(host, value));
  } else if (keyword.name == "dest" && value.is_str()) {
    argument.name = lang::TextOf(value);
  } else if (keyword.name == "nargs" && value.is_str() && lang::TextOf(value).size() == 1) {
    argument.count = lang::TextOf(value)[0];
  } else if (keyword.name == "action" && value.is_str()) {
    const std::string_view action = lang::TextOf(value);
    if (action == "store_true") {
      argument.action = Action::kTrue;
    } else if (action == "store_false") {
      argument.action = Action::kFalse;
    } else if (action == "count") {
      argument.action = Action::kCount;
    } else if (action == "append") {
      argument.action = Action::kAppend;
    } else if (action != "store") {
      return lang::ValueError("unknown action \"" + std::string(action) + "\"");
    }
  } else if (keyword.name != "help" && keyword.name != "metavar") {
    return TypeError("add_argument() does not know the option '" + std::string(keyword.name) +
                     "' here");
  }
  return Fault();
}

Fault ArgumentParser::Add(Host& host, const Args& args) {
  Argument argument;
  for (const Value& value : args.positional) {
    if (!value.is_str()) return TypeError("the name of an argument must be a str");
    const std::string word(lang::TextOf(value));
    if (word.starts_with('-')) {
      argument.flags.push_back(word);
    } else {
      argument.name = word;
    }
  }
  for (const std::string& flag : argument.flags) {
    const std::string name = flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
    if (argument.name.empty() || flag.starts_with("--")) {
      argument.name = name;
      if (flag.starts_with("--")) break;
    }
  }
  if (!argument.flags.empty()) std::ranges::replace(argument.name, '-', '_');
  argument.default_value = Value::Unset();
  for (const lang::Keyword& keyword : args.keywords) ESP_TRY(ReadOption(host, keyword, argument));
  if (argument.default_value.is_unset()) {
    argument.default_value = argument.action == Action::kTrue    ? Value::Bool(false)
                             : argument.action == Action::kFalse ? Value::Bool(true)
                                                                 : Value();
  }
  arguments_.push_back(std::move(argument));
  return Fault();
}

Argument* ArgumentParser::FindFlag(std::string_view flag) {
  for (Argument& argument : arguments_) {
    if (std::ranges::find(argument.flags, flag) != argument.flags.end()) return &argument;
  }
  return nullptr;
}

// As CPython's parser ends a program: the message on stderr, then SystemExit(2).
Fault ArgumentParser::Complain(Host& host, std::string message) {
  auto& machine = static_cast<Machine&>(host);
  machine.PrintError("error: " + message + "\n");
  const Value code = Value::Int(2);
  ESP_TRY_ASSIGN(Value error, CallOne(host, machine.Builtin("SystemExit"), code));
  return Fault(
      lang::LangError{"SystemExit", "2", lang::LangError::Kind::kRaised, std::move(error)});
}

Outcome<Value> ArgumentParser::Convert(Host& host, const Argument& argument,
                                       const std::string& word) {
  Value value = lang::MakeStr(host.heap(), word);
  const std::string shown = argument.flags.empty() ? argument.name : argument.flags[0];
  if (!argument.type.is_none()) {
    auto converted = CallOne(host, argument.type, value);
    if (!converted.ok() && !IsA(converted.error(), "ValueError") &&
        !IsA(converted.error(), "TypeError")) {
      return converted.TakeFault();
    }
    if (!converted.ok()) {
      return Complain(host,
                      fmt::format("argument {}: invalid value: {}", shown, lang::ReprStr(word)));
    }
    value = std::move(*converted);
  }
  if (!argument.choices.is_none()) {
    ESP_TRY_ASSIGN(const bool known, lang::Contains(host, argument.choices, value));
    if (!known) {
      return Complain(host,
                      fmt::format("argument {}: invalid choice: {}", shown, lang::ReprStr(word)));
    }
  }
  return value;
}

// Reads the words of one argument from `at` on.
Fault ArgumentParser::Take(Host& host, Namespace& into, Argument& argument,
                           const std::vector<std::string>& words, std::size_t& at) {
  const auto put = [&](Value value) { into.values().PutStr(argument.name, std::move(value)); };
  if (argument.action == Action::kTrue || argument.action == Action::kFalse) {
    put(Value::Bool(argument.action == Action::kTrue));
    return Fault();
  }
  if (argument.action == Action::kCount) {
    const Value* old = into.values().FindStr(argument.name);
    put(Value::Int(old != nullptr && old->is_integral() ? old->as_int() + 1 : 1));
    return Fault();
  }
  const bool many = argument.count == '*' || argument.count == '+';
  Values values;
  while (at < words.size() && (many || values.empty())) {
    const bool is_flag = words[at].size() > 1 && words[at][0] == '-' && FindFlag(words[at]);
    if (is_flag) break;
    ESP_TRY_ASSIGN(Value value, Convert(host, argument, words[at++]));
    values.push_back(std::move(value));
  }
  if (many && (argument.count == '*' || !values.empty())) {
    put(host.heap().New<lang::List>(std::move(values)));
    return Fault();
  }
  if (values.empty()) {
    if (argument.count == '?') return Fault();
    return Complain(host, fmt::format("argument {}: expected one argument", argument.name));
  }
  if (argument.action != Action::kAppend) {
    put(std::move(values[0]));
    return Fault();
  }
  const Value* old = into.values().FindStr(argument.name);
  Values all;
  if (old != nullptr && old->If<lang::List>()) all = old->As<lang::List>()->items();
  all.push_back(std::move(values[0]));
  put(host.heap().New<lang::List>(std::move(all)));
  return Fault();
}

Outcome<Value> ArgumentParser::Parse(Host& host, const std::vector<std::string>& given) {
  const Value made = host.heap().New<Namespace>();
  auto& into = *static_cast<Namespace*>(made.object());
  for (const Argument& argument : arguments_) {
    into.values().PutStr(argument.name, argument.default_value);
  }
  std::vector<std::string> words;  // with --name=value in two
  for (const std::string& word : given) {
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    words.push_back(word.substr(0, equals));
    if (equals != std::string::npos) words.push_back(word.substr(equals + 1));
  }
  std::vector<std::string> seen;
  std::size_t next_positional = 0;
  for (std::size_t at = 0; at < words.size();) {
    ESP_TRY(host.Step());
    Argument* argument = FindFlag(words[at]);
    if (argument != nullptr) {
      ++at;
    } else {
      while (next_positional < arguments_.size() && !arguments_[next_positional].flags.empty()) {
        ++next_positional;
      }
      if (next_positional == arguments_.size()) {
        return Complain(host, "unrecognized arguments: " + words[at]);
      }
      argument = &arguments_[next_positional++];
    }
    seen.push_back(argument->name);
    ESP_TRY(Take(host, into, *argument, words, at));
  }
  std::string missing;
  for (const Argument& argument : arguments_) {
    const bool needed = argument.required ||
                        (argument.flags.empty() && argument.count != '?' && argument.count != '*');
    if (!needed || std::ranges::find(seen, argument.name) != seen.end()) continue;
    missing += (missing.empty() ? "" : ", ") +
               (argument.flags.empty() ? argument.name : argument.flags[0]);
  }
  if (!missing.empty()) {
    return Complain(host, "the following arguments are required: " + missing);
  }
  return made;
}

ArgumentParser& ParserOf(const Value& self) { return *static_cast<ArgumentParser*>(self.object()); }

Outcome<Value> AddArgument(Host& host, const Value& self, const Args& args) {
  ESP_TRY(ParserOf(self).Add(host, args));
  return Value();
}

Outcome<Value> ParseArgs(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("parse_args", args, {"args", "namespace"}, 0));
  std::vector<std::string> words;
  if (!bound[0].is_unset() && !bound[0].is_none()) {
    ESP_TRY(lang::ForEach(host, bound[0], [&](const Value& word) -> Fault {
      if (!word.is_str()) return TypeError("the arguments must be strings");
      words.emplace_back(lang::TextOf(word));
      return Fault();
    }));
  }
  const Value held = self;
  return ParserOf(held).Parse(host, words);
}

Outcome<Value> SetDefaults(Host& host, const Value& self, const Args& args) {
  for (const lang::Keyword& keyword : args.keywords) {
    const Value name = lang::MakeStr(host.heap(), "--" + std::string(keyword.name));
    const lang::Keyword value{"default", keyword.value};
    ESP_TRY(ParserOf(self).Add(host, {{&name, 1}, {&value, 1}}));
  }
  return Value();
}

// A group is the parser itself.
Outcome<Value> AddGroup(Host&, const Value& self, const Args&) { return self; }

constexpr ModuleFunction kMethods[] = {
    {"add_argument", AddArgument},
    {"parse_args", ParseArgs},
    {"set_defaults", SetDefaults},
    {"add_argument_group", AddGroup},
};

Outcome<Value> ArgumentParser::GetAttr(Host& host, std::string_view name) {
  for (const ModuleFunction& row : kMethods) {
    if (row.name == name) {
      return host.heap().New<lang::NativeFunction>(row.name, row.code, Value(this));
    }
  }
  return Value::Unset();
}

Outcome<Value> MakeParser(Host& host, const Value&, const Args&) {
  return host.heap().New<ArgumentParser>();
}

Outcome<Value> MakeNamespace(Host& host, const Value&, const Args& args) {
  const Value made = host.heap().New<Namespace>();
  for (const lang::Keyword& keyword : args.keywords) {
    static_cast<Namespace*>(made.object())->values().PutStr(keyword.name, keyword.value);
  }
  return made;
}

}  // namespace

Value MakeArgparseModule(Machine& machine) {
  const Value module = NewModule(machine, "argparse", {});
  ModuleOf(module).Add("ArgumentParser",
                       NewType(machine, "argparse.ArgumentParser", MakeParser, [](const Value& v) {
                         return Exactly<ArgumentParser>(v) != nullptr;
                       }));
  ModuleOf(module).Add("Namespace",
                       NewType(machine, "argparse.Namespace", MakeNamespace,
                               [](const Value& v) { return Exactly<Namespace>(v) != nullptr; }));
  return module;
}

}  // namespace espalier::script
