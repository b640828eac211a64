// The half of RoutineCompiler that compiles expressions.
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "frontend_lang/script/compile/constant.h"
#include "frontend_lang/script/compile/routine_compiler.h"
#include "frontend_lang/script/values/integer/integer.h"

namespace espalier::script {

lang::BinaryOp BinaryOpOf(TokenKind op) {
  using B = lang::BinaryOp;
  switch (op) {
    case TokenKind::kPlus: return B::kAdd;
    case TokenKind::kMinus: return B::kSub;
    case TokenKind::kStar: return B::kMul;
    case TokenKind::kSlash: return B::kDiv;
    case TokenKind::kDoubleSlash: return B::kFloorDiv;
    case TokenKind::kPercent: return B::kMod;
    case TokenKind::kPower: return B::kPow;
    case TokenKind::kShiftLeft: return B::kLeftShift;
    case TokenKind::kShiftRight: return B::kRightShift;
    case TokenKind::kAmpersand: return B::kAnd;
    case TokenKind::kPipe: return B::kOr;
    case TokenKind::kAt: return B::kMatMul;
    default: ESP_CHECK(op == TokenKind::kCaret); return B::kXor;
  }
}

void RoutineCompiler::Value(const Expr& expr) {
  const Span outer = out_.span();
  out_.SetSpan(expr.span);
  std::visit(*this, expr.node);
  out_.SetSpan(outer);
}

void RoutineCompiler::operator()(const EllipsisExpr&) {
  out_.Emit(Op::kLoadGlobal, out_.pools().Global("Ellipsis"));
}

void RoutineCompiler::operator()(const NumberExpr& e) {
  std::string digits;
  for (const char c : e.literal) {
    if (c != '_') digits += c;
  }
  if (e.is_float) {
    double value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    // Out of range is infinity, or zero for a negative exponent, as in Python.
    if (read.ec == std::errc::result_out_of_range) value = std::strtod(digits.c_str(), nullptr);
    return out_.Load(value);
  }
  int base = 10;
  if (digits.size() > 2 && digits[0] == '0') {
    const char mark = static_cast<char>(digits[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
  }
  const char* begin = digits.data() + (base == 10 ? 0 : 2);
  std::int64_t value = 0;
  if (std::from_chars(begin, digits.data() + digits.size(), value, base).ec != std::errc()) {
    BigLiteral literal{digits.substr(base == 10 ? 0 : 2), base};
    if (base == 10 && literal.digits.size() > lang::kMostDecimalDigits) {
      shared_.Fail(fmt::format("Exceeds the limit ({} digits) for integer string conversion: value "
                               "has {} digits",
                               lang::kMostDecimalDigits, literal.digits.size()),
                   out_.span(), "write it in hexadecimal");
    }
    return out_.Load(std::move(literal));
  }
  out_.Load(value);
}

void RoutineCompiler::operator()(const NameExpr& e) { LoadName(e.name); }

// Items with stars among them are added to a container one by one.
void RoutineCompiler::Items(const std::vector<const Expr*>& items, Op build, Op append, Op extend) {
  constexpr std::size_t kMaxOnStack = 256;
  bool starred = items.size() > kMaxOnStack;
  for (const Expr* item : items) starred |= item->If<StarredExpr>() != nullptr;
  if (!starred) {
    for (const Expr* item : items) Value(*item);
    return out_.Emit(build, static_cast<int>(items.size()));
  }
  out_.Emit(build, 0);
  for (const Expr* item : items) {
    if (const auto* star = item->If<StarredExpr>()) {
      Value(*star->value);
      out_.Emit(extend);
    } else {
      Value(*item);
      out_.Emit(append, 1);
    }
  }
}

void RoutineCompiler::operator()(const TupleExpr& e) {
  constexpr std::size_t kMaxOnStack = 256;
  bool simple = e.items.size() <= kMaxOnStack;
  for (const Expr* item : e.items) simple &= item->If<StarredExpr>() == nullptr;
  if (simple) return Items(e.items, Op::kBuildTuple, Op::kListAppend, Op::kListExtend);
  Items(e.items, Op::kBuildList, Op::kListAppend, Op::kListExtend);
  out_.Emit(Op::kListToTuple);
}

void RoutineCompiler::operator()(const ListExpr& e) {
  Items(e.items, Op::kBuildList, Op::kListAppend, Op::kListExtend);
}

void RoutineCompiler::operator()(const SetExpr& e) {
  constexpr std::size_t kFewItems = 2;  // which CPython puts in one by one
  const bool kept = e.items.size() > kFewItems && IsConstantSet(e);
  if (!kept) return Items(e.items, Op::kBuildSet, Op::kSetAdd, Op::kSetExtend);
  out_.Emit(Op::kBuildSet, 0);
  KeptSet(e);
  out_.Emit(Op::kSetExtend);
}

// The frozenset that CPython keeps of constants: made anew from the items of a first one, in the
// order that they have there.
void RoutineCompiler::KeptSet(const SetExpr& e) {
  out_.Emit(Op::kBuildSet, 0);
  out_.Emit(Op::kBuildList, 0);
  Items(e.items, Op::kBuildSet, Op::kSetAdd, Op::kSetExtend);
  out_.Emit(Op::kListExtend);
  out_.Emit(Op::kSetExtend);
}

// What a loop walks through: of constants, the set that is kept.
void RoutineCompiler::Source(const Expr& expr) {
  const auto* set = expr.If<SetExpr>();
  if (set == nullptr || !IsConstantSet(*set)) return Value(expr);
  const Span outer = out_.span();
  out_.SetSpan(expr.span);
  KeptSet(*set);
  out_.SetSpan(outer);
}

void RoutineCompiler::operator()(const DictExpr& e) {
  constexpr std::size_t kMaxOnStack = 128;
  bool plain = e.items.size() <= kMaxOnStack;
  for (const DictItem& item : e.items) plain &= item.key != nullptr;
  if (!plain) out_.Emit(Op::kBuildDict, 0);
  for (const DictItem& item : e.items) {
    if (item.key != nullptr) Value(*item.key);
    Value(*item.value);
    if (!plain) out_.Emit(item.key != nullptr ? Op::kDictPut : Op::kDictMerge, 1);
  }
  if (plain) out_.Emit(Op::kBuildDict, static_cast<int>(e.items.size()));
}

void RoutineCompiler::operator()(const StarredExpr& e) {
  shared_.Fail("can't use starred expression here", e.value->span);
}

void RoutineCompiler::operator()(const UnaryExpr& e) {
  Value(*e.operand);
  switch (e.op) {
    case TokenKind::kNot: return out_.Emit(Op::kNot);
    case TokenKind::kPlus: return out_.Emit(Op::kUnary, static_cast<int>(lang::UnaryOp::kPlus));
    case TokenKind::kMinus: return out_.Emit(Op::kUnary, static_cast<int>(lang::UnaryOp::kMinus));
    default: return out_.Emit(Op::kUnary, static_cast<int>(lang::UnaryOp::kInvert));
  }
}

void RoutineCompiler::operator()(const BinaryExpr& e) {
  Value(*e.left);
  Value(*e.right);
  out_.Emit(Op::kBinary, static_cast<int>(BinaryOpOf(e.op)));
}

void RoutineCompiler::operator()(const LogicalExpr& e) {
  Label end;
  for (std::size_t i = 0; i < e.items.size(); ++i) {
    Value(*e.items[i]);
    if (i + 1 == e.items.size()) break;
    out_.Jump(e.op == TokenKind::kAnd ? Op::kJumpIfFalseKeep : Op::kJumpIfTrueKeep, end);
  }
  out_.Bind(end);
}

void RoutineCompiler::operator()(const CompareExpr& e) {
  Value(*e.first);
  Label cleanup, end;
  for (std::size_t i = 0; i < e.rest.size(); ++i) {
    const bool last = i + 1 == e.rest.size();
    Value(*e.rest[i].second);
    if (!last) {
      out_.Emit(Op::kDup);
      out_.Emit(Op::kRotateThree);
    }
    out_.Emit(Op::kCompare, static_cast<int>(e.rest[i].first));
    if (!last) out_.Jump(Op::kJumpIfFalseKeep, cleanup);
  }
  if (e.rest.size() == 1) return;
  out_.Jump(Op::kJump, end);
  out_.Bind(cleanup);
  out_.Emit(Op::kSwap);
  out_.Emit(Op::kPop);
  out_.Bind(end);
}

void RoutineCompiler::operator()(const ConditionalExpr& e) {
  Label otherwise, end;
  Value(*e.test);
  out_.Jump(Op::kJumpIfFalse, otherwise);
  Value(*e.then);
  out_.Jump(Op::kJump, end);
  out_.Bind(otherwise);
  Value(*e.otherwise);
  out_.Bind(end);
}

void RoutineCompiler::operator()(const AttributeExpr& e) {
  CheckAttribute(e.name);
  // x.__class__.__name__, as many a __repr__ has it; alone, __class__ is refused.
  const auto* of_class = e.object->If<AttributeExpr>();
  if (of_class != nullptr && of_class->name == kClassCell && e.name == "__name__") {
    Value(*of_class->object);
    out_.Emit(Op::kLoadType);
  } else {
    Value(*e.object);
  }
  out_.SetSpan(NamedLine(e, out_.span()));
  out_.Emit(Op::kLoadAttr, AttributeName(e.name));
}

void RoutineCompiler::operator()(const SubscriptExpr& e) {
  Value(*e.object);
  Value(*e.index);
  out_.Emit(Op::kLoadItem);
}

void RoutineCompiler::operator()(const SliceExpr& e) {
  for (const Expr* part : {e.start, e.stop, e.step}) {
    if (part != nullptr) {
      Value(*part);
    } else {
      out_.LoadNone();
    }
  }
  out_.Emit(Op::kBuildSlice);
}

void RoutineCompiler::operator()(const LambdaExpr& e) {
  MakeFunction(e.parameters, Inner(&e, "<lambda>").Lambda(e));
}

void RoutineCompiler::operator()(const FormattedExpr& e) {
  Value(*e.value);
  if (e.spec != nullptr) {
    Value(*e.spec);
  } else {
    out_.LoadNone();
  }
  out_.Emit(Op::kFormat, e.conversion);
}

void RoutineCompiler::operator()(const JoinedExpr& e) {
  constexpr std::size_t kMaxOnStack = 256;
  std::size_t num_pending = 0;
  const Span span = out_.span();
  for (const Expr* part : e.parts) {
    Value(*part);
    if (part->If<FormattedExpr>() != nullptr) out_.MoveSpan(span);
    if (++num_pending < kMaxOnStack) continue;
    out_.Emit(Op::kBuildString, static_cast<int>(num_pending));
    num_pending = 1;
  }
  out_.Emit(Op::kBuildString, static_cast<int>(num_pending));
}

void RoutineCompiler::operator()(const WalrusExpr& e) {
  Value(*e.value);
  out_.Emit(Op::kDup);
  StoreName(e.name);
}

void RoutineCompiler::operator()(const YieldExpr& e) {
  if (e.value != nullptr) {
    Value(*e.value);
  } else {
    out_.LoadNone();
  }
  if (!e.from) {
    if (scope_.is_async()) out_.Emit(Op::kWrapYield);
    return out_.Emit(Op::kYield);
  }
  out_.Emit(Op::kYieldIterate);
  Delegate();
}

// it -> what it returns, once all that it gives has been yielded.
void RoutineCompiler::Delegate() {
  Label next, end;
  out_.LoadNone();
  out_.Bind(next);
  out_.Jump(Op::kSend, end);
  out_.Jump(Op::kYield, end);
  out_.Jump(Op::kJump, next);
  out_.Bind(end);
}

void RoutineCompiler::operator()(const AwaitExpr& e) {
  Value(*e.value);
  Await();
}

void RoutineCompiler::Await() {
  out_.Emit(Op::kAwaitIterate);
  Delegate();
}

}  // namespace espalier::script
