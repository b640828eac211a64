// Simple statements; compound_parser.cc has the ones with blocks.
#include "frontend_lang/script/syntax/stmt_parser.h"

#include <fmt/format.h>

#include "frontend_lang/script/syntax/parser.h"

namespace espalier::script {
namespace {

using K = TokenKind;

// The operator of an augmented assignment, or kEnd.
K AugmentedOperator(K kind) {
  switch (kind) {
    case K::kPlusAssign: return K::kPlus;
    case K::kMinusAssign: return K::kMinus;
    case K::kStarAssign: return K::kStar;
    case K::kSlashAssign: return K::kSlash;
    case K::kDoubleSlashAssign: return K::kDoubleSlash;
    case K::kPercentAssign: return K::kPercent;
    case K::kPowerAssign: return K::kPower;
    case K::kShiftLeftAssign: return K::kShiftLeft;
    case K::kShiftRightAssign: return K::kShiftRight;
    case K::kAmpersandAssign: return K::kAmpersand;
    case K::kPipeAssign: return K::kPipe;
    case K::kCaretAssign: return K::kCaret;
    case K::kAtAssign: return K::kAt;
    default: return K::kEnd;
  }
}

constexpr std::string_view kAssignSuffix = " here. Maybe you meant '==' instead of '='?";

}  // namespace

ParseResult Parse(std::shared_ptr<const Source> source) {
  auto ast = std::make_unique<Ast>();
  ast->source = source;
  TokenCursor cursor(Lex(*source));
  ast->body = StmtParser(*ast, cursor).File();
  cursor.FailWithLate();
  if (cursor.failed()) return *cursor.problem();
  return ast;
}

Body StmtParser::File() {
  Body body;
  while (!cursor_.At(K::kEnd)) {
    if (cursor_.At(K::kIndent)) {
      cursor_.Fail(
          SyntaxProblem{"IndentationError", "unexpected indent", "", cursor_.Peek(1).span});
      break;
    }
    Statement(body);
  }
  return body;
}

void StmtParser::RefuseStatement(std::string_view what, std::string_view hint) {
  cursor_.Fail(fmt::format("{} not in the language", what), cursor_.Peek().span, std::string(hint));
}

void StmtParser::Statement(Body& to) {
  switch (cursor_.Peek().kind) {
    case K::kIf: return to.push_back(If());
    case K::kWhile: return to.push_back(While());
    case K::kFor: return to.push_back(For());
    case K::kTry: return to.push_back(Try());
    case K::kWith: return to.push_back(With());
    case K::kDef: return to.push_back(Function());
    case K::kAt: return to.push_back(Decorated());
    case K::kClass: return to.push_back(Class());
    case K::kAsync: return to.push_back(Async());
    default: return AtMatchStatement() ? to.push_back(Match()) : SimpleLine(to);
  }
}

// "match value:" and a block of cases; `match` is an ordinary name everywhere else.
bool StmtParser::AtMatchStatement() const {
  if (!IsWord(cursor_.Peek(), "match")) return false;
  std::size_t ahead = 1;
  while (cursor_.Peek(ahead).kind != K::kNewline && cursor_.Peek(ahead).kind != K::kEnd) ++ahead;
  const bool indented = cursor_.Peek(ahead + 1).kind == K::kIndent;
  const bool cases = IsWord(cursor_.Peek(ahead + (indented ? 2 : 1)), "case");
  if (ahead < 2) return false;
  return cursor_.Peek(ahead - 1).kind == K::kColon ? indented || cases : indented && cases;
}

void StmtParser::ExpectNewline() {
  if (cursor_.Accept(K::kNewline) || cursor_.At(K::kEnd)) return;
  cursor_.FailHere();
}

void StmtParser::SimpleLine(Body& to) {
  to.push_back(Simple());
  while (cursor_.Accept(K::kSemicolon) && !cursor_.At(K::kNewline)) to.push_back(Simple());
  ExpectNewline();
}

const Stmt* StmtParser::Simple() {
  const Token first = cursor_.Peek();
  switch (first.kind) {
    case K::kPass: cursor_.Next(); return Make(PassStmt{}, first.span.begin);
    case K::kBreak:
      cursor_.Next();
      if (!place_.in_loop) cursor_.FailLater("'break' outside loop", first.span);
      return Make(BreakStmt{}, first.span.begin);
    case K::kContinue:
      cursor_.Next();
      if (!place_.in_loop) cursor_.FailLater("'continue' not properly in loop", first.span);
      return Make(ContinueStmt{}, first.span.begin);
    case K::kReturn: return Return();
    case K::kRaise: return Raise();
    case K::kAssert: return Assert();
    case K::kDel: return Del();
    case K::kGlobal:
    case K::kNonlocal: return Names();
    case K::kImport: return Import();
    case K::kFrom: return FromImport();
    default: return ExpressionOrAssignment();
  }
}

const Stmt* StmtParser::ExpressionOrAssignment() {
  const std::uint32_t begin = cursor_.Peek().span.begin;
  const Expr* first = exprs_.YieldOrStarExpressions();
  const Token next = cursor_.Peek();
  if (next.kind == K::kAssign) return Assignment(first, begin);
  if (next.kind == K::kColon) return Annotated(first, begin);
  if (const K op = AugmentedOperator(next.kind); op != K::kEnd) {
    if (!first->If<NameExpr>() && !first->If<AttributeExpr>() && !first->If<SubscriptExpr>()) {
      cursor_.Fail(fmt::format("'{}' is an illegal expression for augmented assignment",
                               ExprParser::KindOf(*first)),
                   first->span);
    }
    cursor_.Next();
    return Make(AugmentedStmt{first, op, exprs_.YieldOrStarExpressions()}, begin);
  }
  if (const auto* name = first->If<NameExpr>()) CheckLegacyCall(name->name, begin);
  return Make(ExprStmt{first}, begin);
}

// print "text"
void StmtParser::CheckLegacyCall(std::string_view name, std::uint32_t begin) {
  if ((name != "print" && name != "exec") || !exprs_.StartsExpression()) return;
  const Expr* argument = exprs_.StarExpressions();
  cursor_.Fail(fmt::format("Missing parentheses in call to '{0}'. Did you mean {0}(...)?", name),
               {begin, argument->span.end});
}

const Stmt* StmtParser::Assignment(const Expr* first, std::uint32_t begin) {
  AssignStmt assign{{}, first};
  while (cursor_.Accept(K::kAssign)) {
    assign.targets.push_back(assign.value);
    assign.value = exprs_.YieldOrStarExpressions();
  }
  const bool single = assign.targets.size() == 1;
  for (const Expr* target : assign.targets) {
    const std::string_view before = source_text({begin, target->span.begin});
    if (target->If<YieldExpr>() != nullptr && !before.ends_with('(')) {
      cursor_.Fail("assignment to yield expression not possible", target->span);
    }
    exprs_.CheckTarget(*target, "assign to", single ? kAssignSuffix : "");
  }
  return Make(std::move(assign), begin);
}

const Stmt* StmtParser::Annotated(const Expr* target, std::uint32_t begin) {
  if (!target->If<NameExpr>() && !target->If<AttributeExpr>() && !target->If<SubscriptExpr>()) {
    cursor_.Fail(target->If<TupleExpr>()  ? "only single target (not tuple) can be annotated"
                 : target->If<ListExpr>() ? "only single target (not list) can be annotated"
                                          : "illegal target for annotation",
                 target->span);
  }
  cursor_.Next();
  const Expr* annotation = exprs_.Expression();
  const Expr* value = cursor_.Accept(K::kAssign) ? exprs_.YieldOrStarExpressions() : nullptr;
  return Make(AnnotatedStmt{target, annotation, value}, begin);
}

const Stmt* StmtParser::Return() {
  const Token word = cursor_.Next();
  if (!place_.in_function) cursor_.FailLater("'return' outside function", word.span);
  const bool bare = cursor_.At(K::kNewline) || cursor_.At(K::kSemicolon);
  return Make(ReturnStmt{bare ? nullptr : exprs_.StarExpressions()}, word.span.begin);
}

const Stmt* StmtParser::Raise() {
  const Token word = cursor_.Next();
  RaiseStmt raise{nullptr, nullptr};
  if (!cursor_.At(K::kNewline) && !cursor_.At(K::kSemicolon)) {
    raise.error = exprs_.Expression();
    if (cursor_.Accept(K::kFrom)) raise.cause = exprs_.Expression();
  }
  return Make(raise, word.span.begin);
}

const Stmt* StmtParser::Assert() {
  const Token word = cursor_.Next();
  AssertStmt assertion{exprs_.Expression(), nullptr};
  if (cursor_.Accept(K::kComma)) assertion.message = exprs_.Expression();
  return Make(assertion, word.span.begin);
}

const Stmt* StmtParser::Del() {
  const Token word = cursor_.Next();
  const Expr* targets = exprs_.TargetList();
  exprs_.CheckTarget(*targets, "delete", "");
  return Make(DelStmt{{targets}}, word.span.begin);
}

const Stmt* StmtParser::Names() {
  const Token word = cursor_.Next();
  std::vector<std::string_view> names;
  do {
    if (!cursor_.At(K::kName)) cursor_.FailHere();
    names.push_back(TextOf(cursor_.Next()));
  } while (cursor_.Accept(K::kComma));
  if (word.kind == K::kGlobal) return Make(GlobalStmt{std::move(names)}, word.span.begin);
  if (!place_.in_function) {
    cursor_.Fail("nonlocal declaration not allowed at module level", word.span);
  }
  return Make(NonlocalStmt{std::move(names)}, word.span.begin);
}

Token StmtParser::DottedName() {
  if (!cursor_.At(K::kName)) cursor_.FailHere();
  Token name = cursor_.Next();
  while (cursor_.Accept(K::kDot)) {
    if (!cursor_.At(K::kName)) cursor_.FailHere();
    name.span.end = cursor_.Next().span.end;
  }
  return name;
}

ImportedName StmtParser::OneImport(Token name) {
  ImportedName imported{TextOf(name), TextOf(name), name.span};
  if (cursor_.Accept(K::kAs)) {
    if (!cursor_.At(K::kName)) cursor_.FailHere();
    imported.alias = TextOf(cursor_.Next());
  } else {
    imported.alias = imported.name.substr(0, imported.name.find('.'));
  }
  return imported;
}

const Stmt* StmtParser::Import() {
  const Token word = cursor_.Next();
  ImportStmt import;
  do {
    import.modules.push_back(OneImport(DottedName()));
  } while (cursor_.Accept(K::kComma));
  return Make(std::move(import), word.span.begin);
}

const Stmt* StmtParser::FromImport() {
  const Token word = cursor_.Next();
  if (cursor_.At(K::kDot) || cursor_.At(K::kEllipsis)) {
    RefuseStatement("relative imports are", "a program is one file");
  }
  const Token module = DottedName();
  FromImportStmt import{TextOf(module), module.span, {}};
  if (!cursor_.Accept(K::kImport)) cursor_.FailHere();
  if (cursor_.Accept(K::kStar)) {
    if (place_.in_function) {
      cursor_.Fail("import * only allowed at module level", {word.span.begin, cursor_.last_end()});
    }
    return Make(std::move(import), word.span.begin);
  }
  const bool parenthesized = cursor_.Accept(K::kLeftParen);
  do {
    if (parenthesized && cursor_.At(K::kRightParen) && !import.names.empty()) break;
    if (!import.names.empty() && (cursor_.At(K::kNewline) || cursor_.At(K::kSemicolon))) {
      cursor_.Fail("trailing comma not allowed without surrounding parentheses",
                   import.names.front().span);
    }
    if (!cursor_.At(K::kName)) cursor_.FailHere();
    import.names.push_back(OneImport(cursor_.Next()));
  } while (cursor_.Accept(K::kComma));
  if (parenthesized && !cursor_.Accept(K::kRightParen)) cursor_.FailHere();
  return Make(std::move(import), word.span.begin);
}

}  // namespace espalier::script
