// The part of RoutineCompiler that compiles comprehensions: each is a function of its own,
// which gets the iterator of its first source.
#include <array>

#include "frontend_lang/script/compile/routine_compiler.h"

namespace espalier::script {

void RoutineCompiler::operator()(const ComprehensionExpr& e) {
  constexpr std::array kNames = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"};
  RoutineCompiler inner(shared_, shared_.scopes.Of(&e),
                        Qualified(kNames[static_cast<std::size_t>(e.kind)]));
  MakeFunction({}, inner.Comprehension(e));
  Source(*e.clauses[0].source);
  out_.Emit(e.clauses[0].is_async ? Op::kAsyncIterate : Op::kIterate);
  out_.Emit(Op::kCall, 1);
  if (e.kind != ComprehensionKind::kGenerator && shared_.scopes.Of(&e).is_async()) Await();
}

std::unique_ptr<const Routine> RoutineCompiler::Comprehension(const ComprehensionExpr& e) {
  constexpr std::array kNames = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"};
  out_.code().num_positional = 1;
  out_.code().is_comprehension = true;
  out_.SetSpan(e.element->span);
  switch (e.kind) {
    case ComprehensionKind::kList: out_.Emit(Op::kBuildList, 0); break;
    case ComprehensionKind::kSet: out_.Emit(Op::kBuildSet, 0); break;
    case ComprehensionKind::kDict: out_.Emit(Op::kBuildDict, 0); break;
    case ComprehensionKind::kGenerator: break;
  }
  Clauses(e, 0);
  if (e.kind == ComprehensionKind::kGenerator) out_.LoadNone();
  out_.Emit(Op::kReturn);
  return Finish(kNames[static_cast<std::size_t>(e.kind)]);
}

void RoutineCompiler::Clauses(const ComprehensionExpr& e, std::size_t at) {
  const int depth = static_cast<int>(e.clauses.size()) + 1;
  if (at == e.clauses.size()) {
    Value(*e.element);
    switch (e.kind) {
      case ComprehensionKind::kList: return out_.Emit(Op::kListAppend, depth);
      case ComprehensionKind::kSet: return out_.Emit(Op::kSetAdd, depth);
      case ComprehensionKind::kDict: Value(*e.value); return out_.Emit(Op::kDictPut, depth);
      case ComprehensionKind::kGenerator:
        if (scope_.is_async()) out_.Emit(Op::kWrapYield);
        out_.Emit(Op::kYield);
        return out_.Emit(Op::kPop);
    }
  }
  const Clause& clause = e.clauses[at];
  Label next, end;
  if (at == 0) {
    out_.Emit(Op::kLoadLocal, 0);
  } else {
    Source(*clause.source);
    out_.SetSpan(clause.source->span);
    out_.Emit(clause.is_async ? Op::kAsyncIterate : Op::kIterate);
  }
  out_.Bind(next);
  NextOf(clause.is_async, end);
  Store(*clause.target);
  for (const Expr* condition : clause.conditions) {
    Value(*condition);
    out_.Jump(Op::kJumpIfFalse, next);
  }
  Clauses(e, at + 1);
  out_.Jump(Op::kJump, next);
  out_.Bind(end);
  if (clause.is_async) out_.Emit(Op::kAsyncForEnd);
}

}  // namespace espalier::script
