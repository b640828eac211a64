#include "frontend_lang/script/values/text/percent_format.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "frontend_lang/script/values/as_number.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/format_spec.h"
#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/text_convert.h"
#include "kernels/base/utf8.h"

namespace espalier::lang {
namespace {

struct Conversion {
  bool left = false, zero = false;  // flags - and 0
  bool plus = false, blank = false, alternate = false;
  std::int64_t width = 0;
  std::int64_t precision = -1;  // -1: none
  char type = 0;
};

bool HasItems(const Value& value) {
  return value.If<Dict>() != nullptr || value.If<List>() != nullptr || value.is_extension();
}

class PercentWriter {
 public:
  PercentWriter(Host& host, std::string_view format, const Value& arguments)
      : host_(host),
        format_(format),
        arguments_(arguments),
        tuple_(PlainOf(arguments).If<Tuple>()),
        mapping_(tuple_ == nullptr && HasItems(PlainOf(arguments))) {}

  Outcome<std::string> Write();

 private:
  Fault WriteConversion();
  Outcome<Conversion> ParseConversion();
  Fault ParseKey();
  Outcome<std::int64_t> ParseNumber(Conversion& conversion);
  Outcome<Value> NextArgument();

  Outcome<std::string> Convert(const Conversion& conversion, const Value& value);
  Outcome<std::string> ConvertInt(const Conversion& conversion, const Value& value);
  Outcome<std::string> ConvertFloat(const Conversion& conversion, const Value& value);
  Outcome<std::string> ConvertChar(const Conversion& conversion, const Value& value);
  Outcome<std::string> Pad(const Conversion& conversion, bool negative, std::string_view prefix,
                           std::string_view digits);
  Outcome<std::string> PadText(const Conversion& conversion, std::string_view text);

