// sys: the streams, exit, and a few facts.
#include <limits>
#include <string>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

// sys.stdout and sys.stderr.
class OutputStream final : public lang::Extension {
 public:
  enum class Kind : unsigned char { kOutput, kError };

  OutputStream(Heap& heap, Kind kind) : Extension(heap, lang::Type::kExtension), kind_(kind) {}
  std::string_view TypeName() const override { return "TextIOWrapper"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override {
    Heap& heap = host.heap();
    if (name == "write") return heap.New<lang::NativeFunction>("write", Write, Value(this));
    if (name == "flush") return heap.New<lang::NativeFunction>("flush", Flush, Value(this));
    if (name == "isatty") return heap.New<lang::NativeFunction>("isatty", IsTerminal, Value(this));
    if (name == "encoding") return lang::MakeStr(heap, std::string("utf-8"));
    return Value::Unset();
  }

 private:
  static Outcome<Value> Write(Host& host, const Value& self, const Args& args) {
    if (args.positional.size() != 1) {
      return lang::TypeError("TextIOWrapper.write() takes exactly one argument (" +
                             std::to_string(args.positional.size()) + " given)");
    }
    const auto* text = args.positional[0].If<lang::Str>();
    if (text == nullptr) {
      return lang::TypeError("write() argument must be str, not " +
                             std::string(lang::TypeName(args.positional[0])));
    }
    auto& machine = static_cast<Machine&>(host);
    const bool is_error = Exactly<OutputStream>(self)->kind_ == Kind::kError;
    is_error ? machine.PrintError(text->bytes()) : machine.Print(text->bytes());
    return Value::Int(text->length());
  }
  static Outcome<Value> Flush(Host&, const Value&, const Args&) { return Value(); }
  static Outcome<Value> IsTerminal(Host&, const Value&, const Args&) { return Value::Bool(false); }

  Kind kind_;
};

// (3, 11, ...): the version whose behaviour the language has.
class VersionTuple final : public lang::Extension {
 public:
  explicit VersionTuple(Heap& heap)
      : Extension(heap, lang::Type::kExtension),
        parts_(heap.New<lang::Tuple>(
            std::vector<Value>{Value::Int(3), Value::Int(11), Value::Int(0),
                               lang::MakeStr(heap, std::string("final")), Value::Int(0)})) {}

  std::string_view TypeName() const override { return "sys.version_info"; }
  Outcome<Value> GetAttr(Host&, std::string_view name) override {
    if (name == "major") return Value::Int(3);
    if (name == "minor") return Value::Int(11);
    if (name == "micro") return Value::Int(0);
    return Value::Unset();
  }
  Outcome<Value> GetItem(Host& host, const Value& key) override {
    return lang::GetItem(host, parts_, key);
  }
  Outcome<Value> Length(Host&) override { return Value::Int(5); }
  Outcome<Value> Iterate(Host& host) override { return lang::Iterate(host, parts_); }
  Outcome<Value> Compare(Host& host, lang::CompareOp op, const Value& other) override {
    return lang::CompareValue(host, op, parts_, other);
  }
  Outcome<std::string> Repr(Host&) override {
    return std::string(
        "sys.version_info(major=3, minor=11, micro=0, releaselevel='final', serial=0)");
  }

 private:
  void Clear() override { parts_ = heap().New<lang::Tuple>(); }

