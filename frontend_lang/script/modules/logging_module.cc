// logging and warnings: lines on stderr. A logger has a level of its own or that of the
// root; there are no handlers and formats beyond basicConfig's default.
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/percent_format.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

constexpr std::pair<std::string_view, int> kLevels[] = {
    {"NOTSET", 0}, {"DEBUG", 10}, {"INFO", 20}, {"WARNING", 30}, {"ERROR", 40}, {"CRITICAL", 50},
};
constexpr int kWarning = 30;

std::string LevelName(std::int64_t level) {
  for (const auto& [name, number] : kLevels) {
    if (number == level) return std::string(name);
  }
  return "Level " + std::to_string(level);
}

Outcome<std::int64_t> LevelOf(const Value& value) {
  if (value.is_integral()) return value.as_int();
  if (value.is_str()) {
    for (const auto& [name, number] : kLevels) {
      if (name == lang::TextOf(value)) return std::int64_t{number};
    }
    return lang::ValueError("Unknown level: " + lang::ReprStr(lang::TextOf(value)));
  }
  return lang::TypeError("Level not an integer or a valid string");
}

class Logger final : public lang::Extension {
 public:
  // `root`: Unset for the root itself.
  Logger(Heap& heap, std::string name, Value root)
      : Extension(heap, lang::Type::kExtension), name_(std::move(name)), root_(std::move(root)) {}

  std::string_view TypeName() const override { return "Logger"; }
  Outcome<std::string> Repr(Host&) override {
    return "<Logger " + name_ + " (" + LevelName(level()) + ")>";
  }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

  const std::string& name() const { return name_; }
  std::int64_t level() const {
    if (level_ != 0 || root_.is_unset()) return level_ == 0 ? kWarning : level_;
    return static_cast<const Logger*>(root_.object())->level();
  }
  void SetLevel(std::int64_t level) { level_ = level; }

 private:
  void Clear() override { root_ = Value::Unset(); }

  std::string name_;
  Value root_;
  std::int64_t level_ = 0;  // 0: the root's
};

Logger& LoggerOf(const Value& self) { return *static_cast<Logger*>(self.object()); }

// self: the logger. The message is a % format where arguments follow.
Outcome<Value> Log(Host& host, const Value& self, std::int64_t level, const Args& args) {
  if (args.positional.empty()) {
    return lang::TypeError("Logger.info() missing 1 required positional argument: 'msg'");
  }
  const Logger& logger = LoggerOf(self);
  if (level < logger.level()) return Value();
  Value message = args.positional[0];
  if (args.positional.size() > 1) {
    const auto rest = args.positional.subspan(1);
    const Value tuple = host.heap().New<lang::Tuple>(std::vector<Value>(rest.begin(), rest.end()));
    ESP_TRY_ASSIGN(std::string format, lang::Text(host, message));
    ESP_TRY_ASSIGN(message,
                   lang::PercentFormat(host, lang::MakeStr(host.heap(), std::move(format)), tuple));
  }
  ESP_TRY_ASSIGN(const std::string text, lang::Text(host, message));
  static_cast<Machine&>(host).PrintError(LevelName(level) + ":" + logger.name() + ":" + text +
                                         "\n");
  return Value();
}

template <int level>
Outcome<Value> LogAt(Host& host, const Value& self, const Args& args) {
  return Log(host, self, level, args);
}

Outcome<Value> LogWith(Host& host, const Value& self, const Args& args) {
  if (args.positional.empty()) return lang::TypeError("log() missing the level");
  ESP_TRY_ASSIGN(const std::int64_t level, LevelOf(args.positional[0]));
  return Log(host, self, level, {args.positional.subspan(1), args.keywords});
}

Outcome<Value> SetLevel(Host&, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("setLevel", args, {"level"}, 1));
  ESP_TRY_ASSIGN(const std::int64_t level, LevelOf(bound[0]));
  LoggerOf(self).SetLevel(level);
  return Value();
}

Outcome<Value> IsEnabledFor(Host&, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("isEnabledFor", args, {"level"}, 1));
  ESP_TRY_ASSIGN(const std::int64_t level, LevelOf(bound[0]));
  return Value::Bool(level >= LoggerOf(self).level());
}

Outcome<Value> Ignore(Host&, const Value&, const Args&) { return Value(); }

constexpr ModuleFunction kLoggerMethods[] = {
    {"debug", LogAt<10>},   {"info", LogAt<20>},     {"warning", LogAt<30>},
    {"error", LogAt<40>},   {"critical", LogAt<50>}, {"exception", LogAt<40>},
    {"log", LogWith},       {"setLevel", SetLevel},  {"isEnabledFor", IsEnabledFor},
    {"addHandler", Ignore},
};

// self: the root logger.
Outcome<Value> GetLogger(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("getLogger", args, {"name"}, 0));
  if (bound[0].is_unset() || bound[0].is_none()) return self;
  if (!bound[0].is_str()) return lang::TypeError("A logger name must be a string");
  return host.heap().New<Logger>(std::string(lang::TextOf(bound[0])), self);
}

Outcome<Value> BasicConfig(Host&, const Value& self, const Args& args) {
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name != "level") continue;
    ESP_TRY_ASSIGN(const std::int64_t level, LevelOf(keyword.value));
    LoggerOf(self).SetLevel(level);
  }
  return Value();
}

Outcome<Value> Warn(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("warn", args, {"message", "category", "stacklevel", "source"}, 1));
  std::string kind = "UserWarning";
  if (const auto* type = Exactly<ErrorType>(bound[1])) kind = type->kind().name;
  ESP_TRY_ASSIGN(const std::string text, lang::Text(host, bound[0]));
  static_cast<Machine&>(host).PrintError(kind + ": " + text + "\n");
  return Value();
}

}  // namespace

Outcome<Value> Logger::GetAttr(Host& host, std::string_view name) {
  if (name == "name") return lang::MakeStr(host.heap(), name_);
  if (name == "level") return Value::Int(level_);
  for (const ModuleFunction& row : kLoggerMethods) {
    if (row.name == name) {
      return host.heap().New<lang::NativeFunction>(row.name, row.code, Value(this));
    }
  }
  return Value::Unset();
}

Value MakeLoggingModule(Machine& machine) {
  Heap& heap = machine.heap();
  const Value value = NewModule(machine, "logging", {});
  Module& module = ModuleOf(value);
  const Value root = heap.New<Logger>("root", Value::Unset());
  constexpr ModuleFunction kFunctions[] = {{"getLogger", GetLogger}, {"basicConfig", BasicConfig}};
  for (const ModuleFunction& row : kFunctions) {
    module.Add(row.name, heap.New<lang::NativeFunction>(row.name, row.code, root));
  }
  for (const ModuleFunction& row : kLoggerMethods) {
    module.Add(row.name, heap.New<lang::NativeFunction>(row.name, row.code, root));
  }
  for (const auto& [name, level] : kLevels) module.Add(name, Value::Int(level));
  return value;
}

Value MakeWarningsModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {
      {"warn", Warn}, {"filterwarnings", Ignore}, {"simplefilter", Ignore}};
  return NewModule(machine, "warnings", kFunctions);
}

}  // namespace espalier::script
