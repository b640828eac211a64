// Runs a small script for tests: what it prints, and how it ends.
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "frontend_lang/script/builtins/builtins.h"
#include "frontend_lang/script/compile/compiler.h"
#include "frontend_lang/script/machine/machine.h"

namespace espalier::script {

struct ScriptRun {
  std::string output;
  std::string error;  // a syntax problem, a traceback, or "limit: message"
};

inline ScriptRun RunScript(const std::string& text, MachineOptions options = {}) {
  ScriptRun run;
  auto source = Source::FromText("p.sgl", text);
  if (!source.ok()) return {"", source.status().message()};
  auto compiled = Compile(*source);
  if (auto* problem = std::get_if<SyntaxProblem>(&compiled)) {
    return {"", Describe(*problem, **source)};
  }
  options.print = [&](std::string_view piece) { run.output += piece; };
  Machine machine(std::get<std::shared_ptr<const Program>>(compiled), std::move(options));
  AddBuiltins(machine);
  Fault fault = machine.RunFile("__main__");
  if (fault.ok()) return run;
  if (fault.error().kind == lang::LangError::Kind::kLimit) {
    run.error = "limit: " + fault.error().message;
  } else {
    run.error = FormatTraceback(machine, machine.ObjectOf(fault.error()));
  }
  return run;
}

}  // namespace espalier::script