  Value parts_;
};

Outcome<Value> RecursionLimit(Host& host, const Value&, const Args&) {
  return Value::Int(static_cast<Machine&>(host).max_depth());
}

// The limit is the run's; a program that asks for more is not told off for it.
Outcome<Value> SetRecursionLimit(Host&, const Value&, const Args& args) {
  if (args.positional.size() != 1) {
    return lang::TypeError("sys.setrecursionlimit() takes exactly one argument (" +
                           std::to_string(args.positional.size()) + " given)");
  }
  ESP_TRY_ASSIGN([[maybe_unused]] const std::int64_t limit, IndexArgument(args.positional[0]));
  return Value();
}

// (type, error, traceback) of the error whose handler runs.
Outcome<Value> ExcInfo(Host& host, const Value&, const Args&) {
  auto& machine = static_cast<Machine&>(host);
  const std::vector<Value>& handled = machine.task().handled;
  std::vector<Value> parts(3);
  if (!handled.empty() && !handled.back().is_unset() && !handled.back().is_none()) {
    parts[1] = handled.back();
    ESP_TRY_ASSIGN(parts[0], machine.Call(machine.Builtin("type"), {{&parts[1], 1}, {}}));
    ESP_TRY_ASSIGN(parts[2], lang::GetAttr(host, parts[1], "__traceback__"));
  }
  return host.heap().New<lang::Tuple>(std::move(parts));
}

Outcome<Value> SizeOf(Host&, const Value&, const Args&) {
  return lang::Raise("NotImplementedError", "sys.getsizeof() is not in the language");
}

Outcome<Value> DefaultEncoding(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("getdefaultencoding", args, 0, 0));
  return lang::MakeStr(host.heap(), std::string("utf-8"));
}

// intern(text): texts are compared by what they hold.
Outcome<Value> Intern(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("intern", args, 1, 1));
  if (args.positional[0].is_str()) return args.positional[0];
  return lang::TypeError("intern() argument must be str, not " +
                         std::string(lang::TypeName(args.positional[0])));
}

Value FloatInfo(Heap& heap) {
  using Limits = std::numeric_limits<double>;
  const Value facts = heap.New<Module>("sys.float_info");
  const std::pair<std::string_view, Value> kFacts[] = {
      {"max", Value::Float(Limits::max())},
      {"max_exp", Value::Int(Limits::max_exponent)},
      {"max_10_exp", Value::Int(Limits::max_exponent10)},
      {"min", Value::Float(Limits::min())},
      {"min_exp", Value::Int(Limits::min_exponent)},
      {"min_10_exp", Value::Int(Limits::min_exponent10)},
      {"dig", Value::Int(Limits::digits10)},
      {"mant_dig", Value::Int(Limits::digits)},
      {"epsilon", Value::Float(Limits::epsilon())},
      {"radix", Value::Int(Limits::radix)},
      {"rounds", Value::Int(1)}};
  for (const auto& [name, value] : kFacts) ModuleOf(facts).Add(name, value);
  return facts;
}

}  // namespace

Value MakeSysModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {{"getrecursionlimit", RecursionLimit},
                                           {"setrecursionlimit", SetRecursionLimit},
                                           {"exc_info", ExcInfo},
                                           {"getdefaultencoding", DefaultEncoding},
                                           {"intern", Intern},
                                           {"getsizeof", SizeOf}};
  Heap& heap = machine.heap();
  const Value module = NewModule(machine, "sys", kFunctions);
  ModuleOf(module).Add("stdout", heap.New<OutputStream>(OutputStream::Kind::kOutput));
  ModuleOf(module).Add("stderr", heap.New<OutputStream>(OutputStream::Kind::kError));
  ModuleOf(module).Add("exit", machine.Builtin("exit"));
  ModuleOf(module).Add("argv", heap.New<lang::List>(std::vector<Value>{
                                   lang::MakeStr(heap, machine.program().source->name())}));
  ModuleOf(module).Add("maxsize", Value::Int(std::numeric_limits<std::int64_t>::max()));
  ModuleOf(module).Add("version_info", heap.New<VersionTuple>());
  ModuleOf(module).Add("version", lang::MakeStr(heap, std::string("3.11.0")));
  ModuleOf(module).Add("byteorder", lang::MakeStr(heap, std::string("little")));
  ModuleOf(module).Add("executable", lang::MakeStr(heap, std::string()));
  ModuleOf(module).Add("maxunicode", Value::Int(0x10FFFF));
  ModuleOf(module).Add("path", heap.New<lang::List>());
  ModuleOf(module).Add("modules", heap.New<lang::Dict>());
  ModuleOf(module).Add("float_info", FloatInfo(heap));
  ModuleOf(module).Add("platform", lang::MakeStr(heap, std::string("linux")));
  return module;
}

}  // namespace espalier::script
