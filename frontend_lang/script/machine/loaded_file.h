// LoadedFile: a program file in a machine: its constants as values, and its globals.
//
// Thread safety: none; one thread a Machine.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/script/compile/bytecode.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/value.h"

namespace espalier::script {

struct LoadedFile {
  // What it is: the program, a module beside it, or a module of the language, whose frames
  // tracebacks leave out.
  enum class Kind : unsigned char { kProgram, kModule, kLibrary };

  struct FoundMethod {
    lang::Type type = lang::Type::kUnset;
    const lang::Method* method = nullptr;
  };

  // `builtins`: what its names mean where it does not define them.
  LoadedFile(lang::Heap& heap, std::shared_ptr<const Program> program,
             const std::map<std::string, lang::Value>& builtins);

  // The slot of a global variable, or -1.
  int SlotOf(std::string_view name) const;
  // The global variable, or Unset.
  lang::Value Global(std::string_view name) const;

  const std::shared_ptr<const Program> program;
  Kind kind = Kind::kProgram;
  std::string module_name = "__main__";
  std::vector<lang::Value> constants;
  std::vector<lang::Value> globals;        // by slot; Unset: not defined
  std::vector<lang::Value> builtins;       // the built-in of the same name, or Unset
  std::vector<FoundMethod> found_methods;  // of the call shapes
};

}  // namespace espalier::script
