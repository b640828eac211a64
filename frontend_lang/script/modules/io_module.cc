// io: StringIO, a text that is written and read like a file.
#include <algorithm>
#include <string>

#include "frontend_lang/script/arguments.h"
#include "frontend_lang/script/containers.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/modules/step_iterator.h"
#include "frontend_lang/script/str.h"

namespace espalier::script {
namespace {

class StringFile final : public ContextManager {
 public:
  StringFile(Heap& heap, std::string text) : ContextManager(heap), text_(std::move(text)) {
    Recount();
  }

  std::string_view TypeName() const override { return "StringIO"; }
  Outcome<Value> Enter(Host&) override { return Value(this); }
  Fault Exit(Host&, const Value&) override {
    closed_ = true;
    return Fault();
  }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<Value> Iterate(Host& host) override {
    return host.heap().New<StepIterator>(
        "StringIO", [self = Value(this)](Host& h, Value& value) -> Outcome<bool> {
          auto& file = *static_cast<StringFile*>(self.object());
          const std::string line = file.TakeLine();
          value = lang::MakeStr(h.heap(), line);
          return !line.empty();
        });
  }

  Fault CheckOpen() const {
    return closed_ ? lang::ValueError("I/O operation on closed file") : Fault();
  }
  const std::string& text() const { return text_; }
  void Write(std::string_view piece) {
    text_.replace(at_, std::min(piece.size(), text_.size() - at_), piece);
    at_ += piece.size();
    Recount();
  }
  std::string TakeRest() { return text_.substr(std::exchange(at_, text_.size())); }
  std::string TakeLine() {
    const std::size_t newline = text_.find('\n', at_);
    const std::size_t end = newline == std::string::npos ? text_.size() : newline + 1;
    std::string line = text_.substr(at_, end - at_);
    at_ = end;
    return line;
  }
  void Rewind() { at_ = 0; }
  void Truncate() { text_.resize(at_); }
  void Close() { closed_ = true; }

 private:
  void Recount() { Charge(static_cast<std::int64_t>(sizeof(StringFile) + text_.capacity())); }

  std::string text_;
  std::size_t at_ = 0;
  bool closed_ = false;
};

StringFile& FileOf(const Value& self) { return *static_cast<StringFile*>(self.object()); }

Outcome<Value> Write(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("StringIO.write", args, 1, 1));
  ESP_TRY(FileOf(self).CheckOpen());
  const auto* text = args.positional[0].If<lang::Str>();
  if (text == nullptr) {
    return lang::TypeError("string argument expected, got '" +
                           std::string(lang::TypeName(args.positional[0])) + "'");
  }
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(FileOf(self).text().size())));
  FileOf(self).Write(text->bytes());
  return Value::Int(text->length());
}

Outcome<Value> GetValue(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("StringIO.getvalue", args, 0, 0));
  ESP_TRY(FileOf(self).CheckOpen());
  return lang::MakeStr(host.heap(), FileOf(self).text());
}

Outcome<Value> Read(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("read", args, 0, 0));
  ESP_TRY(FileOf(self).CheckOpen());
  return lang::MakeStr(host.heap(), FileOf(self).TakeRest());
}

Outcome<Value> ReadLine(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("readline", args, 0, 0));
  ESP_TRY(FileOf(self).CheckOpen());
  return lang::MakeStr(host.heap(), FileOf(self).TakeLine());
}

Outcome<Value> ReadLines(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("readlines", args, 0, 0));
  ESP_TRY(FileOf(self).CheckOpen());
  const Value made = host.heap().New<lang::List>();
  for (std::string line = FileOf(self).TakeLine(); !line.empty(); line = FileOf(self).TakeLine()) {
    ESP_TRY(host.Step());
    made.As<lang::List>()->Append(lang::MakeStr(host.heap(), std::move(line)));
  }
  return made;
}

Outcome<Value> Seek(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("StringIO.seek", args, 1, 1));
  ESP_TRY(FileOf(self).CheckOpen());
  if (!args.positional[0].is_integral() || args.positional[0].as_int() != 0) {
    return lang::Raise("NotImplementedError", "seek() goes to 0 only in the language");
  }
  FileOf(self).Rewind();
  return Value::Int(0);
}

Outcome<Value> Truncate(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("StringIO.truncate", args, 0, 1));
  FileOf(self).Truncate();
  return Value::Int(static_cast<std::int64_t>(FileOf(self).text().size()));
}

Outcome<Value> Close(Host&, const Value& self, const Args&) {
  FileOf(self).Close();
  return Value();
}
Outcome<Value> Flush(Host&, const Value&, const Args&) { return Value(); }

constexpr ModuleFunction kMethods[] = {
    {"write", Write},       {"getvalue", GetValue},   {"read", Read},
    {"readline", ReadLine}, {"readlines", ReadLines}, {"seek", Seek},
    {"truncate", Truncate}, {"close", Close},         {"flush", Flush},
};

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
  return host.heap().New<StringFile>(std::move(text));
}

Outcome<Value> StringFile::GetAttr(Host& host, std::string_view name) {
  if (name == "closed") return Value::Bool(closed_);
  for (const ModuleFunction& row : kMethods) {
    if (row.name == name) {
      return host.heap().New<lang::NativeFunction>(row.name, row.code, Value(this));
    }
  }
  return Value::Unset();
}

}  // namespace

Value MakeIoModule(Machine& machine) {
  const Value module = NewModule(machine, "io", {});
  ModuleOf(module).Add("StringIO",
                       NewType(machine, "_io.StringIO", MakeStringFile, [](const Value& value) {
                         return Exactly<StringFile>(value) != nullptr;
                       }));
  return module;
}

}  // namespace espalier::script
