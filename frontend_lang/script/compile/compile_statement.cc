// The half of RoutineCompiler that compiles simple statements, names and functions.
#include <fmt/format.h>

#include "frontend_lang/script/compile/compiler.h"
#include "frontend_lang/script/compile/routine_compiler.h"
#include "frontend_lang/script/values/operators.h"

namespace espalier::script {

std::unique_ptr<const Routine> RoutineCompiler::Finish(std::string name) {
  Routine& code = out_.code();
  code.short_name = std::move(name);
  code.name = name_;
  code.is_generator = scope_.is_generator();
  code.is_async = scope_.is_async();
  for (const std::string_view local : scope_.locals()) code.locals.emplace_back(local);
  code.own_cells = scope_.own_cells();
  code.first_free = scope_.first_free();
  code.captures = scope_.captures();
  const bool plain = !code.is_generator && !code.is_async && code.own_cells.empty() &&
                     code.num_parameters() == code.num_positional;
  if (plain) code.plain_arity = code.num_positional;
  for (const Instruction instruction : code.instructions) {
    code.max_pushed += MostPushed(instruction);
  }
  return std::make_unique<const Routine>(std::move(code));
}

std::string DocOf(const Body& body) {
  const auto* first = body.empty() ? nullptr : body[0]->If<ExprStmt>();
  const auto* doc = first == nullptr ? nullptr : first->value->If<StringExpr>();
  return doc == nullptr || doc->is_bytes ? "" : doc->text;
}

void RoutineCompiler::SetParameters(const Parameters& parameters) {
  Routine& code = out_.code();
  code.num_positional = static_cast<int>(parameters.positional.size());
  code.num_positional_only = static_cast<int>(parameters.num_positional_only);
  code.num_keyword_only = static_cast<int>(parameters.keyword_only.size());
  code.has_star = !parameters.star.empty();
  code.has_double_star = !parameters.double_star.empty();
  for (const Parameter& p : parameters.positional) code.num_defaults += p.default_value != nullptr;
  for (std::size_t i = 0; i < parameters.keyword_only.size(); ++i) {
    if (parameters.keyword_only[i].default_value != nullptr) {
      code.keyword_defaults.push_back(static_cast<int>(i));
    }
  }
}

std::unique_ptr<const Routine> RoutineCompiler::File(const Body& body) {
  out_.code().doc = DocOf(body);
  Statements(body);
  out_.LoadNone();
  out_.Emit(Op::kReturn);
  return Finish("<module>");
}

std::unique_ptr<const Routine> RoutineCompiler::Function(const FunctionStmt& function) {
  SetParameters(function.parameters);
  out_.code().doc = DocOf(function.body);
  Statements(function.body);
  out_.LoadNone();
  out_.Emit(Op::kReturn);
  return Finish(std::string(function.name));
}

std::unique_ptr<const Routine> RoutineCompiler::Lambda(const LambdaExpr& lambda) {
  SetParameters(lambda.parameters);
  Value(*lambda.body);
  out_.Emit(Op::kReturn);
  return Finish("<lambda>");
}

void RoutineCompiler::Statements(const Body& body) {
  for (const Stmt* stmt : body) Statement(*stmt);
}

void RoutineCompiler::Statement(const Stmt& stmt) {
  out_.SetSpan(stmt.span);
  std::visit(*this, stmt.node);
}

void RoutineCompiler::operator()(const ExprStmt& s) {
  if (s.value->If<StringExpr>() != nullptr || s.value->If<EllipsisExpr>() != nullptr) return;
  Value(*s.value);
  out_.Emit(Op::kPop);
}

// a, b = x, y without a tuple: the values lie on the stack, and are turned around.
bool RoutineCompiler::AssignPair(const AssignStmt& s) {
  const auto* values = s.value->If<TupleExpr>();
  const auto* targets = s.targets[0]->If<TupleExpr>();
  if (s.targets.size() != 1 || values == nullptr || targets == nullptr) return false;
  if (values->items.size() != 2 || targets->items.size() != 2) return false;
  for (const auto* items : {&values->items, &targets->items}) {
    for (const Expr* item : *items) {
      if (item->If<StarredExpr>() != nullptr) return false;
    }
  }
  Value(*values->items[0]);
  Value(*values->items[1]);
  out_.Emit(Op::kSwap);
  Store(*targets->items[0]);
  Store(*targets->items[1]);
  return true;
}

void RoutineCompiler::operator()(const AssignStmt& s) {
  if (AssignPair(s)) return;
  Value(*s.value);
  for (std::size_t i = 0; i < s.targets.size(); ++i) {
    if (i + 1 < s.targets.size()) out_.Emit(Op::kDup);
    Store(*s.targets[i]);
  }
}

void RoutineCompiler::operator()(const AugmentedStmt& s) {
  const Span span{s.target->span.begin, s.value->span.end};
  const int op = static_cast<int>(BinaryOpOf(s.op));
  if (const auto* name = s.target->If<NameExpr>()) {
    out_.SetSpan(s.target->span);
    LoadName(name->name);
    Value(*s.value);
    out_.SetSpan(span);
    return AugmentName(name->name, op);
  }
  if (const auto* attribute = s.target->If<AttributeExpr>()) {
    Value(*attribute->object);
    out_.SetSpan(s.target->span);
    out_.Emit(Op::kDup);
    out_.Emit(Op::kLoadAttr, AttributeName(attribute->name));
    Value(*s.value);
    out_.SetSpan(span);
    out_.Emit(Op::kInPlace, op);
    out_.Emit(Op::kSwap);
    out_.Emit(Op::kStoreAttr, AttributeName(attribute->name));
    return;
  }
  const auto* item = s.target->If<SubscriptExpr>();
  Value(*item->object);
  Value(*item->index);
  out_.SetSpan(s.target->span);
  out_.Emit(Op::kDupTwo);
  out_.Emit(Op::kLoadItem);
  Value(*s.value);
  out_.SetSpan(span);
  out_.Emit(Op::kInPlace, op);
  out_.Emit(Op::kRotateThree);
  out_.Emit(Op::kStoreItem);
}

void RoutineCompiler::operator()(const AnnotatedStmt& s) {
  if (s.value != nullptr) {
    Value(*s.value);
    Store(*s.target);
  }
  const auto* name = s.target->If<NameExpr>();
  if (name != nullptr && scope_.is_class()) Annotate(name->name, *s.annotation);
}

void RoutineCompiler::operator()(const ReturnStmt& s) {
  if (s.value != nullptr) {
    Value(*s.value);
  } else {
    out_.LoadNone();
  }
  ExitTo(0, Top::kValue);
  out_.Emit(Op::kReturn);
}

void RoutineCompiler::operator()(const RaiseStmt& s) {
  const Span span = out_.span();
  if (s.error != nullptr) Value(*s.error);
  if (s.cause != nullptr) Value(*s.cause);
  out_.SetSpan(span);
  out_.Emit(Op::kRaise, s.error == nullptr ? 0 : s.cause == nullptr ? 1 : 2);
}

namespace {

// The comparison that CPython blames for a failed condition: the last one that it compiles
// as a jump. Null: it blames the statement.
const Expr* LastComparison(const Expr& test) {
  if (test.If<CompareExpr>() != nullptr) return &test;
  if (const auto* unary = test.If<UnaryExpr>(); unary && unary->op == TokenKind::kNot) {
    return LastComparison(*unary->operand);
  }
  std::vector<const Expr*> parts;
  if (const auto* logical = test.If<LogicalExpr>()) parts = logical->items;
  if (const auto* either = test.If<ConditionalExpr>()) {
    parts = {either->test, either->then, either->otherwise};
  }
  const Expr* last = nullptr;
  for (const Expr* part : parts) {
    if (const Expr* found = LastComparison(*part)) last = found;
  }
  return last;
}

}  // namespace

void RoutineCompiler::operator()(const AssertStmt& s) {
  const Expr* blamed = LastComparison(*s.test);
  const Span span = blamed != nullptr ? blamed->span : out_.span();
  Label holds;
  Value(*s.test);
  out_.Jump(Op::kJumpIfTrue, holds);
  if (s.message != nullptr) Value(*s.message);
  out_.SetSpan(span);
  out_.Emit(Op::kAssertFail, s.message != nullptr ? 1 : 0);
  out_.Bind(holds);
}

void RoutineCompiler::operator()(const DelStmt& s) {
  for (const Expr* target : s.targets) Delete(*target);
}

void RoutineCompiler::operator()(const ImportStmt& s) {
  for (const ImportedName& module : s.modules) {
    out_.SetSpan(module.span);
    out_.Emit(Op::kImport, out_.pools().Name(module.name));
    const std::string_view root = module.name.substr(0, module.name.find('.'));
    if (root.size() < module.name.size() && module.alias == root) {  // "import a.b" binds a
      out_.Emit(Op::kPop);
      out_.Emit(Op::kImport, out_.pools().Name(root));
    }
    StoreName(module.alias);
  }
}

void RoutineCompiler::operator()(const FromImportStmt& s) {
  if (s.module == "__future__") {
    for (const ImportedName& name : s.names) {
      shared_.postponed_annotations |= name.name == "annotations";
    }
    return;
  }
  out_.SetSpan(s.module_span);
  out_.Emit(Op::kImport, out_.pools().Name(s.module));
  if (s.names.empty()) return out_.Emit(Op::kImportStar);
  for (const ImportedName& name : s.names) {
    out_.SetSpan(name.span);
    out_.Emit(Op::kImportFrom, out_.pools().Name(name.name));
    StoreName(name.alias);
  }
  out_.Emit(Op::kPop);
}

// ---- Names and targets.

void RoutineCompiler::LoadName(std::string_view name) {
  const Variable variable = scope_.Find(name);
  switch (variable.storage) {
    case Storage::kLocal:
      if (!scope_.is_class()) return out_.Emit(Op::kLoadLocal, variable.slot);
      out_.Emit(Op::kLoadIfBound, variable.slot);
      return out_.Emit(Op::kLoadGlobal, out_.pools().Global(name));
    case Storage::kCell: return out_.Emit(Op::kLoadCell, variable.slot);
    case Storage::kGlobal: return out_.Emit(Op::kLoadGlobal, out_.pools().Global(name));
  }
}

void RoutineCompiler::StoreName(std::string_view name) {
  const Variable variable = scope_.Find(name);
  switch (variable.storage) {
    case Storage::kLocal: return out_.Emit(Op::kStoreLocal, variable.slot);
    case Storage::kCell: return out_.Emit(Op::kStoreCell, variable.slot);
    case Storage::kGlobal: return out_.Emit(Op::kStoreGlobal, out_.pools().Global(name));
  }
}

void RoutineCompiler::DeleteName(std::string_view name) {
  const Variable variable = scope_.Find(name);
  switch (variable.storage) {
    case Storage::kLocal: return out_.Emit(Op::kDeleteLocal, variable.slot);
    case Storage::kCell: return out_.Emit(Op::kDeleteCell, variable.slot);
    case Storage::kGlobal: return out_.Emit(Op::kDeleteGlobal, out_.pools().Global(name));
  }
}

void RoutineCompiler::AugmentName(std::string_view name, int op) {
  const Variable variable = scope_.Find(name);
  switch (variable.storage) {
    case Storage::kLocal: return out_.Emit(Op::kInPlaceLocal, variable.slot << 8 | op);
    case Storage::kCell: return out_.Emit(Op::kInPlaceCell, variable.slot << 8 | op);
    case Storage::kGlobal:
      return out_.Emit(Op::kInPlaceGlobal, out_.pools().Global(name) << 8 | op);
  }
}

void RoutineCompiler::Store(const Expr& target) {
  out_.SetSpan(target.span);
  if (const auto* name = target.If<NameExpr>()) return StoreName(name->name);
  if (const auto* tuple = target.If<TupleExpr>()) return StoreUnpacked(tuple->items, target.span);
  if (const auto* list = target.If<ListExpr>()) return StoreUnpacked(list->items, target.span);
  if (const auto* attribute = target.If<AttributeExpr>()) {
    Value(*attribute->object);
    out_.SetSpan(target.span);
    return out_.Emit(Op::kStoreAttr, AttributeName(attribute->name));
  }
  const auto* item = target.If<SubscriptExpr>();
  Value(*item->object);
  Value(*item->index);
  out_.SetSpan(target.span);
  out_.Emit(Op::kStoreItem);
}

void RoutineCompiler::StoreUnpacked(const std::vector<const Expr*>& items, Span span) {
  constexpr std::size_t kMaxTargets = 10000;
  if (items.size() > kMaxTargets) shared_.Fail("too many targets in an assignment", span);
  int star = -1;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i]->If<StarredExpr>() != nullptr) star = static_cast<int>(i);
  }
  const int count = static_cast<int>(items.size());
  if (star < 0) {
    out_.Emit(Op::kUnpack, count);
  } else {
    out_.Emit(Op::kUnpackStar, star << 16 | (count - star - 1));
  }
  for (const Expr* item : items) {
    const auto* starred = item->If<StarredExpr>();
    Store(starred != nullptr ? *starred->value : *item);
  }
}