  Host& host_;
  std::string_view format_;
  const Value& arguments_;
  const Tuple* tuple_;
  const bool mapping_;            // keys may be used; unused arguments are no error
  Value keyed_ = Value::Unset();  // the argument that %(key) chose
  std::size_t at_ = 0;
  std::int64_t next_ = 0;
  std::string out_;
};

Outcome<std::string> PercentWriter::Write() {
  while (at_ < format_.size()) {
    const std::size_t percent = std::min(format_.find('%', at_), format_.size());
    out_ += format_.substr(at_, percent - at_);
    at_ = percent + 1;
    if (percent == format_.size()) break;
    ESP_TRY(host_.Step());
    ESP_TRY(host_.Reserve(static_cast<std::int64_t>(out_.size())));
    ESP_TRY(WriteConversion());
  }
  const std::int64_t given = tuple_ != nullptr ? tuple_->size() : mapping_ ? 0 : 1;
  if (next_ < given) {
    return TypeError("not all arguments converted during string formatting");
  }
  return std::move(out_);
}

Fault PercentWriter::WriteConversion() {
  if (at_ == format_.size()) return ValueError("incomplete format");
  if (format_[at_] == '%') {
    out_ += format_[at_++];
    return Fault();
  }
  keyed_ = Value::Unset();
  ESP_TRY_ASSIGN(const Conversion conversion, ParseConversion());
  ESP_TRY_ASSIGN(const Value value, NextArgument());
  ESP_TRY_ASSIGN(const std::string text, Convert(conversion, value));
  out_ += text;
  return Fault();
}

Fault PercentWriter::ParseKey() {
  if (at_ >= format_.size() || format_[at_] != '(') return Fault();
  if (!mapping_) return TypeError("format requires a mapping");
  int depth = 1;
  std::size_t end = at_ + 1;
  for (; end < format_.size(); ++end) {
    depth += format_[end] == '(' ? 1 : format_[end] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  if (end == format_.size()) return ValueError("incomplete format key");
  const Value key = MakeStr(host_.heap(), format_.substr(at_ + 1, end - at_ - 1));
  ESP_TRY_ASSIGN(keyed_, GetItem(host_, arguments_, key));
  at_ = end + 1;
  return Fault();
}

// A number, or a * that takes the next argument; -1 when there is neither.
Outcome<std::int64_t> PercentWriter::ParseNumber(Conversion& conversion) {
  if (at_ < format_.size() && format_[at_] == '*') {
    ++at_;
    ESP_TRY_ASSIGN(const Value value, NextArgument());
    if (!value.is_integral()) return TypeError("* wants int");
    if (value.as_int() >= 0) return value.as_int();
    conversion.left = true;
    return value.as_int() == std::numeric_limits<std::int64_t>::min() ? 0 : -value.as_int();
  }
  std::int64_t number = -1;
  for (; at_ < format_.size() && format_[at_] >= '0' && format_[at_] <= '9'; ++at_) {
    number = std::max<std::int64_t>(number, 0) * 10 + (format_[at_] - '0');
    if (number > std::numeric_limits<int>::max()) return ValueError("width too big");
  }
  return number;
}

Outcome<Conversion> PercentWriter::ParseConversion() {
  Conversion conversion;
  ESP_TRY(ParseKey());
  for (bool flag = true; flag && at_ < format_.size();) {
    switch (format_[at_]) {
      case '-': conversion.left = true; break;
      case '0': conversion.zero = true; break;
      case '+': conversion.plus = true; break;
      case ' ': conversion.blank = true; break;
      case '#': conversion.alternate = true; break;
      default: flag = false;
    }
    if (flag) ++at_;
  }
  ESP_TRY_ASSIGN(conversion.width, ParseNumber(conversion));
  if (at_ < format_.size() && format_[at_] == '.') {
    ++at_;
    ESP_TRY_ASSIGN(conversion.precision, ParseNumber(conversion));
    if (conversion.precision < 0) conversion.precision = 0;
  }
  if (at_ < format_.size() &&
      std::string_view("hlL").find(format_[at_]) != std::string_view::npos) {
    ++at_;
  }
  if (at_ == format_.size()) return ValueError("incomplete format");
  conversion.type = format_[at_++];
  return conversion;
}

Outcome<Value> PercentWriter::NextArgument() {
  if (!keyed_.is_unset()) {
    if (tuple_ == nullptr) next_ = 1;  // the mapping itself is no argument any more
    return keyed_;
  }
  if (tuple_ != nullptr && next_ < tuple_->size()) return (*tuple_)[next_++];
  if (tuple_ == nullptr && next_ == 0) {
    ++next_;
    return arguments_;
  }
  return TypeError("not enough arguments for format string");
}

Outcome<std::string> PercentWriter::Convert(const Conversion& conversion, const Value& value) {
  switch (conversion.type) {
    case 's':
    case 'r':
    case 'a': {
      ESP_TRY_ASSIGN(const std::string text, ConvertText(host_, value, conversion.type));
      return PadText(conversion, text);
    }
    case 'c': return ConvertChar(conversion, value);
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X': return ConvertInt(conversion, value);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': return ConvertFloat(conversion, value);
    default: break;
  }
  char code[16];
  std::snprintf(code, sizeof code, "%x", static_cast<unsigned char>(conversion.type));
  return ValueError("unsupported format character '" + std::string(1, conversion.type) + "' (0x" +
                    code + ") at index " +
                    std::to_string(NumCodePoints(format_.substr(0, at_ - 1))));
}

Outcome<std::string> PercentWriter::ConvertInt(const Conversion& conversion, const Value& value) {
  const std::string code(1, conversion.type);
  const bool decimal = conversion.type == 'd' || conversion.type == 'i' || conversion.type == 'u';
  ESP_TRY_ASSIGN(Value number, AsInteger(host_, value));
  if (!number.is_integer() && decimal) {
    ESP_TRY_ASSIGN(number, AsReal(host_, value));
  }
  if (number.is_float() && decimal) {
    ESP_TRY_ASSIGN(number, IntegerFromDouble(host_, number.as_float()));
  } else if (!number.is_integer()) {
    return TypeError(
        "%" + code + " format: " +
        (decimal ? "a real number is required, not " : "an integer is required, not ") +
        std::string(TypeName(value)));
  }
  ESP_TRY_ASSIGN(std::string digits, IntDigits(host_, number, decimal ? 'd' : conversion.type));
  const std::int64_t zeros = conversion.precision - static_cast<std::int64_t>(digits.size());
  if (zeros > 0) {
    ESP_TRY(host_.Reserve(zeros));
    digits.insert(0, static_cast<std::size_t>(zeros), '0');
  }
  return Pad(conversion, IntegerView(number).negative(),
             conversion.alternate && !decimal ? "0" + code : "", digits);
}

Outcome<std::string> PercentWriter::ConvertFloat(const Conversion& conversion, const Value& value) {
  ESP_TRY_ASSIGN(const Value real, AsReal(host_, value));
  if (!real.is_number()) {
    return TypeError("must be real number, not " + std::string(TypeName(value)));
  }
  double number = real.as_float();
  if (!real.is_float()) {
    ESP_TRY_ASSIGN(number, IntegerToDouble(real));
  }
  ESP_TRY_ASSIGN(const std::string digits,
                 FloatDigits(host_, std::fabs(number),
                             {.type = conversion.type,
                              .precision = conversion.precision < 0 ? 6 : conversion.precision,
                              .alternate = conversion.alternate}));
  return Pad(conversion, std::signbit(number) && !std::isnan(number), "", digits);
}

Outcome<std::string> PercentWriter::ConvertChar(const Conversion& given, const Value& argument) {
  const Value& value = PlainOf(argument);
  Conversion conversion = given;
  conversion.precision = -1;
  if (value.is_str() && value.As<Str>()->length() == 1) return PadText(conversion, TextOf(value));
  if (!value.is_integer()) return TypeError("%c requires int or char");
  if (!value.is_integral() || value.as_int() < 0 || value.as_int() >= 0x110000) {
    return Raise("OverflowError", "%c arg not in range(0x110000)");
  }
  std::string text;
  AppendCodePoint(text, static_cast<char32_t>(value.as_int()));
  return PadText(conversion, RepairUtf8(text));
}

Outcome<std::string> PercentWriter::Pad(const Conversion& conversion, bool negative,
                                        std::string_view prefix, std::string_view digits) {
  FormatSpec spec;
  spec.width = conversion.width;
  spec.align = conversion.left ? '<' : conversion.zero ? '=' : '>';
  if (spec.align == '=') spec.fill = "0";
  const std::string sign = negative          ? "-"
                           : conversion.plus ? "+"
                                             : std::string(conversion.blank ? " " : "");
  return Align(host_, spec, sign + std::string(prefix), digits, '>');
}

Outcome<std::string> PercentWriter::PadText(const Conversion& conversion, std::string_view text) {
  std::size_t end = text.size();
  if (conversion.precision >= 0) {
    end = 0;
    for (std::int64_t i = 0; i < conversion.precision && end < text.size(); ++i) {
      NextCodePoint(text, end);
    }
  }
  FormatSpec spec;
  spec.width = conversion.width;
  spec.align = conversion.left ? '<' : '>';
  return Align(host_, spec, "", text.substr(0, end), '>');
}

}  // namespace

Outcome<Value> PercentFormat(Host& host, const Value& format, const Value& arguments) {
  PercentWriter writer(host, TextOf(format), arguments);
  ESP_TRY_ASSIGN(std::string text, writer.Write());
  return MakeValidStr(host.heap(), std::move(text));
}

}  // namespace espalier::lang
