#include "frontend_lang/script/values/text/format_spec.h"

#include <algorithm>
#include <limits>

#include "kernels/base/utf8.h"

namespace espalier::lang {
namespace {

bool IsAlign(char c) { return c == '<' || c == '>' || c == '=' || c == '^'; }

// Reads a spec from left to right; each part is optional.
class SpecParser {
 public:
  SpecParser(std::string_view spec, std::string_view type_name)
      : spec_(spec), rest_(spec), type_name_(type_name) {}

  Outcome<FormatSpec> Parse() {
    ParseAlign();
    if (!rest_.empty() && (rest_[0] == '+' || rest_[0] == '-' || rest_[0] == ' ')) {
      result_.sign = rest_[0];
      rest_.remove_prefix(1);
    }
    result_.negative_zero = !TakeIf('z');
    result_.alternate = TakeIf('#');
    if (!has_fill_ && TakeIf('0')) {
      result_.fill = "0";
      if (result_.align == 0) result_.align = '0';  // '=' for numbers only
    }
    ESP_TRY_ASSIGN(result_.width, Number(0));
    ESP_TRY(ParseGrouping());
    if (TakeIf('.')) {
      if (rest_.empty() || rest_[0] < '0' || rest_[0] > '9') {
        return ValueError("Format specifier missing precision");
      }
      ESP_TRY_ASSIGN(result_.precision, Number(0));
    }
    return ParseType();
  }

 private:
  void ParseAlign() {
    const std::size_t first =
        rest_.empty()
            ? 0
            : static_cast<std::size_t>(CodePointBytes(static_cast<unsigned char>(rest_[0])));
    if (first < rest_.size() && IsAlign(rest_[first])) {
      has_fill_ = true;
      result_.fill = std::string(rest_.substr(0, first));
      result_.align = rest_[first];
      rest_.remove_prefix(first + 1);
    } else if (!rest_.empty() && IsAlign(rest_[0])) {
      result_.align = rest_[0];
      rest_.remove_prefix(1);
    }
  }

  Fault ParseGrouping() {
    for (const char c : {',', '_'}) {
      if (!TakeIf(c)) continue;
      if (result_.grouping != 0) return ValueError("Cannot specify both ',' and '_'.");
      result_.grouping = c;
    }
    if (result_.grouping == '_' && rest_.starts_with(',')) {
      return ValueError("Cannot specify both ',' and '_'.");
    }
    return Fault();
  }

  Outcome<FormatSpec> ParseType() {
    if (rest_.size() > 1) {
      const std::size_t first =
          static_cast<std::size_t>(CodePointBytes(static_cast<unsigned char>(rest_[0])));
      if (first < rest_.size()) {
        return ValueError("Invalid format specifier '" + std::string(spec_) +
                          "' for object of type '" + std::string(type_name_) + "'");
      }
      return ValueError("Unknown format code '" + std::string(rest_) + "' for object of type '" +
                        std::string(type_name_) + "'");
    }
    if (!rest_.empty()) result_.type = rest_[0];
    ESP_TRY(CheckGrouping());
    return result_;
  }

  Fault CheckGrouping() const {
    const std::string_view types = result_.grouping == '_' ? "deEfFgG%boxX" : "deEfFgG%";
    const bool groups = result_.grouping == 0 || result_.type == 0 ||
                        types.find(result_.type) != std::string_view::npos;
    if (groups) return Fault();
    return ValueError("Cannot specify '" + std::string(1, result_.grouping) + "' with '" +
                      std::string(1, result_.type) + "'.");
  }

  bool TakeIf(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  Outcome<std::int64_t> Number(std::int64_t absent) {
    std::int64_t number = absent;
    while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9') {
      if (number > std::numeric_limits<std::int64_t>::max() / 10 - 1) {
        return ValueError("Too many decimal digits in format string");
      }
      number = number * 10 + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return number;
  }

  std::string_view spec_, rest_, type_name_;
  FormatSpec result_;
  bool has_fill_ = false;
};

}  // namespace

Outcome<FormatSpec> ParseFormatSpec(std::string_view spec, std::string_view type_name) {
  return SpecParser(spec, type_name).Parse();
}

Outcome<std::string> Align(Host& host, const FormatSpec& spec, std::string_view prefix,
                           std::string_view body, char default_align) {
  const std::int64_t length = NumCodePoints(prefix) + NumCodePoints(body);
  const std::int64_t missing = std::max<std::int64_t>(0, spec.width - length);
  ESP_TRY(host.Reserve(missing, static_cast<std::int64_t>(spec.fill.size())));
  ESP_TRY(host.Step(missing / 256));
  char align = spec.align == 0 ? default_align : spec.align;
  if (align == '0') align = default_align == '>' ? '=' : default_align;
  const auto fill = [&](std::string& text, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) text += spec.fill;
  };
  std::string text;
  text.reserve(body.size() + prefix.size() + static_cast<std::size_t>(missing) * spec.fill.size());
  const std::int64_t before = align == '>' ? missing : align == '^' ? missing / 2 : 0;
  fill(text, before);
  text += prefix;
  if (align == '=') fill(text, missing);
  text += body;
  if (align != '=') fill(text, missing - before);
  return text;
}

}  // namespace espalier::lang
