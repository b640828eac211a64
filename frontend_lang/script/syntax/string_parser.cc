#include "frontend_lang/script/syntax/string_parser.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace espalier::script {
namespace {

using K = TokenKind;

constexpr std::size_t kMaxFieldBrackets = 100;

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

// The character that backslash-`c` stands for, or '\0' if it is no simple escape.
char SimpleEscape(char c) {
  constexpr std::string_view kFrom = "\\'\"abfnrtv";
  constexpr std::string_view kTo = "\\'\"\a\b\f\n\r\t\v";
  const std::size_t at = kFrom.find(c);
  return at == kFrom.npos ? '\0' : kTo[at];
}

}  // namespace

void StringParser::Fail(std::string message, Span span) {
  parser_.cursor_.Fail(std::move(message), span);
}

const Expr* StringParser::Strings() {
  TokenCursor& cursor = parser_.cursor_;
  const std::uint32_t begin = cursor.Peek().span.begin;
  bool formatted = false, bytes = false, text = false;
  while (cursor.At(K::kString)) {
    const Token token = cursor.Next();
    const Literal literal = Split(token);
    formatted |= literal.formatted;
    (literal.bytes ? bytes : text) = true;
    body_begin_ = literal.body.begin;
    if (literal.bytes) {
      DecodeBytes(literal.body, literal.raw);
    } else if (literal.formatted) {
      Formatted(literal.body, literal.raw, Nesting::kField);
    } else {
      Decode(literal.body, literal.raw);
    }
  }
  const Span span{begin, cursor.last_end()};
  if (bytes && text) Fail("cannot mix bytes and nonbytes literals", span);
  if (!formatted) return parser_.Make(StringExpr{std::move(pending_), bytes}, span);
  FlushText(begin);
  return parser_.Make(JoinedExpr{std::move(parts_)}, span);
}

StringParser::Literal StringParser::Split(const Token& token) {
  Literal literal;
  std::uint32_t at = token.span.begin;
  for (; text()[at] != '"' && text()[at] != '\''; ++at) {
    const char mark = static_cast<char>(text()[at] | 0x20);
    literal.raw |= mark == 'r';
    literal.formatted |= mark == 'f';
    literal.bytes |= mark == 'b';
  }
  const bool triple =
      token.span.end - at >= 6 && text()[at + 1] == text()[at] && text()[at + 2] == text()[at];
  const std::uint32_t quotes = triple ? 3 : 1;
  literal.body = {at + quotes, token.span.end - quotes};
  return literal;
}

void StringParser::FlushText(std::uint32_t at) {
  if (pending_.empty()) return;
  parts_.push_back(parser_.Make(StringExpr{std::move(pending_)}, {at, at}));
  pending_.clear();
}

void StringParser::Decode(Span span, bool raw) {
  const std::string_view body = text().substr(span.begin, span.end - span.begin);
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t slash = raw ? body.npos : body.find('\\', at);
    pending_ += body.substr(at, slash == body.npos ? body.npos : slash - at);
    if (slash == body.npos) return;
    at = slash + DecodeEscape(body.substr(slash), span.begin + static_cast<std::uint32_t>(slash));
  }
}

void StringParser::DecodeBytes(Span span, bool raw) {
  const std::string_view body = text().substr(span.begin, span.end - span.begin);
  for (std::size_t at = 0; at < body.size();) {
    const char c = body[at];
    if (static_cast<unsigned char>(c) >= 0x80) {
      return Fail("bytes can only contain ASCII literal characters", span);
    }
    const char next = at + 1 < body.size() ? body[at + 1] : '\0';
    if (raw || c != '\\' || next == 'u' || next == 'U' || next == 'N') {
      pending_ += c;
      ++at;
    } else if (next == 'x') {
      const int high = at + 2 < body.size() ? DigitOf(body[at + 2]) : 99;
      const int low = at + 3 < body.size() ? DigitOf(body[at + 3]) : 99;
      if (high > 15 || low > 15) {
        return Fail(fmt::format("(value error) invalid \\x escape at position {}", at), span);
      }
      pending_ += static_cast<char>(high * 16 + low);
      at += 4;
    } else if (DigitOf(next) < 8) {
      int value = 0;
      std::size_t length = 1;
      while (length < 4 && at + length < body.size() && DigitOf(body[at + length]) < 8) {
        value = value * 8 + DigitOf(body[at + length++]);
      }
      pending_ += static_cast<char>(value);
      at += length;
    } else {
      at += DecodeEscape(body.substr(at), span.begin + static_cast<std::uint32_t>(at));
    }
  }
}

