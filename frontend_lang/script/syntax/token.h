// Token: a word of the language, and the one list of its keywords and operators.
#pragma once

#include <cstdint>
#include <string_view>

#include "frontend_lang/script/syntax/source.h"

namespace espalier::script {

enum class TokenKind : std::uint8_t {
  // clang-format off
  kEnd, kError, kNewline, kIndent, kDedent, kName, kInt, kFloat, kString,
  // Keywords.
  kFalse, kNone, kTrue, kAnd, kAs, kAssert, kAsync, kAwait, kBreak, kClass, kContinue, kDef, kDel,
  kElif, kElse, kExcept, kFinally, kFor, kFrom, kGlobal, kIf, kImport, kIn, kIs, kLambda, kNonlocal,
  kNot, kOr, kPass, kRaise, kReturn, kTry, kWhile, kWith, kYield,
  // Operators and punctuation.
  kLeftParen, kRightParen, kLeftBracket, kRightBracket, kLeftBrace, kRightBrace, kComma, kColon,
  kSemicolon, kDot, kEllipsis, kAt, kArrow, kWalrus, kAssign,
  kPlus, kMinus, kStar, kSlash, kDoubleSlash, kPercent, kPower, kShiftLeft, kShiftRight, kAmpersand,
  kPipe, kCaret, kTilde,
  kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual,
  kPlusAssign, kMinusAssign, kStarAssign, kSlashAssign, kDoubleSlashAssign, kPercentAssign,
  kPowerAssign, kShiftLeftAssign, kShiftRightAssign, kAmpersandAssign, kPipeAssign, kCaretAssign,
  kAtAssign,
  // clang-format on
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  Span span;
};

// The keyword that `word` is, or kName.
TokenKind KeywordOf(std::string_view word);

// The longest operator that `text` begins with, or kError; *length is its length.
TokenKind OperatorAt(std::string_view text, std::uint32_t* length);

// How the token is written, for error messages: "if", "**=".
std::string_view Spelling(TokenKind kind);

}  // namespace espalier::script
