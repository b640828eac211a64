#include "frontend_lang/script/syntax/token.h"

#include <algorithm>
#include <array>
#include <utility>

namespace espalier::script {
namespace {

using K = TokenKind;
using Word = std::pair<std::string_view, TokenKind>;

// Sorted, for binary search.
constexpr std::array kKeywords = std::to_array<Word>({
    {"False", K::kFalse},
    {"None", K::kNone},
    {"True", K::kTrue},
    {"and", K::kAnd},
    {"as", K::kAs},
    {"assert", K::kAssert},
    {"async", K::kAsync},
    {"await", K::kAwait},
    {"break", K::kBreak},
    {"class", K::kClass},
    {"continue", K::kContinue},
    {"def", K::kDef},
    {"del", K::kDel},
    {"elif", K::kElif},
    {"else", K::kElse},
    {"except", K::kExcept},
    {"finally", K::kFinally},
    {"for", K::kFor},
    {"from", K::kFrom},
    {"global", K::kGlobal},
    {"if", K::kIf},
    {"import", K::kImport},
    {"in", K::kIn},
    {"is", K::kIs},
    {"lambda", K::kLambda},
    {"nonlocal", K::kNonlocal},
    {"not", K::kNot},
    {"or", K::kOr},
    {"pass", K::kPass},
    {"raise", K::kRaise},
    {"return", K::kReturn},
    {"try", K::kTry},
    {"while", K::kWhile},
    {"with", K::kWith},
    {"yield", K::kYield},
});

// Longest first.
constexpr std::array kOperators = std::to_array<Word>({
    {"**=", K::kPowerAssign},
    {"//=", K::kDoubleSlashAssign},
    {"<<=", K::kShiftLeftAssign},
    {">>=", K::kShiftRightAssign},
    {"...", K::kEllipsis},
    {"->", K::kArrow},
    {":=", K::kWalrus},
    {"**", K::kPower},
    {"//", K::kDoubleSlash},
    {"<<", K::kShiftLeft},
    {">>", K::kShiftRight},
    {"==", K::kEqual},
    {"!=", K::kNotEqual},
    {"<=", K::kLessEqual},
    {">=", K::kGreaterEqual},
    {"+=", K::kPlusAssign},
    {"-=", K::kMinusAssign},
    {"*=", K::kStarAssign},
    {"/=", K::kSlashAssign},
    {"%=", K::kPercentAssign},
    {"&=", K::kAmpersandAssign},
    {"|=", K::kPipeAssign},
    {"^=", K::kCaretAssign},
    {"@=", K::kAtAssign},
    {"(", K::kLeftParen},
    {")", K::kRightParen},
    {"[", K::kLeftBracket},
    {"]", K::kRightBracket},
    {"{", K::kLeftBrace},
    {"}", K::kRightBrace},
    {",", K::kComma},
    {":", K::kColon},
    {";", K::kSemicolon},
    {".", K::kDot},
    {"@", K::kAt},
    {"=", K::kAssign},
    {"+", K::kPlus},
    {"-", K::kMinus},
    {"*", K::kStar},
    {"/", K::kSlash},
    {"%", K::kPercent},
    {"&", K::kAmpersand},
    {"|", K::kPipe},
    {"^", K::kCaret},
    {"~", K::kTilde},
    {"<", K::kLess},
    {">", K::kGreater},
});

}  // namespace

TokenKind KeywordOf(std::string_view word) {
  const auto found =
      std::lower_bound(kKeywords.begin(), kKeywords.end(), word,
                       [](const Word& entry, std::string_view w) { return entry.first < w; });
  return found != kKeywords.end() && found->first == word ? found->second : K::kName;
}

TokenKind OperatorAt(std::string_view text, std::uint32_t* length) {
  for (const auto& [spelling, kind] : kOperators) {
    if (!text.starts_with(spelling)) continue;
    *length = static_cast<std::uint32_t>(spelling.size());
    return kind;
  }
  return K::kError;
}

std::string_view Spelling(TokenKind kind) {
  const auto is_kind = [kind](const Word& entry) { return entry.second == kind; };
  if (const auto* it = std::find_if(kKeywords.begin(), kKeywords.end(), is_kind);
      it != kKeywords.end()) {
    return it->first;
  }
  if (const auto* it = std::find_if(kOperators.begin(), kOperators.end(), is_kind);
      it != kOperators.end()) {
    return it->first;
  }
  return "";
}

}  // namespace espalier::script
