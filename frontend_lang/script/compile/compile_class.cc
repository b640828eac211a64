// The part of RoutineCompiler that compiles class statements, and names within classes.
#include <fmt/format.h>

#include "frontend_lang/script/classes/special_methods.h"
#include "frontend_lang/script/compile/routine_compiler.h"

namespace espalier::script {
namespace {

// What class statements pass to the body, by slot.
constexpr int kAnnotations = 2;

bool IsDunder(std::string_view name) { return name.starts_with("__") && name.ends_with("__"); }

// Python's own mangling: __x in class C is _C__x.
std::string Mangled(std::string_view name, std::string_view class_name) {
  while (class_name.starts_with('_')) class_name.remove_prefix(1);
  if (!name.starts_with("__") || name.ends_with("__") || class_name.empty()) {
    return std::string(name);
  }
  return fmt::format("_{}{}", class_name, name);
}

}  // namespace

std::string RoutineCompiler::Qualified(std::string_view name) const {
  if (name_.empty()) return std::string(name);
  return fmt::format("{}{}.{}", name_, scope_.is_class() ? "" : ".<locals>", name);
}

RoutineCompiler RoutineCompiler::Inner(const void* node, std::string_view name) const {
  RoutineCompiler inner(shared_, shared_.scopes.Of(node), Qualified(name));
  inner.class_name_ = class_name_;
  return inner;
}

void RoutineCompiler::CheckAttribute(std::string_view name) {
  if (IsAllowedAttribute(name)) return;
  shared_.Fail(fmt::format("the attribute {} is not in the language", name), out_.span(),
               name == "__dict__"    ? "use vars(x)"
               : name == "__class__" ? "use type(x)"
                                     : "type(x), isinstance(x, T), len(x) and other built-ins "
                                       "say what it would");
}

int RoutineCompiler::AttributeName(std::string_view name) {
  CheckAttribute(name);
  return out_.pools().Name(Mangled(name, class_name_));
}

void RoutineCompiler::Annotate(std::string_view name, const Expr& annotation) {
  out_.Emit(Op::kLoadLocal, kAnnotations);
  out_.Load(Mangled(name, class_name_));
  if (shared_.postponed_annotations) {
    out_.Load(std::string(shared_.ast.source->Text(annotation.span)));
  } else {
    Value(annotation);
  }
  out_.Emit(Op::kDictPut, 1);
  out_.Emit(Op::kPop);
}

// super() in a method is super(__class__, the method's first argument).
bool RoutineCompiler::SuperCall(const CallExpr& e) {
  const auto* name = e.callee->If<NameExpr>();
  if (name == nullptr || name->name != "super" || !e.arguments.empty()) return false;
  const bool in_method = scope_.Find(kClassCell).storage == Storage::kCell &&
                         out_.code().num_positional > 0 && !out_.code().is_comprehension;
  if (!in_method) return false;
  LoadName("super");
  LoadName(kClassCell);
  LoadName(scope_.locals()[0]);
  out_.Emit(Op::kCall, 2);
  return true;
}

std::unique_ptr<const Routine> RoutineCompiler::ClassBody(const ClassStmt& statement) {
  class_name_ = statement.name;
  Routine& code = out_.code();
  code.is_class = true;
  code.num_positional = 3;
  code.doc = DocOf(statement.body);
  Statements(statement.body);
  out_.SetSpan(statement.name_span);
  out_.Emit(Op::kMakeClass);
  out_.Emit(Op::kReturn);
  auto routine = std::make_unique<Routine>(*Finish(std::string(statement.name)));
  for (std::string& local : routine->locals) {
    if (IsDunder(local) && !IsAllowedDefinition(local)) {
      shared_.Fail(fmt::format("the method {} is not in the language", local), statement.name_span);
    }
    local = Mangled(local, class_name_);
  }
  return routine;
}

void RoutineCompiler::operator()(const ClassStmt& s) {
  const Span span = out_.span();
  for (const Expr* decorator : s.decorators) Value(*decorator);
  out_.SetSpan(span);
  MakeFunction({}, Inner(&s, s.name).ClassBody(s));
  out_.Emit(Op::kBuildList, 0);
  for (const Argument& argument : s.arguments) {
    if (argument.kind == ArgumentKind::kDoubleStar) {
      shared_.Fail("** in a class statement is not in the language", argument.value->span);
    }
    if (argument.kind == ArgumentKind::kKeyword) continue;
    Value(*argument.value);
    out_.Emit(argument.kind == ArgumentKind::kStar ? Op::kListExtend : Op::kListAppend, 1);
  }
  out_.Emit(Op::kListToTuple);
  out_.Emit(Op::kBuildDict, 0);
  for (const Argument& argument : s.arguments) {
    if (argument.kind != ArgumentKind::kKeyword) continue;
    out_.Load(std::string(argument.name));
    Value(*argument.value);
    out_.Emit(Op::kDictPut, 1);
  }
  out_.Emit(Op::kBuildDict, 0);
  out_.Emit(Op::kCall, 3);
  for (auto it = s.decorators.rbegin(); it != s.decorators.rend(); ++it) {
    out_.SetSpan((*it)->span);
    out_.Emit(Op::kCall, 1);
  }
  StoreName(s.name);
}

}  // namespace espalier::script
