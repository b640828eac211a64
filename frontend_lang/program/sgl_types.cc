#include "frontend_lang/program/sgl_types.h"

#include <string_view>
#include <variant>

#include "frontend_lang/program/prompt_expression.h"
#include "frontend_lang/program/sgl_function.h"
#include "frontend_lang/program/sgl_runtime.h"
#include "frontend_lang/program/state_object.h"
#include "frontend_lang/script/modules/standard_modules.h"

namespace espalier::program {
namespace {

using lang::Value;
using script::Exactly;

template <typename T>
bool Holds(const Value& value) {
  return Exactly<T>(value) != nullptr;
}
bool HoldsNothing(const Value&) { return false; }

// An expression of that one part.
template <typename Part>
bool IsPart(const Value& value) {
  const auto* expression = Exactly<PromptExpression>(value);
  return expression != nullptr && expression->segments().size() == 1 &&
         std::holds_alternative<Part>(expression->segments()[0]);
}
bool IsSum(const Value& value) {
  const auto* expression = Exactly<PromptExpression>(value);
  return expression != nullptr && expression->segments().size() > 1;
}

struct TypeRow {
  std::string_view name;  // with its module
  script::TypeObject::Test holds;
};
constexpr TypeRow kTypes[] = {
    {"sglang.lang.interpreter.ProgramState", Holds<StateObject>},
    {"sglang.lang.interpreter.ProgramStateGroup", Holds<StateGroup>},
    {"sglang.lang.interpreter.StreamExecutor", HoldsNothing},
    {"sglang.lang.ir.SglFunction", Holds<SglFunction>},
    {"sglang.lang.ir.SglSamplingParams", HoldsNothing},
    {"sglang.lang.ir.SglExpr", Holds<PromptExpression>},
    {"sglang.lang.ir.SglExprList", IsSum},
    {"sglang.lang.ir.SglGen", IsPart<GenSegment>},
    {"sglang.lang.ir.SglSelect", IsPart<SelectSegment>},
    {"sglang.lang.ir.SglConstantText", IsPart<TextSegment>},
    {"sglang.lang.ir.SglRoleBegin", IsPart<RoleBegin>},
    {"sglang.lang.ir.SglRoleEnd", IsPart<RoleEnd>},
    {"sglang.lang.ir.SglVariable", HoldsNothing},
    {"sglang.lang.tracer.TracerProgramState", HoldsNothing},
    {"sglang.lang.backend.base_backend.BaseBackend", Holds<BackendChoice>},
    {"sglang.lang.chat_template.ChatTemplate", Holds<ChatFormatObject>},
    {"sglang.lang.choices.ChoicesSamplingMethod", HoldsNothing},
    {"sglang.srt.server_args.ServerArgs", HoldsNothing},
};

lang::Outcome<Value> RefuseToMake(lang::Host&, const Value& self, const lang::Args&) {
  return lang::Raise("NotImplementedError",
                     std::string(Exactly<script::TypeObject>(self)->name()) +
                         " is here for type hints and isinstance(); programs make none");
}

}  // namespace

void AddSglTypes(script::Machine& machine,
                 const std::function<void(const std::string& module, std::string_view name,
                                          lang::Value type)>& add) {
  for (const TypeRow& row : kTypes) {
    const std::size_t dot = row.name.rfind('.');
    add(std::string(row.name.substr(0, dot)), row.name.substr(dot + 1),
        script::NewType(machine, row.name, RefuseToMake, row.holds));
  }
}

}  // namespace espalier::program
