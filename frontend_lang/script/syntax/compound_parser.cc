// The half of StmtParser that reads statements with blocks.
#include <fmt/format.h>

#include "frontend_lang/script/syntax/pattern_parser.h"
#include "frontend_lang/script/syntax/stmt_parser.h"

namespace espalier::script {
namespace {

using K = TokenKind;

constexpr std::size_t kMaxItems = 20;  // each nests the ones behind it

}  // namespace

Body StmtParser::Block(std::string_view what, const Token& opener) {
  Body body;
  if (!cursor_.Accept(K::kColon)) ExpectedColon(opener);
  if (!cursor_.Accept(K::kNewline)) {
    SimpleLine(body);
    return body;
  }
  if (!cursor_.Accept(K::kIndent)) {
    FailIndent(what, opener);
    return body;
  }
  while (!cursor_.Accept(K::kDedent) && !cursor_.At(K::kEnd)) {
    if (cursor_.At(K::kIndent)) {
      cursor_.Fail(
          SyntaxProblem{"IndentationError", "unexpected indent", "", cursor_.Peek(1).span});
      break;
    }
    Statement(body);
  }
  return body;
}

void StmtParser::FailIndent(std::string_view what, const Token& opener) {
  cursor_.Fail(SyntaxProblem{"IndentationError",
                             fmt::format("expected an indented block after {} on line {}", what,
                                         ast_.source->Locate(opener.span.begin).line),
                             "", cursor_.Peek().span});
}

// Where only a colon can follow, CPython says so whatever stands there instead.
void StmtParser::ExpectedColon(const Token& opener) {
  switch (opener.kind) {
    case K::kDef:
    case K::kTry:
    case K::kElse:
    case K::kFinally: return cursor_.Fail("expected ':'", cursor_.Peek().span);
    default:
      if (cursor_.At(K::kNewline) || cursor_.At(K::kEnd)) {
        return cursor_.Fail("expected ':'", cursor_.Peek().span);
      }
      cursor_.FailHere();
  }
}

// The condition of an if or while.
const Expr* StmtParser::Condition() {
  const Expr* test = exprs_.NamedExpression();
  if (cursor_.At(K::kAssign)) exprs_.FailAssignment(*test);
  return test;
}

Body StmtParser::LoopBlock(std::string_view what, const Token& opener) {
  const Place outer = place_;
  place_.in_loop = true;
  Body body = Block(what, opener);
  place_ = outer;
  return body;
}

Body StmtParser::Else(std::string_view what) {
  if (!cursor_.At(K::kElse)) return {};
  const Token word = cursor_.Next();
  return Block(what, word);
}

const Stmt* StmtParser::If() {
  const std::uint32_t begin = cursor_.Peek().span.begin;
  IfStmt stmt;
  do {
    const Token word = cursor_.Next();
    const Expr* test = Condition();
    stmt.branches.push_back(
        {test, Block(stmt.branches.empty() ? "'if' statement" : "'elif' statement", word)});
  } while (cursor_.At(K::kElif));
  stmt.otherwise = Else("'else' statement");
  return Make(std::move(stmt), begin);
}

const Stmt* StmtParser::While() {
  const Token word = cursor_.Next();
  WhileStmt stmt{Condition(), {}, {}};
  stmt.body = LoopBlock("'while' statement", word);
  stmt.otherwise = Else("'else' statement");
  return Make(std::move(stmt), word.span.begin);
}

const Stmt* StmtParser::For() {
  const Token word = cursor_.Next();
  ForStmt stmt{exprs_.TargetList(), nullptr, {}, {}};
  exprs_.CheckTarget(*stmt.target, "assign to", "");
  if (!cursor_.Accept(K::kIn)) cursor_.FailHere();
  stmt.source = exprs_.StarExpressions();
  stmt.body = LoopBlock("'for' statement", word);
  stmt.otherwise = Else("'else' statement");
  return Make(std::move(stmt), word.span.begin);
}

ExceptClause StmtParser::Except(TryStmt& around) {
  const Token word = cursor_.Next();
  ExceptClause clause{nullptr, {}, {}, word.span};
  const bool is_star = cursor_.Accept(K::kStar);
  if (!around.clauses.empty() && is_star != around.is_star) {
    cursor_.Fail("cannot have both 'except' and 'except*' on the same 'try'", word.span);
  }
  around.is_star = is_star;
  if (is_star && cursor_.At(K::kColon)) {
    cursor_.Fail("expected one or more exception types", cursor_.Peek().span);
  }
  if (cursor_.At(K::kNewline)) ExpectedColon(word);
  if (!cursor_.At(K::kColon)) {
    clause.type = exprs_.Expression();
    if (cursor_.At(K::kComma)) {
      cursor_.Fail("multiple exception types must be parenthesized", clause.type->span);
    }
    if (cursor_.Accept(K::kAs)) {
      if (!cursor_.At(K::kName)) cursor_.FailHere();
      clause.name = TextOf(cursor_.Next());
    }
  }
  clause.body = Block(is_star ? "'except*' statement" : "'except' statement", word);
  clause.span.end = cursor_.last_end();
  return clause;
}

const Stmt* StmtParser::Try() {
  const Token word = cursor_.Next();
  TryStmt stmt{Block("'try' statement", word), {}, {}, {}};
  while (cursor_.At(K::kExcept)) {
    if (!stmt.clauses.empty() && stmt.clauses.back().type == nullptr) {
      cursor_.Fail("default 'except:' must be last", stmt.clauses.back().span);
    }
    stmt.clauses.push_back(Except(stmt));
  }
  if (!stmt.clauses.empty()) stmt.otherwise = Else("'else' statement");
  if (cursor_.At(K::kFinally)) {
    const Token last = cursor_.Next();
    stmt.last = Block("'finally' statement", last);
  } else if (stmt.clauses.empty()) {
    cursor_.Fail("expected 'except' or 'finally' block", cursor_.Peek().span);
  }
  return Make(std::move(stmt), word.span.begin);
}

// Whether "with (" opens a parenthesized list of items rather than an expression.
bool StmtParser::WithIsParenthesized() const {
  if (!cursor_.At(K::kLeftParen)) return false;
  std::size_t ahead = 0;
  int depth = 0;
  do {
    const K kind = cursor_.Peek(ahead++).kind;
    if (kind == K::kLeftParen || kind == K::kLeftBracket || kind == K::kLeftBrace) ++depth;
    if (kind == K::kRightParen || kind == K::kRightBracket || kind == K::kRightBrace) --depth;
    if (kind == K::kEnd) return false;
    if (depth == 1 && (kind == K::kAs || kind == K::kComma)) {
      // Only a list when ':' follows the closing parenthesis.
      while (depth > 0 && cursor_.Peek(ahead).kind != K::kEnd) {
        const K next = cursor_.Peek(ahead++).kind;
        if (next == K::kLeftParen || next == K::kLeftBracket || next == K::kLeftBrace) ++depth;
        if (next == K::kRightParen || next == K::kRightBracket || next == K::kRightBrace) --depth;
      }
      return cursor_.Peek(ahead).kind == K::kColon;
    }
  } while (depth > 0);
  return false;
}

WithItem StmtParser::OneWithItem() {
  WithItem item{exprs_.Expression(), nullptr};
  if (cursor_.Accept(K::kAs)) {
    item.target = exprs_.PrimaryTarget();
    exprs_.CheckTarget(*item.target, "assign to", "");
  }
  return item;
}

const Stmt* StmtParser::With() {
  const Token word = cursor_.Next();
  WithStmt stmt;
  const bool parenthesized = WithIsParenthesized();
  if (parenthesized) cursor_.Next();
  do {
    if (parenthesized && cursor_.At(K::kRightParen) && !stmt.items.empty()) break;
    stmt.items.push_back(OneWithItem());
    if (stmt.items.size() > kMaxItems) cursor_.Fail("too many items in a with", word.span);
  } while (cursor_.Accept(K::kComma));
  if (parenthesized && !cursor_.Accept(K::kRightParen)) cursor_.FailHere();
  stmt.body = Block("'with' statement", word);
  return Make(std::move(stmt), word.span.begin);
}

const Stmt* StmtParser::Function() {
  const Token word = cursor_.Next();
  if (!cursor_.At(K::kName)) cursor_.FailHere();
  const Token name = cursor_.Next();
  FunctionStmt stmt{TextOf(name), name.span, {}, {}, {}};
  if (!cursor_.Accept(K::kLeftParen)) cursor_.Fail("expected '('", cursor_.Peek().span);
  stmt.parameters = exprs_.ParameterList(K::kRightParen);
  if (!cursor_.Accept(K::kRightParen)) cursor_.FailHere();
  if (cursor_.At(K::kArrow) && cursor_.Peek(1).kind == K::kColon) ExpectedColon(word);
  std::vector<DictItem>& annotations = stmt.parameters.annotations;
  if (cursor_.Accept(K::kArrow)) {
    const Expr* const returns = exprs_.Expression();
    annotations.push_back({exprs_.Make(StringExpr{"return"}, returns->span), returns});
  }
  if (!annotations.empty()) {
    const Expr* const dict = exprs_.Make(DictExpr{std::move(annotations)}, name.span);
    stmt.annotate = exprs_.Make(LambdaExpr{{}, dict}, name.span);
  }
  const Place outer = place_;
  place_ = {.in_function = true, .in_loop = false};
  stmt.body = Block("function definition", word);
  place_ = outer;
  return Make(std::move(stmt), word.span.begin);
}

const Stmt* StmtParser::Class() {
  const Token word = cursor_.Next();
  if (!cursor_.At(K::kName)) cursor_.FailHere();
  const Token name = cursor_.Next();
  ClassStmt stmt{TextOf(name), name.span, {}, {}, {}};
  if (cursor_.At(K::kLeftParen)) stmt.arguments = exprs_.Arguments();
  const Place outer = place_;
  place_ = {.in_function = false, .in_loop = false};
  stmt.body = Block("class definition", word);
  place_ = outer;
  return Make(std::move(stmt), word.span.begin);
}

MatchCase StmtParser::Case() {
  const Token word = cursor_.Next();
  MatchCase one{PatternParser(ast_, cursor_, exprs_).CasePattern(), nullptr, {}};
  if (cursor_.Accept(K::kIf)) one.guard = exprs_.NamedExpression();
  one.body = Block("'case' statement", word);
  return one;
}

const Stmt* StmtParser::Match() {
  const Token word = cursor_.Next();
  MatchStmt stmt{exprs_.NamedExpressions(), {}};
  if (!cursor_.Accept(K::kColon)) ExpectedColon(word);
  cursor_.Accept(K::kNewline);
  if (!cursor_.Accept(K::kIndent)) FailIndent("'match' statement", word);
  while (!cursor_.Accept(K::kDedent) && !cursor_.failed()) {
    if (!IsWord(cursor_.Peek(), "case")) {
      cursor_.FailHere();
      break;
    }
    if (!stmt.cases.empty() && stmt.cases.back().guard == nullptr) {
      const Pattern& last = *stmt.cases.back().pattern;
      const std::string any = PatternParser::Irrefutable(last);
      if (!any.empty()) cursor_.Fail(any + " makes remaining patterns unreachable", last.span);
    }
    stmt.cases.push_back(Case());
  }
  return Make(std::move(stmt), word.span.begin);
}

// async def, async for, async with
const Stmt* StmtParser::Async() {
  const Token word = cursor_.Next();
  const Stmt* made = nullptr;
  switch (cursor_.Peek().kind) {
    case K::kDef: made = Function(); break;
    case K::kFor: made = For(); break;
    case K::kWith: made = With(); break;
    default: cursor_.FailHere(); return Make(PassStmt{}, word.span.begin);
  }
  auto& stmt = const_cast<Stmt&>(*made);  // made just now
  if (auto* function = std::get_if<FunctionStmt>(&stmt.node)) function->is_async = true;
  if (auto* loop = std::get_if<ForStmt>(&stmt.node)) loop->is_async = true;
  if (auto* with = std::get_if<WithStmt>(&stmt.node)) with->is_async = true;
  stmt.span.begin = word.span.begin;
  return made;
}

const Stmt* StmtParser::Decorated() {
  const std::uint32_t begin = cursor_.Peek().span.begin;
  std::vector<const Expr*> decorators;
  while (cursor_.Accept(K::kAt)) {
    decorators.push_back(exprs_.NamedExpression());
    if (!cursor_.Accept(K::kNewline)) cursor_.FailHere();
  }
  if (cursor_.At(K::kClass)) {
    auto& stmt = const_cast<Stmt&>(*Class());  // made by Class just now
    std::get<ClassStmt>(stmt.node).decorators = std::move(decorators);
    stmt.span.begin = begin;
    return &stmt;
  }
  if (!cursor_.At(K::kDef) && !(cursor_.At(K::kAsync) && cursor_.Peek(1).kind == K::kDef)) {
    cursor_.FailHere();
  }
  const Stmt* function = cursor_.At(K::kAsync) ? Async() : Function();
  auto& stmt = const_cast<Stmt&>(*function);  // made by Function just now
  std::get<FunctionStmt>(stmt.node).decorators = std::move(decorators);
  stmt.span.begin = begin;
  return function;
}

}  // namespace espalier::script
