// Tokens of a Jinja template.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace espalier::jinja {

enum class TokenKind : std::uint8_t {
  kText,        // template text outside tags; white space control is already applied
  kPrintBegin,  // {{
  kPrintEnd,    // }}
  kBlockBegin,  // {%
  kBlockEnd,    // %}
  kName,
  kInt,
  kFloat,
  kString,
  kOperator,
  kEnd,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;  // of a kString: its value; of a kInt: its digits
  int base = 10;     // of a kInt
  int line = 1, column = 1;

  bool IsName(std::string_view name) const { return kind == TokenKind::kName && text == name; }
  bool IsOperator(std::string_view symbol) const {
    return kind == TokenKind::kOperator && text == symbol;
  }
};

}  // namespace espalier::jinja
