// The part of RoutineCompiler that compiles calls.
#include <algorithm>
#include <string>
#include <utility>

#include "frontend_lang/script/compile/routine_compiler.h"

namespace espalier::script {
namespace {

constexpr int kInCall = 1;  // of kListExtend: the function lies below the list

CallShape ShapeOf(const CallExpr& e) {
  CallShape shape;
  for (const Argument& argument : e.arguments) {
    if (argument.kind == ArgumentKind::kKeyword) {
      shape.keywords.emplace_back(argument.name);
    } else {
      ++shape.num_positional;
    }
  }
  return shape;
}

// Whether nobody can tell when the expression is evaluated.
bool DoesNothing(const Expr& e) {
  return e.If<NameExpr>() != nullptr || e.If<NumberExpr>() != nullptr ||
         e.If<StringExpr>() != nullptr || e.If<BoolExpr>() != nullptr ||
         e.If<NoneExpr>() != nullptr;
}

}  // namespace

void RoutineCompiler::operator()(const CallExpr& e) {
  for (const Argument& argument : e.arguments) {
    if (argument.kind == ArgumentKind::kStar || argument.kind == ArgumentKind::kDoubleStar) {
      return SpreadCall(e);
    }
  }
  PlainCall(e);
}

void RoutineCompiler::PlainCall(const CallExpr& e) {
  const auto* attribute = e.callee->If<AttributeExpr>();
  if (attribute != nullptr) CheckAttribute(attribute->name);
  if (SuperCall(e)) return;
  if (attribute != nullptr) return MethodCall(e, *attribute);
  Value(*e.callee);
  for (const Argument& argument : e.arguments) Value(*argument.value);
  CallShape shape = ShapeOf(e);
  if (shape.keywords.empty()) {
    out_.Emit(Op::kCall, shape.num_positional);
  } else {
    out_.Emit(Op::kCallKeywords, out_.pools().Shape(std::move(shape)));
  }
}

void RoutineCompiler::MethodCall(const CallExpr& e, const AttributeExpr& method) {
  CallShape shape = ShapeOf(e);
  shape.name = AttributeName(method.name);
  shape.callee = NamedLine(method, e.callee->span);
  const Span callee = shape.callee;
  const int number = out_.pools().Shape(std::move(shape));
  // The method is looked up first; where the arguments do nothing, nobody can tell.
  const bool at_once = std::all_of(e.arguments.begin(), e.arguments.end(),
                                   [](const Argument& a) { return DoesNothing(*a.value); });
  Value(*method.object);
  const Span whole = out_.span();
  if (!at_once) {
    out_.SetSpan(callee);
    out_.Emit(Op::kLoadMethod, number);
    out_.SetSpan(whole);
  }
  for (const Argument& argument : e.arguments) Value(*argument.value);
  // CPython tells the line of the method's name, where the object begins on another.
  if (callee.begin != e.callee->span.begin) out_.SetSpan({callee.begin, whole.end});
  out_.Emit(at_once ? Op::kCallMethod : Op::kCallLoaded, number);
}

void RoutineCompiler::SpreadCall(const CallExpr& e) {
  Value(*e.callee);
  out_.Emit(Op::kBuildList, 0);
  for (const Argument& argument : e.arguments) {
    if (argument.kind == ArgumentKind::kPositional || argument.kind == ArgumentKind::kStar) {
      Value(*argument.value);
      const bool star = argument.kind == ArgumentKind::kStar;
      out_.Emit(star ? Op::kListExtend : Op::kListAppend, star ? kInCall : 1);
    }
  }
  out_.Emit(Op::kListToTuple);
  out_.Emit(Op::kBuildDict, 0);
  for (const Argument& argument : e.arguments) {
    if (argument.kind == ArgumentKind::kKeyword) {
      out_.Emit(Op::kBuildDict, 0);
      out_.Load(std::string(argument.name));
      Value(*argument.value);
      out_.Emit(Op::kDictPut, 1);
      out_.Emit(Op::kKeywordMerge);
    } else if (argument.kind == ArgumentKind::kDoubleStar) {
      Value(*argument.value);
      out_.Emit(Op::kKeywordMerge);
    }
  }
  out_.Emit(Op::kCallSpread);
}

// The span of object.name; of the name alone where that stands on a later line.
Span RoutineCompiler::NamedLine(const AttributeExpr& e, Span span) const {
  const auto length = static_cast<std::uint32_t>(e.name.size());
  if (shared_.ast.source->Text(span).find('\n') == std::string_view::npos) return span;
  return {span.end - length, span.end};
}

}  // namespace espalier::script
