// StringParser: string literals. Joins adjacent ones, decodes escapes, and splits
// f-strings into their texts and replacement fields.
#pragma once

#include <string>
#include <vector>

#include "frontend_lang/script/syntax/expr_parser.h"

namespace espalier::script {

class StringParser {
 public:
  explicit StringParser(ExprParser& parser) : parser_(parser) {}

  // REQUIRES: the cursor is at a string token.
  const Expr* Strings();

 private:
  struct Literal {
    Span body;  // between the quotes
    bool raw = false, formatted = false, bytes = false;
  };
  enum class Nesting { kField, kSpec };  // a field of the string, or of its format spec

  Literal Split(const Token& token);
  void AddText(std::string_view text);
  void AddExpr(const Expr* expr, std::uint32_t at);
  void FlushText(std::uint32_t at);
  void Decode(Span span, bool raw);
  void DecodeBytes(Span span, bool raw);
  std::size_t DecodeEscape(std::string_view text, std::uint32_t at);
  std::size_t DecodeNumber(std::string_view text, std::size_t num_digits, std::uint32_t at);
  void Formatted(Span body, bool raw, Nesting nesting);
  std::uint32_t Field(Span span, bool raw, Nesting nesting);
  std::uint32_t FindExprEnd(Span span);
  const Expr* FieldExpr(Span span);
  const Expr* Spec(Span span, bool raw, std::uint32_t* end);
  void Fail(std::string message, Span span);
  std::string_view text() const { return parser_.source().text(); }

  ExprParser& parser_;
  std::vector<const Expr*> parts_;
  std::string pending_;           // text not yet in parts_
  std::uint32_t body_begin_ = 0;  // of the literal that is being read
};

}  // namespace espalier::script
