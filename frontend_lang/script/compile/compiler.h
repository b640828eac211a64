// Compile: program text -> Program, or the first problem.
//
// A finally body is compiled once: whoever enters it pushes a mark that says where to
// go on behind it (a jump, or raising again). So code size stays linear in the text.
//
// Thread safety: pure function.
#pragma once

#include <memory>
#include <string_view>
#include <variant>

#include "frontend_lang/script/compile/bytecode.h"

namespace espalier::script {

using CompileResult = std::variant<std::shared_ptr<const Program>, SyntaxProblem>;

// The hidden attribute of a function that has annotations: their dict, or what makes it.
inline constexpr std::string_view kAnnotateName = ".annotate";

CompileResult Compile(std::shared_ptr<const Source> source);

}  // namespace espalier::script