void RoutineCompiler::Delete(const Expr& target) {
  if (const auto* tuple = target.If<TupleExpr>()) {
    for (const Expr* item : tuple->items) Delete(*item);
    return;
  }
  if (const auto* list = target.If<ListExpr>()) {
    for (const Expr* item : list->items) Delete(*item);
    return;
  }
  if (const auto* name = target.If<NameExpr>()) {
    out_.SetSpan(target.span);
    return DeleteName(name->name);
  }
  const auto* attribute = target.If<AttributeExpr>();
  const auto* item = target.If<SubscriptExpr>();
  Value(attribute != nullptr ? *attribute->object : *item->object);
  if (item != nullptr) Value(*item->index);
  out_.SetSpan(target.span);
  if (attribute != nullptr) {
    out_.Emit(Op::kDeleteAttr, AttributeName(attribute->name));
  } else {
    out_.Emit(Op::kDeleteItem);
  }
}

// ---- Functions.

void RoutineCompiler::MakeFunction(const Parameters& parameters,
                                   std::unique_ptr<const Routine> code) {
  for (const Parameter& p : parameters.positional) {
    if (p.default_value != nullptr) Value(*p.default_value);
  }
  for (const Parameter& p : parameters.keyword_only) {
    if (p.default_value != nullptr) Value(*p.default_value);
  }
  out_.Emit(Op::kMakeFunction, out_.pools().AddRoutine(std::move(code)));
}

