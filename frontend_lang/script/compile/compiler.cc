#include "frontend_lang/script/compile/compiler.h"

#include "frontend_lang/script/compile/routine_compiler.h"
#include "frontend_lang/script/syntax/parser.h"

namespace espalier::script {
namespace {

// if __name__ == "__main__":
bool IsMainGuard(const Stmt& stmt) {
  const auto* branch = stmt.If<IfStmt>();
  if (branch == nullptr) return false;
  const auto* compare = branch->branches[0].test->If<CompareExpr>();
  if (compare == nullptr || compare->rest.size() != 1) return false;
  const auto is_name = [](const Expr* e) {
    const auto* name = e->If<NameExpr>();
    return name != nullptr && name->name == "__name__";
  };
  return compare->rest[0].first == CompareOp::kEqual &&
         (is_name(compare->first) || is_name(compare->rest[0].second));
}

}  // namespace

CompileResult Compile(std::shared_ptr<const Source> source) {
  ParseResult parsed = Parse(source);
  if (auto* problem = std::get_if<SyntaxProblem>(&parsed)) return std::move(*problem);
  const Ast& ast = *std::get<std::unique_ptr<const Ast>>(parsed);
  auto analyzed = AnalyzeScopes(ast);
  if (auto* problem = std::get_if<SyntaxProblem>(&analyzed)) return std::move(*problem);
  const Scopes& scopes = std::get<Scopes>(analyzed);

  auto program = std::make_shared<Program>();
  program->source = std::move(source);
  program->routines.emplace_back();  // the file's place
  Compilation compilation{ast, scopes, Pools(*program), std::nullopt};
  auto file = RoutineCompiler(compilation, scopes.Of(nullptr), "").File(ast.body);
  if (compilation.problem) return std::move(*compilation.problem);
  program->routines[0] = std::move(file);
  for (const Stmt* stmt : ast.body) program->has_main_guard |= IsMainGuard(*stmt);
  return std::shared_ptr<const Program>(std::move(program));
}

}  // namespace espalier::script
