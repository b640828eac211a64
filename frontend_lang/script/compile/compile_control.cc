// The half of RoutineCompiler that compiles blocks, and the ways out of them.
#include "frontend_lang/script/compile/routine_compiler.h"

namespace espalier::script {

void RoutineCompiler::operator()(const IfStmt& s) {
  Label end;
  for (const IfBranch& branch : s.branches) {
    Label next;
    Value(*branch.test);
    out_.Jump(Op::kJumpIfFalse, next);
    Statements(branch.body);
    out_.Jump(Op::kJump, end);
    out_.Bind(next);
  }
  Statements(s.otherwise);
  out_.Bind(end);
}

void RoutineCompiler::operator()(const WhileStmt& s) {
  Label top, otherwise, end;
  out_.Bind(top);
  Value(*s.test);
  out_.Jump(Op::kJumpIfFalse, otherwise);
  regions_.push_back({Region::Kind::kWhile, &top, &end});
  Statements(s.body);
  regions_.pop_back();
  out_.Jump(Op::kJump, top);
  out_.Bind(otherwise);
  Statements(s.otherwise);
  out_.Bind(end);
}

void RoutineCompiler::operator()(const ForStmt& s) {
  Label top, otherwise, end;
  const Span span = out_.span();
  Source(*s.source);
  out_.SetSpan(span);
  out_.Emit(s.is_async ? Op::kAsyncIterate : Op::kIterate);
  out_.Bind(top);
  NextOf(s.is_async, otherwise);
  Store(*s.target);
  regions_.push_back({Region::Kind::kFor, &top, &end});
  Statements(s.body);
  regions_.pop_back();
  out_.Jump(Op::kJump, top);
  out_.Bind(otherwise);
  if (s.is_async) out_.Emit(Op::kAsyncForEnd);
  Statements(s.otherwise);
  out_.Bind(end);
}

// it -> it next; goes to `end` when there is none, for an async iterator with the error
// that says so.
void RoutineCompiler::NextOf(bool is_async, Label& end) {
  if (!is_async) return out_.Jump(Op::kForIter, end);
  out_.Jump(Op::kPushBlock, end);
  out_.Emit(Op::kAsyncNext);
  Delegate();
  out_.Emit(Op::kPopBlock);
}

// ---- Ways out.

void RoutineCompiler::Exit(const Region& region, Top top) {
  const int below = top == Top::kValue ? 1 : 0;
  switch (region.kind) {
    case Region::Kind::kWhile: return;
    case Region::Kind::kFor:
      if (top == Top::kValue) out_.Emit(Op::kSwap);
      return out_.Emit(Op::kPop);
    case Region::Kind::kBlock: return out_.Emit(Op::kPopBlock);
    case Region::Kind::kStarHandler: return;  // nothing leaves it so
    case Region::Kind::kHandler:
      out_.Emit(Op::kEndHandler);
      if (!region.error_name.empty()) {
        out_.LoadNone();
        StoreName(region.error_name);
        DeleteName(region.error_name);
      }
      return;
    case Region::Kind::kFinally: {
      Label after;
      out_.Emit(Op::kPopBlock);
      if (top == Top::kNothing) out_.LoadNone();
      EnterFinally(*region.finally, after);
      if (top == Top::kNothing) out_.Emit(Op::kPop);
      return;
    }
    case Region::Kind::kFinallyBody: return out_.Emit(Op::kPopFinally, below);
    case Region::Kind::kWith: out_.Emit(Op::kPopBlock); return out_.Emit(Op::kWithExit, below);
    case Region::Kind::kAsyncWith:
      out_.Emit(Op::kPopBlock);
      if (top == Top::kValue) out_.Emit(Op::kSwap);
      return LeaveAsync();
  }
}

// Runs the finally body with the value on top as payload; goes on behind this.
void RoutineCompiler::EnterFinally(Label& finally, Label& after) {
  out_.Jump(Op::kPushResume, after);
  out_.Jump(Op::kJump, finally);
  out_.Bind(after);
}

void RoutineCompiler::CheckLeavesNoStar(std::size_t depth) {
  for (std::size_t i = depth; i < regions_.size(); ++i) {
    if (regions_[i].kind != Region::Kind::kStarHandler) continue;
    shared_.Fail("'break', 'continue' and 'return' cannot appear in an except* block", out_.span());
  }
}

void RoutineCompiler::ExitTo(std::size_t depth, Top top) {
  CheckLeavesNoStar(depth);
  for (std::size_t i = regions_.size(); i > depth; --i) Exit(regions_[i - 1], top);
}

void RoutineCompiler::ExitLoop(bool is_break) {
  std::size_t loop = regions_.size() - 1;
  while (regions_[loop].on_break == nullptr) --loop;
  ExitTo(loop + 1, Top::kNothing);
  if (is_break) Exit(regions_[loop], Top::kNothing);
  out_.Jump(Op::kJump, is_break ? *regions_[loop].on_break : *regions_[loop].on_continue);
}

void RoutineCompiler::operator()(const BreakStmt&) { ExitLoop(true); }
void RoutineCompiler::operator()(const ContinueStmt&) { ExitLoop(false); }

// ---- try.

void RoutineCompiler::operator()(const TryStmt& s) {
  if (s.last.empty()) return TryExcept(s);
  Label on_error, finally, after;
  out_.Jump(Op::kPushBlock, on_error);
  regions_.push_back({Region::Kind::kFinally, nullptr, nullptr, &finally});
  if (s.clauses.empty()) {
    Statements(s.body);
  } else {
    TryExcept(s);
  }
  regions_.pop_back();
  out_.Emit(Op::kPopBlock);
  out_.LoadNone();
  out_.Jump(Op::kPushResume, after);
  out_.Jump(Op::kJump, finally);
  out_.Bind(on_error);  // the error is the payload, None the mark
  out_.LoadNone();
  out_.Bind(finally);
  regions_.push_back({Region::Kind::kFinallyBody});
  Statements(s.last);
  regions_.pop_back();
  out_.Emit(Op::kEndFinally);
  out_.Bind(after);
  out_.Emit(Op::kPop);
}

void RoutineCompiler::TryExcept(const TryStmt& s) {
  Label on_error, end;
  out_.Jump(Op::kPushBlock, on_error);
  regions_.push_back({Region::Kind::kBlock});
  Statements(s.body);
  regions_.pop_back();
  out_.Emit(Op::kPopBlock);
  Statements(s.otherwise);
  out_.Jump(Op::kJump, end);
  out_.Bind(on_error);
  if (s.is_star) {
    out_.Emit(Op::kStarBegin);
    for (const ExceptClause& clause : s.clauses) StarHandler(clause);
    out_.Emit(Op::kStarEnd);
  } else {
    for (const ExceptClause& clause : s.clauses) Handler(clause, end);
    out_.Emit(Op::kReraise);
  }
  out_.Bind(end);
}

// handling -> handling. Each clause takes its part, and what it raises waits for the others.
void RoutineCompiler::StarHandler(const ExceptClause& clause) {
  Label unmatched, on_error, next;
  const auto forget = [&] {
    if (clause.name.empty()) return;
    out_.LoadNone();
    StoreName(clause.name);
    DeleteName(clause.name);
  };
  Value(*clause.type);
  out_.SetSpan(clause.span);
  out_.Emit(Op::kStarMatch);
  out_.Jump(Op::kJumpIfFalse, unmatched);
  if (clause.name.empty()) {
    out_.Emit(Op::kPop);
  } else {
    StoreName(clause.name);
  }
  out_.Jump(Op::kPushBlock, on_error);
  regions_.push_back({Region::Kind::kStarHandler});
  Statements(clause.body);
  regions_.pop_back();
  out_.Emit(Op::kPopBlock);
  out_.Emit(Op::kEndHandler);
  forget();
  out_.Jump(Op::kJump, next);
  out_.Bind(on_error);
  out_.Emit(Op::kStarRaised);
  forget();
  out_.Jump(Op::kJump, next);
  out_.Bind(unmatched);
  out_.Emit(Op::kPop);
  out_.Bind(next);
}

// The error lies on the stack, before and, where the clause does not fit, behind.
void RoutineCompiler::Handler(const ExceptClause& clause, Label& end) {
  Label next;
  if (clause.type != nullptr) {
    Value(*clause.type);
    out_.SetSpan(clause.span);
    out_.Emit(Op::kMatchError);
    out_.Jump(Op::kJumpIfFalse, next);
  }
  if (clause.name.empty()) {
    out_.Emit(Op::kPop);
  } else {
    StoreName(clause.name);
  }
  regions_.push_back({Region::Kind::kHandler, nullptr, nullptr, nullptr, clause.name});
  Statements(clause.body);
  const Region region = regions_.back();
  regions_.pop_back();
  Exit(region, Top::kNothing);
  out_.Jump(Op::kJump, end);
  out_.Bind(next);
}

// ---- with.

void RoutineCompiler::operator()(const WithStmt& s) { WithItems(s, 0); }

// manager ->
void RoutineCompiler::LeaveAsync() {
  out_.Emit(Op::kAsyncExit);
  Await();
  out_.Emit(Op::kPop);
}

void RoutineCompiler::WithItems(const WithStmt& s, std::size_t at) {
  if (at == s.items.size()) return Statements(s.body);
  const WithItem& item = s.items[at];
  Label on_error, end;
  const Span span = out_.span();
  Value(*item.manager);
  out_.Emit(s.is_async ? Op::kAsyncEnter : Op::kWithEnter);
  if (s.is_async) Await();
  // From here on an error must leave the manager, so the target is stored inside.
  out_.Jump(Op::kPushWith, on_error);
  regions_.push_back({s.is_async ? Region::Kind::kAsyncWith : Region::Kind::kWith});
  if (item.target != nullptr) {
    Store(*item.target);
  } else {
    out_.Emit(Op::kPop);
  }
  WithItems(s, at + 1);
  regions_.pop_back();
  out_.SetSpan(span);
  out_.Emit(Op::kPopBlock);
  if (s.is_async) {
    LeaveAsync();
  } else {
    out_.Emit(Op::kWithExit);
  }
  out_.Jump(Op::kJump, end);
  out_.Bind(on_error);
  if (s.is_async) {
    out_.Emit(Op::kAsyncError);
    Await();
    out_.Emit(Op::kAsyncExited);
  } else {
    out_.Emit(Op::kWithError);
  }
  out_.Bind(end);
}

}  // namespace espalier::script
