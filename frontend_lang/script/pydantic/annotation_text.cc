#include "frontend_lang/script/pydantic/annotation_text.h"

#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

// type   := item ("|" item)*
// item   := atom ("." name | "[" list "]" | "(" arguments ")")*
// atom   := name | text | number | "..." | "[" list "]"
// The value of each is what Python's own operators make of its parts.
class AnnotationParser {
 public:
  AnnotationParser(Host& host, std::string_view text, ClassObject* around, Value names)
      : host_(host), text_(text), around_(around), names_(std::move(names)) {}

  Outcome<Value> Run() {
    ESP_TRY_ASSIGN(Value type, Type());
    Blanks();
    if (at_ < text_.size()) return Malformed();
    return type;
  }

 private:
  Fault Malformed() const {
    return lang::Raise("SyntaxError",
                       fmt::format("Forward reference must be an expression -- got '{}'", text_));
  }

  void Blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool Take(char c) {
    Blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  Outcome<Value> Type() {
    lang::NestedScope scope(host_);
    ESP_TRY(scope.Check());
    ESP_TRY_ASSIGN(Value type, Item());
    while (Take('|')) {
      ESP_TRY_ASSIGN(const Value other, Item());
      ESP_TRY_ASSIGN(type, lang::Binary(host_, lang::BinaryOp::kOr, type, other));
    }
    return type;
  }

  Outcome<Value> Item() {
    ESP_TRY_ASSIGN(Value item, Atom());
    for (;;) {
      if (Take('.')) {
        const std::string_view name = Word();
        if (name.empty() || !IsAllowedAttribute(name)) return Malformed();
        ESP_TRY_ASSIGN(item, lang::GetAttr(host_, item, name));
      } else if (Take('[')) {
        ESP_TRY_ASSIGN(auto items, List(']'));
        const Value key =
            items.size() == 1 ? items[0] : host_.heap().New<lang::Tuple>(std::move(items));
        ESP_TRY_ASSIGN(item, lang::GetItem(host_, item, key));
      } else if (Take('(')) {
        ESP_TRY_ASSIGN(item, Called(item));
      } else {
        return item;
      }
    }
  }

  // Field(gt=0) within Annotated.
  Outcome<Value> Called(const Value& callee) {
    std::vector<Value> positional;
    std::vector<lang::Keyword> keywords;
    while (!Take(')')) {
      Blanks();
      const std::size_t begin = at_;
      const std::string_view name = Word();
      if (!name.empty() && Take('=')) {
        ESP_TRY_ASSIGN(Value value, Type());
        keywords.push_back({name, std::move(value)});
      } else {
        at_ = begin;
        ESP_TRY_ASSIGN(Value value, Type());
        positional.push_back(std::move(value));
      }
      if (!Take(',') && (at_ == text_.size() || text_[at_] != ')')) return Malformed();
    }
    return host_.Call(callee, Args{positional, keywords});
  }

  Outcome<std::vector<Value>> List(char close) {
    std::vector<Value> items;
    while (!Take(close)) {
      ESP_TRY_ASSIGN(Value item, Type());
      items.push_back(std::move(item));
      if (!Take(',') && (at_ == text_.size() || text_[at_] != close)) return Malformed();
    }
    return items;
  }

  std::string_view Word() {
    Blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_' ||
            static_cast<unsigned char>(text_[at_]) >= 0x80)) {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  Outcome<Value> Atom() {
    ESP_TRY(host_.Step());
    Blanks();
    if (at_ == text_.size()) return Malformed();
    const char first = text_[at_];
    if (first == '\'' || first == '"') return Text(first);
    if (first == '[') {
      ++at_;
      ESP_TRY_ASSIGN(auto items, List(']'));
      return host_.heap().New<lang::List>(std::move(items));
    }
    if (text_.substr(at_, 3) == "...") {
      at_ += 3;
      return static_cast<Machine&>(host_).Builtin("Ellipsis");
    }
    if (first == '-' || std::isdigit(static_cast<unsigned char>(first)) != 0) return Number();
    const std::string_view name = Word();
    return name.empty() ? Outcome<Value>(Malformed()) : Named(name);
  }

  Outcome<Value> Text(char quote) {
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return Malformed();
    Value text = lang::MakeStr(host_.heap(), text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return text;
  }

  Outcome<Value> Number() {
    const char* const end = text_.data() + text_.size();
    std::int64_t whole = 0;
    const auto read = std::from_chars(text_.data() + at_, end, whole);
    if (read.ec != std::errc()) return Malformed();
    if (read.ptr == end || *read.ptr != '.') {
      at_ = static_cast<std::size_t>(read.ptr - text_.data());
      return Value::Int(whole);
    }
    double number = 0;
    const auto real = std::from_chars(text_.data() + at_, end, number);
    at_ = static_cast<std::size_t>(real.ptr - text_.data());
    return Value::Float(number);
  }

  Outcome<Value> Named(std::string_view name) {
    if (name == "None") return Value();
    if (name == "True" || name == "False") return Value::Bool(name == "True");
    if (const auto* names = names_.If<lang::Dict>()) {
      if (const Value* known = names->FindStr(name)) return *known;
    }
    if (around_ != nullptr && name == around_->name()) return Value(around_);
    auto& machine = static_cast<Machine&>(host_);
    Value found = machine.Global(name);
    if (found.is_unset()) found = machine.Builtin(name);
    if (!found.is_unset()) return found;
    return lang::Raise("NameError", fmt::format("name '{}' is not defined", name));
  }

  Host& host_;
  const std::string_view text_;
  ClassObject* const around_;
  const Value names_;
  std::size_t at_ = 0;
};

}  // namespace

Outcome<Value> EvaluateAnnotation(Host& host, std::string_view text, ClassObject* around,
                                  const Value& names) {
  const std::string held(text);  // evaluating may call back
  return AnnotationParser(host, held, around, names).Run();
}

}  // namespace espalier::script