// `text` begins with a backslash. Appends what it means; returns its length.
std::size_t StringParser::DecodeEscape(std::string_view text, std::uint32_t at) {
  if (text.size() < 2) {
    pending_ += text;
    return text.size();
  }
  const char c = text[1];
  if (c == '\n') return 2;
  if (const char simple = SimpleEscape(c); simple != '\0') {
    pending_ += simple;
    return 2;
  }
  if (c == 'x') return DecodeNumber(text, 2, at);
  if (c == 'u') return DecodeNumber(text, 4, at);
  if (c == 'U') return DecodeNumber(text, 8, at);
  if (c == 'N') {
    parser_.cursor_.Fail("\\N{...} is not in the language", {at, at + 2},
                         "write the character itself, or \\u with its number");
    return 2;
  }
  std::size_t length = 1;
  int point = 0;
  while (length < text.size() && length < 4 && DigitOf(text[length]) < 8) {
    point = point * 8 + DigitOf(text[length++]);
  }
  if (length == 1) {  // an escape that means nothing stays as it is
    pending_ += '\\';
    return 1;
  }
  std::array<utf8proc_uint8_t, 4> utf8{};
  pending_.append(reinterpret_cast<const char*>(utf8.data()),
                  static_cast<std::size_t>(utf8proc_encode_char(point, utf8.data())));
  return length;
}

std::size_t StringParser::DecodeNumber(std::string_view text, std::size_t num_digits,
                                       std::uint32_t at) {
  std::int64_t point = 0;
  std::size_t length = 2;
  while (length < text.size() && length < 2 + num_digits && DigitOf(text[length]) < 16) {
    point = point * 16 + DigitOf(text[length++]);
  }
  const Span span{at, at + static_cast<std::uint32_t>(length)};
  if (length < 2 + num_digits) {
    constexpr std::string_view kForms[] = {"\\xXX", "\\uXXXX", "\\UXXXXXXXX"};
    Fail(fmt::format("(unicode error) 'unicodeescape' codec can't decode bytes in position {}-{}: "
                     "truncated {} escape",
                     at - body_begin_, at - body_begin_ + length - 1,
                     kForms[num_digits == 2   ? 0
                            : num_digits == 4 ? 1
                                              : 2]),
         span);
    return length;
  }
  if (!utf8proc_codepoint_valid(
          static_cast<utf8proc_int32_t>(std::min<std::int64_t>(point, 0x110000)))) {
    Fail("this escape names no character (surrogates are not in the language)", span);
    return length;
  }
  std::array<utf8proc_uint8_t, 4> utf8{};
  const auto num_bytes = utf8proc_encode_char(static_cast<utf8proc_int32_t>(point), utf8.data());
  pending_.append(reinterpret_cast<const char*>(utf8.data()), static_cast<std::size_t>(num_bytes));
  return length;
}

// Texts and fields of an f-string, or of a format spec within one.
void StringParser::Formatted(Span body, bool raw, Nesting nesting) {
  std::uint32_t at = body.begin;
  while (at < body.end && !parser_.cursor_.failed()) {
    const std::size_t found = text().substr(0, body.end).find_first_of("{}", at);
    const auto brace =
        static_cast<std::uint32_t>(found == std::string_view::npos ? body.end : found);
    Decode({at, brace}, raw);
    if (brace == body.end) return;
    const bool doubled = brace + 1 < body.end && text()[brace + 1] == text()[brace];
    if (doubled && nesting == Nesting::kField) {
      pending_ += text()[brace];
      at = brace + 2;
    } else if (text()[brace] == '}') {
      return Fail("f-string: single '}' is not allowed", {brace, brace + 1});
    } else {
      FlushText(brace);
      at = Field({brace, body.end}, raw, nesting);
    }
  }
}

