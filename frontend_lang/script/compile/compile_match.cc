// The part of RoutineCompiler that compiles match statements.
//
// A pattern takes the value on top of the stack, or jumps away with as many values
// left as its label says; the labels' code pops them one after the other.
#include <algorithm>

#include "frontend_lang/script/compile/routine_compiler.h"
#include "frontend_lang/script/syntax/walk.h"

namespace espalier::script {
namespace {

constexpr std::size_t kMaxNames = 1000, kMaxDepth = 10000;

void CollectNames(const Pattern& pattern, std::vector<std::string_view>& names) {
  const auto add = [&](std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  if (const auto* capture = pattern.If<CapturePattern>()) add(capture->name);
  ForEachSubpattern(pattern, [&](const Pattern& part) { CollectNames(part, names); });
  if (const auto* as = pattern.If<AsPattern>()) add(as->name);
  if (const auto* mapping = pattern.If<MappingPattern>(); mapping && !mapping->rest.empty()) {
    add(mapping->rest);
  }
}

}  // namespace

void RoutineCompiler::operator()(const MatchStmt& s) {
  Label end;
  Value(*s.subject);
  for (const MatchCase& one : s.cases) Case(one, end);
  out_.Emit(Op::kPop);
  out_.Bind(end);
}

// subject -> subject where the case does not fit; otherwise goes to `end` without it.
void RoutineCompiler::Case(const MatchCase& one, Label& end) {
  Matching m;
  Label next;
  CollectNames(*one.pattern, m.names);
  if (m.names.size() > kMaxNames) shared_.Fail("too many names in a pattern", one.pattern->span);
  out_.SetSpan(one.pattern->span);
  out_.Emit(Op::kDup);
  for (std::size_t i = 0; i < m.names.size(); ++i) out_.LoadNone();
  out_.Emit(Op::kBuildList, static_cast<int>(m.names.size()));
  out_.Emit(Op::kSwap);
  m.depth = 1;
  Match(*one.pattern, m);
  out_.Emit(Op::kUnpack, static_cast<int>(m.names.size()));
  for (const std::string_view name : m.names) StoreName(name);
  if (one.guard != nullptr) {
    Value(*one.guard);
    out_.Jump(Op::kJumpIfFalse, next);
  }
  out_.Emit(Op::kPop);
  Statements(one.body);
  out_.Jump(Op::kJump, end);
  BindFailures(m, 0);
  out_.Emit(Op::kPop);
  out_.Bind(next);
}

void RoutineCompiler::FailUnless(Matching& m) {
  if (m.fail.size() <= m.depth) m.fail.resize(m.depth + 1);
  out_.Jump(Op::kJumpIfFalse, m.fail[m.depth]);
}

void RoutineCompiler::BindFailures(Matching& m, std::size_t depth) {
  if (m.fail.size() <= depth) m.fail.resize(depth + 1);
  for (std::size_t i = m.fail.size(); i-- > depth;) {
    out_.Bind(m.fail[i]);
    if (i > depth) out_.Emit(Op::kPop);
  }
}

void RoutineCompiler::Capture(std::string_view name, Matching& m) {
  const auto at = std::find(m.names.begin(), m.names.end(), name) - m.names.begin();
  --m.depth;
  out_.Emit(Op::kCapture, static_cast<int>(at) << 16 | static_cast<int>(m.depth));
}

void RoutineCompiler::Match(const Pattern& pattern, Matching& m) {
  const Span outer = out_.span();
  out_.SetSpan(pattern.span);
  if (m.depth > kMaxDepth) shared_.Fail("this pattern is too large", pattern.span);
  if (const auto* capture = pattern.If<CapturePattern>()) {
    Capture(capture->name, m);
  } else if (const auto* as = pattern.If<AsPattern>()) {
    out_.Emit(Op::kDup);
    ++m.depth;
    Match(*as->pattern, m);
    Capture(as->name, m);
  } else if (const auto* value = pattern.If<ValuePattern>()) {
    MatchPart(*value, m);
  } else if (const auto* any = pattern.If<OrPattern>()) {
    MatchPart(*any, m);
  } else if (const auto* sequence = pattern.If<SequencePattern>()) {
    MatchPart(*sequence, m);
  } else if (const auto* mapping = pattern.If<MappingPattern>()) {
    MatchPart(*mapping, m);
  } else if (const auto* type = pattern.If<ClassPattern>()) {
    MatchPart(*type, m);
  } else {  // the wildcard
    out_.Emit(Op::kPop);
    --m.depth;
  }
  out_.SetSpan(outer);
}

void RoutineCompiler::MatchPart(const ValuePattern& pattern, Matching& m) {
  const Expr& value = *pattern.value;
  const bool singleton = value.If<NoneExpr>() != nullptr || value.If<BoolExpr>() != nullptr;
  Value(value);
  out_.Emit(Op::kCompare, static_cast<int>(singleton ? CompareOp::kIs : CompareOp::kEqual));
  --m.depth;
  FailUnless(m);
}

void RoutineCompiler::MatchPart(const OrPattern& pattern, Matching& m) {
  Label matched;
  const std::size_t depth = m.depth;
  std::vector<Label> outer = std::move(m.fail);
  for (const Pattern* one : pattern.alternatives) {
    m.fail.clear();
    out_.Emit(Op::kDup);
    m.depth = depth + 1;
    Match(*one, m);
    out_.Jump(Op::kJump, matched);
    BindFailures(m, depth);
  }
  m.fail = std::move(outer);
  m.depth = depth;
  if (m.fail.size() <= depth) m.fail.resize(depth + 1);
  out_.Jump(Op::kJump, m.fail[depth]);
  out_.Bind(matched);
  out_.Emit(Op::kPop);
  --m.depth;
}

void RoutineCompiler::MatchPart(const SequencePattern& pattern, Matching& m) {
  const int count = static_cast<int>(pattern.items.size());
  const int least = pattern.star < 0 ? count : count - 1;
  out_.Emit(Op::kMatchSequence);
  FailUnless(m);
  out_.Emit(Op::kMatchLength, least << 1 | (pattern.star < 0 ? 0 : 1));
  FailUnless(m);
  if (pattern.star < 0) {
    out_.Emit(Op::kUnpack, count);
  } else {
    out_.Emit(Op::kUnpackStar, pattern.star << 16 | (count - pattern.star - 1));
  }
  m.depth += pattern.items.size() - 1;
  for (const Pattern* item : pattern.items) Match(*item, m);
}

void RoutineCompiler::MatchPart(const MappingPattern& pattern, Matching& m) {
  out_.Emit(Op::kMatchMapping, static_cast<int>(pattern.items.size()));
  FailUnless(m);
  for (const auto& [key, item] : pattern.items) Value(*key);
  out_.Emit(Op::kBuildTuple, static_cast<int>(pattern.items.size()));
  out_.Emit(Op::kMatchKeys);
  m.depth += 2;
  FailUnless(m);
  out_.Emit(Op::kUnpack, static_cast<int>(pattern.items.size()));
  m.depth += pattern.items.size() - 1;
  for (const auto& [key, item] : pattern.items) Match(*item, m);
  if (!pattern.rest.empty()) {
    out_.Emit(Op::kMatchRest);
    --m.depth;
    return Capture(pattern.rest, m);
  }
  out_.Emit(Op::kPop);
  out_.Emit(Op::kPop);
  m.depth -= 2;
}

void RoutineCompiler::MatchPart(const ClassPattern& pattern, Matching& m) {
  CallShape shape;
  shape.num_positional = static_cast<int>(pattern.positional.size());
  for (const auto& [name, item] : pattern.keywords) {
    CheckAttribute(name);
    shape.keywords.emplace_back(name);
  }
  Value(*pattern.type);
  out_.Emit(Op::kMatchClass, out_.pools().Shape(std::move(shape)));
  FailUnless(m);
  const std::size_t count = pattern.positional.size() + pattern.keywords.size();
  out_.Emit(Op::kUnpack, static_cast<int>(count));
  m.depth += count - 1;
  for (const Pattern* item : pattern.positional) Match(*item, m);
  for (const auto& [name, item] : pattern.keywords) Match(*item, m);
}

}  // namespace espalier::script
