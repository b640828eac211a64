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
  ESP_TRY(CheckPositional("seek", args, 1, 1));
  ESP_TRY(FileOf(self).CheckOpen());
  if (!args.positional[0].is_integral() || args.positional[0].as_int() != 0) {
    return lang::Raise("NotImplementedError", "seek() goes to 0 only in the language");
  }
  FileOf(self).Rewind();
  return Value::Int(0);
}

// The io module has the error's class; here is what it says.
Outcome<Value> Refuse(Host&, const Value&, const Args&) {
  return lang::Raise("OSError", "not writable");
}

Outcome<Value> Close(Host&, const Value& self, const Args&) {
  FileOf(self).Close();
  return Value();
}
Outcome<Value> Flush(Host&, const Value&, const Args&) { return Value(); }

constexpr ModuleFunction kMethods[] = {
    {"read", Read},   {"readline", ReadLine}, {"readlines", ReadLines}, {"seek", Seek},
    {"close", Close}, {"flush", Flush},       {"write", Refuse},
};

}  // namespace

TextFile::TextFile(Heap& heap, std::string text, std::string name)
    : ContextManager(heap), text_(std::move(text)), name_(std::move(name)) {
  Charge(static_cast<std::int64_t>(sizeof(TextFile) + text_.capacity()));
}

Fault TextFile::CheckOpen() const {
  return closed_ ? lang::ValueError("I/O operation on closed file.") : Fault();
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
  return "<_io.TextIOWrapper name=" + lang::ReprStr(name_) + " mode='r' encoding='UTF-8'>";
}

Outcome<Value> TextFile::Iterate(Host& host) {
  ESP_TRY(CheckOpen());
  return host.heap().New<StepIterator>(
      "TextIOWrapper", [self = Value(this)](Host& h, Value& value) -> Outcome<bool> {
        std::string line = FileOf(self).TakeLine();
        const bool more = !line.empty();
        value = lang::MakeStr(h.heap(), std::move(line));
        return more;
      });
}

Outcome<Value> TextFile::GetAttr(Host& host, std::string_view name) {
  if (name == "closed") return Value::Bool(closed_);
  if (name == "name") return lang::MakeStr(host.heap(), name_);
  for (const ModuleFunction& row : kMethods) {
    if (row.name == name) {
      return host.heap().New<lang::NativeFunction>(row.name, row.code, Value(this));
    }
  }
  return Value::Unset();
}

}  // namespace espalier::script
