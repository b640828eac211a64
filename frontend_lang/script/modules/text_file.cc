#include "frontend_lang/script/modules/text_file.h"

#include <algorithm>
#include <limits>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/modules/step_iterator.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

namespace espalier::script {
namespace {

TextFile& FileOf(const Value& self) { return *static_cast<TextFile*>(self.object()); }

Outcome<Value> Write(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("StringIO.write", args, 1, 1));
  ESP_TRY(FileOf(self).CheckOpen());
  ESP_TRY(FileOf(self).CheckWritable());
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
  ESP_TRY(CheckPositional("read", args, 0, 1));
  ESP_TRY(FileOf(self).CheckOpen());
  std::int64_t most = -1;
  if (!args.positional.empty() && !args.positional[0].is_none()) {
    ESP_TRY_ASSIGN(most, IndexArgument(args.positional[0]));
  }
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(FileOf(self).text().size())));
  const std::size_t count =
      most < 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(most);
  return lang::MakeStr(host.heap(), FileOf(self).Take(count));
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
  ESP_TRY(FileOf(self).CheckWritable());
  if (args.positional.empty() || args.positional[0].is_none()) {
    FileOf(self).Truncate();
  } else {
    ESP_TRY_ASSIGN(const std::int64_t size, IndexArgument(args.positional[0]));
    if (size < 0) {
      return lang::ValueError("Negative size value " + std::to_string(size));
    }
    FileOf(self).Truncate(static_cast<std::size_t>(size));
    return Value::Int(size);
  }
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

}  // namespace

TextFile::TextFile(Heap& heap, Kind kind, std::string text, std::string name)
    : ContextManager(heap), kind_(kind), text_(std::move(text)), name_(std::move(name)) {
  Recount();
}

void TextFile::Recount() { Charge(static_cast<std::int64_t>(sizeof(TextFile) + text_.capacity())); }

void TextFile::Truncate(std::size_t num_code_points) {
  std::size_t end = 0;
  while (num_code_points-- > 0 && end < text_.size()) NextCodePoint(text_, end);
  text_.resize(end);
  at_ = std::min(at_, end);
}

Fault TextFile::CheckOpen() const {
  return closed_ ? lang::ValueError("I/O operation on closed file" +
                                    std::string(kind_ == Kind::kStringIo ? "" : "."))
                 : Fault();
}

Fault TextFile::CheckWritable() const {
  return kind_ == Kind::kStringIo ? Fault() : lang::Raise("OSError", "not writable");
}

void TextFile::Write(std::string_view piece) {
  text_.replace(at_, std::min(piece.size(), text_.size() - at_), piece);
  at_ += piece.size();
  Recount();
}

std::string TextFile::Take(std::size_t num_code_points) {
  std::size_t end = at_;
  if (num_code_points >= text_.size() - at_) {
    end = text_.size();
  } else {
    for (; num_code_points > 0 && end < text_.size(); --num_code_points) {
      end += static_cast<std::size_t>(CodePointBytes(static_cast<unsigned char>(text_[end])));
    }
  }
  std::string taken = text_.substr(at_, end - at_);
  at_ = end;
  return taken;
}

std::string TextFile::TakeLine() {
  const std::size_t newline = text_.find('\n', at_);
  const std::size_t end = newline == std::string::npos ? text_.size() : newline + 1;
  std::string line = text_.substr(at_, end - at_);
  at_ = end;
  return line;
}

Outcome<std::string> TextFile::Repr(Host&) {
  if (kind_ == Kind::kStringIo) return std::string("<_io.StringIO object>");
  return "<_io.TextIOWrapper name=" + lang::ReprStr(name_) + " mode='r' encoding='UTF-8'>";
}

Outcome<Value> TextFile::Iterate(Host& host) {
  ESP_TRY(CheckOpen());
  return host.heap().New<StepIterator>(
      TypeName(), [self = Value(this)](Host& h, Value& value) -> Outcome<bool> {
        std::string line = FileOf(self).TakeLine();
        const bool more = !line.empty();
        value = lang::MakeStr(h.heap(), std::move(line));
        return more;
      });
}

Outcome<Value> TextFile::GetAttr(Host& host, std::string_view name) {
  if (name == "closed") return Value::Bool(closed_);
  if (name == "name" && kind_ == Kind::kReadOnly) return lang::MakeStr(host.heap(), name_);
  if (name == "getvalue" && kind_ == Kind::kReadOnly) return Value::Unset();
  for (const ModuleFunction& row : kMethods) {
    if (row.name == name) {
      return host.heap().New<lang::NativeFunction>(row.name, row.code, Value(this));
    }
  }
  return Value::Unset();
}

}  // namespace espalier::script
