// The part of ModelChecker that checks single values.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "frontend_lang/script/classes/enum_class.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/pydantic/model_checker.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r\f\v";
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  const std::size_t end = text.find_last_not_of(kBlanks);
  return end == std::string_view::npos ? "" : text.substr(begin, end - begin + 1);
}

// A call of a built-in type that fails where the text is none of its values.
Outcome<Value> Converted(Host& host, std::string_view type, Value text) {
  const Value callee = static_cast<Machine&>(host).Builtin(type);
  auto made = host.Call(callee, Args{{&text, 1}, {}});
  if (made.ok()) return made;
  if (made.error().kind != lang::LangError::Kind::kRaised) return made.TakeFault();
  return Value::Unset();
}

// "a, b or c"
std::string Alternatives(const std::vector<std::string>& texts) {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == texts.size() ? " or " : ", ") + texts[i];
  }
  return out;
}

Outcome<std::vector<std::string>> Reprs(Host& host, const std::vector<Value>& values) {
  std::vector<std::string> texts;
  for (const Value& value : values) {
    ESP_TRY_ASSIGN(std::string text, lang::Repr(host, value));
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace

Value ModelChecker::Wrong(std::string_view type, std::string message, const Value& input,
                          std::vector<std::pair<std::string_view, Value>> details) {
  Value dict = Value::Unset();
  if (!details.empty()) {
    dict = host_.heap().New<lang::Dict>();
    for (const auto& [name, value] : details) dict.As<lang::Dict>()->PutStr(name, value);
  }
  problems_.push_back({std::string(type), place_, std::move(message), input, std::move(dict)});
  return Value::Unset();
}

Value ModelChecker::WrongShape(std::string_view type, std::string_view python,
                               std::string_view json, const Value& input) {
  return Wrong(type, std::string(source_ == Source::kJson ? json : python), input);
}

Outcome<Value> ModelChecker::CheckNone(const Value& input) {
  if (input.is_none()) return input;
  return WrongShape("none_required", "Input should be None", "Input should be null", input);
}

Outcome<Value> ModelChecker::CheckBool(const Value& input) {
  if (input.is_bool()) return input;
  const Value plain = lang::PlainOf(input);
  if (mode_ != Mode::kLax || !(plain.is_number() || plain.is_str())) {
    return Wrong("bool_type", "Input should be a valid boolean", input);
  }
  constexpr std::string_view kTrue[] = {"1", "on", "t", "true", "y", "yes"};
  constexpr std::string_view kFalse[] = {"0", "off", "f", "false", "n", "no"};
  if (plain.is_str()) {
    std::string text(lang::TextOf(plain));
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    if (std::ranges::find(kTrue, text) != std::end(kTrue)) return Value::Bool(true);
    if (std::ranges::find(kFalse, text) != std::end(kFalse)) return Value::Bool(false);
  } else {
    const double number = plain.is_float()      ? plain.as_float()
                          : plain.is_integral() ? static_cast<double>(plain.as_int())
                                                : 2;
    if (number == 0 || number == 1) return Value::Bool(number == 1);
    if (plain.is_float() && number != std::floor(number)) {
      return Wrong("bool_type", "Input should be a valid boolean", input);
    }
  }
  return Wrong("bool_parsing", "Input should be a valid boolean, unable to interpret input", input);
}

Outcome<Value> ModelChecker::CheckInt(const Value& input) {
  const Value plain = lang::PlainOf(input);
  if (plain.is_bool() && mode_ == Mode::kLax) return Value::Int(plain.as_int());
  if (plain.is_integer() && !plain.is_bool()) return plain;
  if (mode_ != Mode::kLax) return Wrong("int_type", "Input should be a valid integer", input);
  if (plain.is_float()) {
    const double number = plain.as_float();
    if (!std::isfinite(number)) {
      return Wrong("finite_number", "Input should be a finite number", input);
    }
    if (number != std::floor(number)) {
      return Wrong("int_from_float",
                   "Input should be a valid integer, got a number with a fractional part", input);
    }
    return Converted(host_, "int", plain);
  }
  if (!plain.is_str()) return Wrong("int_type", "Input should be a valid integer", input);
  std::string_view text = Trimmed(lang::TextOf(plain));
  if (const std::size_t dot = text.find('.'); dot != std::string_view::npos && dot > 0 &&
                                              text.find_first_not_of('0', dot + 1) == text.npos) {
    text = text.substr(0, dot);
  }
  ESP_TRY_ASSIGN(Value made, Converted(host_, "int", lang::MakeStr(host_.heap(), text)));
  if (!made.is_unset()) return made;
  return Wrong("int_parsing",
               "Input should be a valid integer, unable to parse string as an integer", input);
}

Outcome<Value> ModelChecker::CheckFloat(const Value& input) {
  const Value plain = lang::PlainOf(input);
  if (plain.is_float()) return plain;
  if (plain.is_integer() && !plain.is_bool() && mode_ != Mode::kExact)
    return Converted(host_, "float", plain);
  if (mode_ != Mode::kLax || !(plain.is_bool() || plain.is_str())) {
    return Wrong("float_type", "Input should be a valid number", input);
  }
  ESP_TRY_ASSIGN(Value made, Converted(host_, "float", plain));
  if (!made.is_unset()) return made;
  return Wrong("float_parsing",
               "Input should be a valid number, unable to parse string as a number", input);
}

Outcome<Value> ModelChecker::CheckStr(const FieldType& type, const Value& input) {
  const Value plain = lang::PlainOf(input);
  const bool number =
      numbers_to_str_ && mode_ == Mode::kLax && plain.is_number() && !plain.is_bool();
  if (!number && (!plain.is_str() || (mode_ != Mode::kLax && !input.is_str()))) {
    return Wrong("string_type", "Input should be a valid string", input);
  }
  ESP_TRY_ASSIGN(std::string text, lang::Text(host_, plain));
  const Constraints& own = type.constraints;
  if (own.strip || texts_.strip) text = Trimmed(text);
  const bool lower = own.lower || texts_.lower, upper = own.upper || texts_.upper;
  Value made = lang::MakeStr(host_.heap(), std::move(text));
  ESP_TRY_ASSIGN(made, CheckText(texts_, made, input));
  if (made.is_unset()) return made;
  ESP_TRY_ASSIGN(made, CheckText(own, made, input));
  if (made.is_unset() || !(lower || upper)) return made;
  return lang::CallAttr(host_, made, lower ? "lower" : "upper", {});
}

// Dates and what else JSON has as text are read by a module of the language itself.
Outcome<Value> ModelChecker::CheckMoment(const FieldType& type, const Value& input) {
  const auto* instance = input.If<Instance>();
  const auto& cls = *type.cls.As<ClassObject>();
  if (instance != nullptr && &instance->cls() == &cls) return input;
  if (mode_ != Mode::kLax && source_ == Source::kPython) {
    return Wrong("is_instance_of", "Input should be an instance of " + cls.name(), input,
                 {{"class", lang::MakeStr(host_.heap(), cls.name())}});
  }
  ESP_TRY_ASSIGN(const Value module, static_cast<Machine&>(host_).Import("pydantic._text"));
  const Value args[] = {lang::MakeStr(host_.heap(), cls.name()), input};
  ESP_TRY_ASSIGN(const Value read, lang::CallAttr(host_, module, "read", Args{args, {}}));
  const auto& parts = *read.As<lang::Tuple>();
  if (parts[1].is_none()) return parts[0];
  return Wrong(lang::TextOf(parts[1]), std::string(lang::TextOf(parts[2])), input);
}

Outcome<Value> ModelChecker::CheckLiteral(const FieldType& type, const Value& input) {
  const Value plain = lang::PlainOf(input);
  for (const Value& literal : type.literals) {
    if (literal.is_bool() != plain.is_bool() || literal.is_float() != plain.is_float()) continue;
    ESP_TRY_ASSIGN(const bool same, lang::Same(host_, literal, input));
    if (same) return literal;
  }
  ESP_TRY_ASSIGN(const auto texts, Reprs(host_, type.literals));
  const std::string expected = Alternatives(texts);
  return Wrong("literal_error", "Input should be " + expected, input,
               {{"expected", lang::MakeStr(host_.heap(), expected)}});
}

// The member of an IntEnum that "2" or 2.0 tells; Unset: none.
Outcome<Value> ModelChecker::MemberOfNumber(const FieldType& type, const Value& input) {
  const auto* carried = Exactly<TypeObject>(type.cls.As<ClassObject>()->payload_type());
  if (carried == nullptr || carried->name() != "int" || mode_ != Mode::kLax) return Value::Unset();
  const std::size_t num_problems = problems_.size();
  ESP_TRY_ASSIGN(const Value number, CheckInt(input));
  problems_.resize(num_problems);
  if (number.is_unset()) return number;
  auto found = host_.Call(type.cls, Args{{&number, 1}, {}});
  if (!found.ok() && IsA(found.error(), "ValueError")) return Value::Unset();
  return found;
}

Value ModelChecker::AsEnumValue(const Value& member) const {
  return enum_values_ ? ValueOfMember(member) : member;
}

Outcome<Value> ModelChecker::CheckEnum(const FieldType& type, const Value& input) {
  auto& cls = *type.cls.As<ClassObject>();
  const auto* instance = input.If<Instance>();
  if (instance != nullptr && instance->cls().DerivesFrom(cls)) return AsEnumValue(input);
  if (mode_ == Mode::kLax || source_ == Source::kJson) {
    auto found = host_.Call(type.cls, Args{{&input, 1}, {}});
    if (found.ok()) return AsEnumValue(*found);
    if (!IsA(found.error(), "ValueError") && !IsA(found.error(), "TypeError")) {
      return found.TakeFault();
    }
    ESP_TRY_ASSIGN(found, MemberOfNumber(type, input));
    if (!found->is_unset()) return AsEnumValue(*found);
  }
  std::vector<Value> values;
  for (const Value& member : MembersOf(cls)->in_order) values.push_back(ValueOfMember(member));
  ESP_TRY_ASSIGN(const auto texts, Reprs(host_, values));
  const std::string expected = Alternatives(texts);
  return Wrong("enum", "Input should be " + expected, input,
               {{"expected", lang::MakeStr(host_.heap(), expected)}});
}

Outcome<Value> ModelChecker::CheckBounds(const Constraints& limits, const Value& value,
                                         const Value& input) {
  struct Bound {
    const Value& limit;
    lang::CompareOp op;
    std::string_view type, text, name;
  };
  if (!limits.multiple_of.is_unset()) {
    ESP_TRY_ASSIGN(const Value rest,
                   lang::Binary(host_, lang::BinaryOp::kMod, value, limits.multiple_of));
    ESP_TRY_ASSIGN(const bool uneven, lang::Truth(host_, rest));
    if (uneven) {
      ESP_TRY_ASSIGN(const std::string text, lang::Text(host_, limits.multiple_of));
      return Wrong("multiple_of", "Input should be a multiple of " + text, input,
                   {{"multiple_of", limits.multiple_of}});
    }
  }
  const Bound bounds[] = {
      {limits.le, lang::CompareOp::kLe, "less_than_equal", "less than or equal to", "le"},
      {limits.lt, lang::CompareOp::kLt, "less_than", "less than", "lt"},
      {limits.ge, lang::CompareOp::kGe, "greater_than_equal", "greater than or equal to", "ge"},
      {limits.gt, lang::CompareOp::kGt, "greater_than", "greater than", "gt"},
  };
  for (const Bound& bound : bounds) {
    if (bound.limit.is_unset()) continue;
    ESP_TRY_ASSIGN(const bool holds, lang::Compare(host_, bound.op, value, bound.limit));
    if (holds) continue;
    ESP_TRY_ASSIGN(std::string text, lang::Text(host_, bound.limit));
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return Wrong(bound.type, fmt::format("Input should be {} {}", bound.text, text), input,
                 {{bound.name, bound.limit}});
  }
  return value;
}

Outcome<Value> ModelChecker::CheckText(const Constraints& limits, const Value& value,
                                       const Value& input) {
  const std::int64_t length = value.As<lang::Str>()->length();
  const auto plural = [](std::int64_t count) { return count == 1 ? "" : "s"; };
  if (limits.min_length && length < *limits.min_length) {
    return Wrong("string_too_short",
                 fmt::format("String should have at least {} character{}", *limits.min_length,
                             plural(*limits.min_length)),
                 input, {{"min_length", Value::Int(*limits.min_length)}});
  }
  if (limits.max_length && length > *limits.max_length) {
    return Wrong("string_too_long",
                 fmt::format("String should have at most {} character{}", *limits.max_length,
                             plural(*limits.max_length)),
                 input, {{"max_length", Value::Int(*limits.max_length)}});
  }
  if (!limits.pattern) return value;
  ESP_TRY_ASSIGN(const Value re, static_cast<Machine&>(host_).Import("re"));
  if (re.is_unset()) return lang::Raise("RuntimeError", "patterns need the module re");
  const Value args[] = {lang::MakeStr(host_.heap(), *limits.pattern), value};
  ESP_TRY_ASSIGN(const Value match, lang::CallAttr(host_, re, "search", Args{args, {}}));
  if (!match.is_none()) return value;
  return Wrong("string_pattern_mismatch",
               fmt::format("String should match pattern '{}'", *limits.pattern), input,
               {{"pattern", args[0]}});
}

}  // namespace espalier::script