// function -> function. The types are evaluated only when somebody asks for them.
void RoutineCompiler::Annotate(const LambdaExpr& annotate) {
  out_.Emit(Op::kDup);
  if (shared_.postponed_annotations) {
    const std::vector<DictItem>& items = annotate.body->If<DictExpr>()->items;
    out_.Emit(Op::kBuildDict, 0);
    for (const DictItem& item : items) {
      Value(*item.key);
      out_.Load(std::string(shared_.ast.source->Text(item.value->span)));
      out_.Emit(Op::kDictPut, 1);
    }
  } else {
    MakeFunction({}, Inner(&annotate, "__annotations__").Lambda(annotate));
  }
  out_.Emit(Op::kSwap);
  out_.Emit(Op::kStoreAttr, out_.pools().Name(std::string(kAnnotateName)));
}

void RoutineCompiler::operator()(const FunctionStmt& s) {
  const Span span = out_.span();
  for (const Expr* decorator : s.decorators) Value(*decorator);
  out_.SetSpan(span);
  MakeFunction(s.parameters, Inner(&s, s.name).Function(s));
  if (s.annotate != nullptr) Annotate(*s.annotate->If<LambdaExpr>());
  for (auto it = s.decorators.rbegin(); it != s.decorators.rend(); ++it) {
    out_.SetSpan((*it)->span);
    out_.Emit(Op::kCall, 1);
  }
  StoreName(s.name);
}

}  // namespace espalier::script
