// ScopeResolver: from what each scope binds and uses, whose variable each name is, and
// the slots of frames.
//
// Thread safety: none; one thread a compilation.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend_lang/script/compile/scopes.h"

namespace espalier::script {

class ScopeResolver {
 public:
  // `scopes`: all of a program, outer ones first, that of the file at the front.
  explicit ScopeResolver(std::vector<Scope*> scopes) : scopes_(std::move(scopes)) {}

  // Fills in symbols, locals, cells and captures. A problem: a nonlocal that nothing binds.
  std::optional<SyntaxProblem> Run();

 private:
  void Resolve(Scope& scope);
  void ResolveFree(Scope& scope, std::string_view name, Scope::Symbol& symbol);
  static void AssignSlots(Scope& scope);

  const std::vector<Scope*> scopes_;
  std::optional<SyntaxProblem> problem_;
};

}  // namespace espalier::script