// `span` begins with '{'. Returns the offset after the matching '}'.
std::uint32_t StringParser::Field(Span span, bool raw, Nesting nesting) {
  const std::uint32_t begin = span.begin + 1;
  std::uint32_t at = FindExprEnd({begin, span.end});
  if (parser_.cursor_.failed()) return span.end;
  FormattedExpr field{FieldExpr({begin, at}), '\0', nullptr};
  const auto peek = [&] { return at < span.end ? text()[at] : '\0'; };
  const bool shows_itself = peek() == '=';
  if (shows_itself) {
    ++at;
    while (peek() == ' ') ++at;
    pending_ += text().substr(begin, at - begin);
    FlushText(begin);
  }
  if (peek() == '!') {
    field.conversion = at + 1 < span.end ? text()[at + 1] : '\0';
    at += 2;
    if (field.conversion != 's' && field.conversion != 'r' && field.conversion != 'a') {
      Fail("f-string: invalid conversion character: expected 's', 'r', or 'a'", {at - 1, at});
    }
  }
  if (peek() == ':') {
    if (nesting == Nesting::kSpec) {
      Fail("f-string: expressions nested too deeply", {span.begin, at});
    } else {
      field.spec = Spec({at + 1, span.end}, raw, &at);
    }
  }
  if (shows_itself && field.conversion == '\0' && field.spec == nullptr) field.conversion = 'r';
  if (peek() != '}') Fail("f-string: expecting '}'", {span.begin, span.begin + 1});
  parts_.push_back(parser_.Make(field, {span.begin, at + 1}));
  return at + 1;
}

// The spec from span.begin to the '}' that closes its field; *end is that '}'.
const Expr* StringParser::Spec(Span span, bool raw, std::uint32_t* end) {
  int depth = 0;
  std::uint32_t at = span.begin;
  for (; at < span.end; ++at) {
    if (text()[at] == '{') ++depth;
    if (text()[at] == '}' && depth-- == 0) break;
  }
  *end = at;
  StringParser inner(parser_);
  inner.Formatted({span.begin, at}, raw, Nesting::kSpec);
  inner.FlushText(span.begin);
  return parser_.Make(JoinedExpr{std::move(inner.parts_)}, {span.begin, at});
}

// Where the expression of a field ends: at '!', ':', '=' or '}' outside of brackets
// and strings.
std::uint32_t StringParser::FindExprEnd(Span span) {
  std::string closers;
  for (std::uint32_t at = span.begin; at < span.end; ++at) {
    const char c = text()[at];
    const char next = at + 1 < span.end ? text()[at + 1] : '\0';
    if (c == '\\' || c == '#') {
      Fail(c == '#' ? "f-string expression part cannot include '#'"
                    : "f-string expression part cannot include a backslash",
           {at, at + 1});
      return at;
    }
    if (c == '"' || c == '\'') {
      const bool triple = next == c && at + 2 < span.end && text()[at + 2] == c;
      const std::string quotes(triple ? 3 : 1, c);
      const std::size_t close = text().substr(0, span.end).find(quotes, at + quotes.size());
      if (close == std::string_view::npos) {
        Fail("f-string: unterminated string", {at, at + 1});
        return at;
      }
      at = static_cast<std::uint32_t>(close + quotes.size() - 1);
    } else if (c == '(' || c == '[' || c == '{') {
      closers += c == '(' ? ')' : c == '[' ? ']' : '}';
      if (closers.size() > kMaxFieldBrackets) Fail("f-string: too many nested parenthesis", span);
    } else if (!closers.empty()) {
      if (c == closers.back()) closers.pop_back();
    } else if (c == '!' && next == '=') {
      ++at;
    } else if (c == '=' && next != '=' &&
               (at == span.begin ||
                std::string_view("=<>!").find(text()[at - 1]) == std::string_view::npos)) {
      return at;
    } else if (c == '!' || c == ':' || c == '}') {
      return at;
    }
  }
  Fail("f-string: expecting '}'", {span.begin - 1, span.begin});
  return span.end;
}

const Expr* StringParser::FieldExpr(Span span) {
  const std::string_view inside = text().substr(span.begin, span.end - span.begin);
  if (inside.find_first_not_of(" \t\n\f") == inside.npos) {
    Fail("f-string: empty expression not allowed", {span.begin - 1, span.end});
    return parser_.Make(NoneExpr{}, span);
  }
  TokenCursor cursor(LexExpression(parser_.source(), span));
  ExprParser inner(parser_.ast_, cursor, parser_.depth_ + 1);
  const Expr* value = inner.YieldOrStarExpressions();
  if (!cursor.At(K::kEnd) && inner.StartsExpression() && !cursor.At(K::kError)) {
    inner.FailComma(*value);
  } else if (!cursor.At(K::kEnd)) {
    cursor.FailHere();
  }
  if (cursor.failed()) {
    SyntaxProblem problem = *cursor.problem();
    problem.message = "f-string: " + problem.message;
    parser_.cursor_.Fail(std::move(problem));
  }
  return value;
}

}  // namespace espalier::script
