#include <algorithm>
#include <charconv>
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/modules/json_text.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/number_parse.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

namespace espalier::script {
namespace {

class JsonReader {
 public:
  JsonReader(Host& host, std::string_view text, const JsonHooks& hooks)
      : host_(host), text_(text), hooks_(hooks) {}

  Outcome<JsonPrefix> Prefix(std::size_t begin) {
    at_ = begin;
    ESP_TRY_ASSIGN(Value value, ReadValue());
    return JsonPrefix{std::move(value), at_};
  }

  Outcome<Value> Document() {
    SkipBlanks();
    ESP_TRY_ASSIGN(Value value, ReadValue());
    SkipBlanks();
    if (at_ < text_.size()) return Error("Extra data", at_);
    return value;
  }

 private:
  Fault Error(std::string_view what, std::size_t at);
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void SkipBlanks() {
    while (at_ < text_.size() &&
           std::string_view(" \t\n\r").find(text_[at_]) != std::string::npos) {
      ++at_;
    }
  }
  bool AcceptWord(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  Outcome<Value> ReadValue();
  Outcome<Value> CallHook(const Value& hook, std::string_view text);
  Outcome<Value> ReadConstant(std::string_view word, double value);
  Outcome<Value> ReadNumber();
  Outcome<Value> Finished(Value object);
  Outcome<Value> ReadString();
  Fault ReadEscape(std::string& out, std::size_t begin);
  Outcome<char32_t> ReadHex();
  Outcome<Value> ReadArray();
  Outcome<Value> ReadObject();

  Host& host_;
  std::string_view text_;
  const JsonHooks& hooks_;
  std::size_t at_ = 0;
};

Fault JsonReader::Error(std::string_view what, std::size_t at) {
  const std::string_view before = text_.substr(0, at);
  const std::size_t newline = before.rfind('\n');
  const std::string_view last = newline == before.npos ? before : before.substr(newline + 1);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::int64_t column = NumCodePoints(last) + 1;
  const std::int64_t position = NumCodePoints(before);
  const Status status(Code::kInvalidArgument, "");
  Fault fault =
      RaiseStatus(host_.heap(), "JSONDecodeError", status,
                  fmt::format("{}: line {} column {} (char {})", what, line, column, position));
  auto* object = Exactly<ErrorObject>(fault.error().object);
  object->attributes = host_.heap().New<lang::Dict>();
  auto& attributes = *object->attributes.As<lang::Dict>();
  attributes.PutStr("msg", lang::MakeStr(host_.heap(), what));
  attributes.PutStr("doc", lang::MakeStr(host_.heap(), text_));
  attributes.PutStr("pos", Value::Int(position));
  attributes.PutStr("lineno", Value::Int(line));
  attributes.PutStr("colno", Value::Int(column));
  return fault;
}

Outcome<Value> JsonReader::ReadValue() {
  ESP_TRY(host_.Step());
  switch (Peek()) {
    case '"': return ReadString();
    case '[': return ReadArray();
    case '{': return ReadObject();
    default: break;
  }
  if (AcceptWord("null")) return Value();
  if (AcceptWord("true")) return Value::Bool(true);
  if (AcceptWord("false")) return Value::Bool(false);
  if (AcceptWord("NaN")) return ReadConstant("NaN", __builtin_nan(""));
  if (AcceptWord("Infinity")) return ReadConstant("Infinity", __builtin_inf());
  if (AcceptWord("-Infinity")) return ReadConstant("-Infinity", -__builtin_inf());
  return ReadNumber();
}

Outcome<Value> JsonReader::CallHook(const Value& hook, std::string_view text) {
  const Value argument = lang::MakeStr(host_.heap(), text);
  return host_.Call(hook, Args{{&argument, 1}, {}});
}

Outcome<Value> JsonReader::ReadConstant(std::string_view word, double value) {
  if (!hooks_.parse_constant.is_none()) return CallHook(hooks_.parse_constant, word);
  return Value::Float(value);
}

Outcome<Value> JsonReader::ReadNumber() {
  const std::size_t begin = at_;
  const auto digits = [this] {
    const std::size_t first = at_;
    while (Peek() >= '0' && Peek() <= '9') ++at_;
    return at_ > first;
  };
  if (Peek() == '-') ++at_;
  const bool zero = Peek() == '0';
  if (zero) {
    ++at_;
  } else if (!digits()) {
    at_ = begin;
    return Error("Expecting value", begin);
  }
  bool is_float = false;
  std::size_t whole = at_;
  if (Peek() == '.') {
    ++at_;
    is_float = digits();
    if (!is_float) at_ = whole;
  }
  whole = at_;
  if (Peek() == 'e' || Peek() == 'E') {
    ++at_;
    if (Peek() == '+' || Peek() == '-') ++at_;
    if (digits()) {
      is_float = true;
    } else {
      at_ = whole;
    }
  }
  const std::string number(text_.substr(begin, at_ - begin));
  const Value& hook = is_float ? hooks_.parse_float : hooks_.parse_int;
  if (!hook.is_none()) return CallHook(hook, number);
  if (!is_float) return lang::ParseInt(host_, number, 10);
  return Value::Float(std::strtod(number.c_str(), nullptr));
}

Outcome<char32_t> JsonReader::ReadHex() {
  unsigned point = 0;
  const char* first = text_.data() + at_;
  // Four digits and, since no string ends here, one more character.
  const auto read = text_.size() - at_ <= 4 ? std::from_chars_result{first, std::errc()}
                                            : std::from_chars(first, first + 4, point, 16);
  if (read.ptr != first + 4) return Error("Invalid \\uXXXX escape", at_ - 1);
  at_ += 4;
  return static_cast<char32_t>(point);
}

Fault JsonReader::ReadEscape(std::string& out, std::size_t begin) {
  constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
  if (at_ >= text_.size()) return Error("Unterminated string starting at", begin);
  const char c = text_[at_];
  if (const std::size_t simple = kFrom.find(c); simple != kFrom.npos) {
    out += kTo[simple];
    ++at_;
    return Fault();
  }
  if (c != 'u') return Error("Invalid \\escape", at_ - 1);
  ++at_;
  ESP_TRY_ASSIGN(char32_t point, ReadHex());
  if (point >= 0xD800 && point < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
    const std::size_t back = at_;
    at_ += 2;
    ESP_TRY_ASSIGN(const char32_t low, ReadHex());
    if (low >= 0xDC00 && low < 0xE000) {
      point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    } else {
      at_ = back;
    }
  }
  AppendCodePoint(out, point >= 0xD800 && point < 0xE000 ? 0xFFFD : point);
  return Fault();
}

Outcome<Value> JsonReader::ReadString() {
  const std::size_t begin = at_++;
  std::string out;
  for (;;) {
    const std::size_t plain = at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' &&
           (static_cast<unsigned char>(text_[at_]) >= 0x20 || !hooks_.strict)) {
      ++at_;
    }
    out += text_.substr(plain, at_ - plain);
    if (at_ >= text_.size()) return Error("Unterminated string starting at", begin);
    const char c = text_[at_];
    if (c != '"' && c != '\\') return Error("Invalid control character at", at_);
    ++at_;
    if (c == '"') return lang::MakeStr(host_.heap(), std::move(out));
    ESP_TRY(ReadEscape(out, begin));
  }
}

Outcome<Value> JsonReader::ReadArray() {
  lang::NestedScope scope(host_);
  ESP_TRY(scope.Check());
  ++at_;
  Value made = host_.heap().New<lang::List>();
  SkipBlanks();
  if (Peek() == ']') return ++at_, made;
  for (;;) {
    ESP_TRY_ASSIGN(Value item, ReadValue());
    made.As<lang::List>()->Append(std::move(item));
    SkipBlanks();
    if (Peek() == ']') return ++at_, made;
    if (Peek() != ',') return Error("Expecting ',' delimiter", at_);
    ++at_;
    SkipBlanks();
  }
}

// The pairs of an object, in a list when a hook wants them all, as the program wants it.
Outcome<Value> JsonReader::Finished(Value object) {
  const Value& hook =
      hooks_.object_pairs_hook.is_none() ? hooks_.object_hook : hooks_.object_pairs_hook;
  if (hook.is_none()) return object;
  return host_.Call(hook, Args{{&object, 1}, {}});
}

Outcome<Value> JsonReader::ReadObject() {
  constexpr std::string_view kName = "Expecting property name enclosed in double quotes";
  lang::NestedScope scope(host_);
  ESP_TRY(scope.Check());
  ++at_;
  const bool as_pairs = !hooks_.object_pairs_hook.is_none();
  Value made = as_pairs ? host_.heap().New<lang::List>() : host_.heap().New<lang::Dict>();
  SkipBlanks();
  if (Peek() == '}') return ++at_, Finished(std::move(made));
  for (;;) {
    if (Peek() != '"') return Error(kName, at_);
    ESP_TRY_ASSIGN(const Value key, ReadString());
    SkipBlanks();
    if (Peek() != ':') return Error("Expecting ':' delimiter", at_);
    ++at_;
    SkipBlanks();
    ESP_TRY_ASSIGN(Value value, ReadValue());
    if (as_pairs) {
      made.As<lang::List>()->Append(
          host_.heap().New<lang::Tuple>(std::vector<Value>{key, std::move(value)}));
    } else {
      ESP_TRY(made.As<lang::Dict>()->Put(host_, key, std::move(value)));
    }
    SkipBlanks();
    if (Peek() == '}') return ++at_, Finished(std::move(made));
    if (Peek() != ',') return Error("Expecting ',' delimiter", at_);
    ++at_;
    SkipBlanks();
  }
}

}  // namespace

Outcome<Value> ReadJson(Host& host, std::string_view text, const JsonHooks& hooks) {
  return JsonReader(host, text, hooks).Document();
}

Outcome<JsonPrefix> ReadJsonPrefix(Host& host, std::string_view text, std::size_t begin,
                                   const JsonHooks& hooks) {
  return JsonReader(host, text, hooks).Prefix(begin);
}

}  // namespace espalier::script
