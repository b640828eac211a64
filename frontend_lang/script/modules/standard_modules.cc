#include "frontend_lang/script/modules/standard_modules.h"

#include "frontend_lang/script/builtins/builtins.h"
#include "frontend_lang/script/library/library.h"
#include "frontend_lang/script/values/as_number.h"
#include "frontend_lang/script/values/integer/integer.h"

namespace espalier::script {
namespace {

struct Row {
  std::string_view name;
  Machine::ModuleMaker make;
};
constexpr Row kModules[] = {
    {"_clock", MakeClockModule},
    {"_machine", MakeMachineModule},
    {"_abstract", MakeAbstractModule},
    {"abc", MakeAbcModule},
    {"ast", MakeAstModule},
    {"_asyncio", MakeAsyncioModule},
    {"base64", MakeBase64Module},
    {"binascii", MakeBase64Module},
    {"bisect", MakeBisectModule},
    {"_collections", MakeCollectionsModule},
    {"copy", MakeCopyModule},
    {"_dataclasses", MakeDataclassesModule},
    {"_enum", MakeEnumModule},
    {"_functools", MakeFunctoolsModule},
    {"glob", MakeGlobModule},
    {"hashlib", MakeHashlibModule},
    {"heapq", MakeHeapqModule},
    {"itertools", MakeItertoolsModule},
    {"_json", MakeJsonModule},
    {"math", MakeMathModule},
    {"_operator", MakeOperatorModule},
    {"_os", MakeOsModule},
    {"_os.path", MakeOsPathModule},
    {"pydantic", MakePydanticModule},
    {"_random", MakeRandomModule},
    {"re", MakeReModule},
    {"_statistics", MakeStatisticsModule},
    {"_string", MakeStringModule},
    {"sys", MakeSysModule},
    {"_textwrap", MakeTextwrapModule},
    {"_traceback", MakeTracebackModule},
    {"_typing", MakeTypingModule},
};

}  // namespace

void AddStandardModules(Machine& machine) {
  for (const Row& row : kModules) machine.AddModule(row.name, row.make);
  for (const LibraryFile& file : LibraryFiles()) {
    machine.AddModuleFile(file.name, file.text);
    if (file.name == "typing") machine.AddModuleFile("typing_extensions", file.text);
  }
}

Value NewModule(Machine& machine, std::string_view name,
                std::span<const ModuleFunction> functions) {
  const Value module = machine.heap().New<Module>(std::string(name));
  for (const ModuleFunction& row : functions) ModuleOf(module).AddFunction(row.name, row.code);
  return module;
}

Value NewType(Machine& machine, std::string_view name, lang::NativeCode make,
              TypeObject::Test test) {
  const Value type = machine.heap().New<TypeObject>(name, make, test);
  machine.AddType(name, type);
  machine.AddType(name.substr(name.rfind('.') + 1), type);
  return type;
}

Value NewErrorType(Machine& machine, std::string_view name) {
  const Value type = machine.heap().New<ErrorType>(*FindErrorKind(name));
  machine.AddType(name, type);
  return type;
}

Outcome<std::int64_t> IndexArgument(const Value& value) {
  const Value& number = lang::PlainOf(value);
  if (number.is_integer()) return lang::ToIndex(number);
  return lang::TypeError("'" + std::string(lang::TypeName(value)) +
                         "' object cannot be interpreted as an integer");
}

Outcome<double> RealArgument(Host& host, const Value& value) {
  ESP_TRY_ASSIGN(const Value number, lang::AsReal(host, value));
  if (number.is_float()) return number.as_float();
  if (number.is_integer()) return lang::IntegerToDouble(number);
  return lang::TypeError("must be real number, not " + std::string(lang::TypeName(value)));
}

void AddBuiltins(Machine& machine) {
  AddTypeBuiltins(machine);
  AddClassBuiltins(machine);
  AddSequenceBuiltins(machine);
  AddIteratorBuiltins(machine);
  AddTextBuiltins(machine);
  AddOpenBuiltin(machine);
  AddAsyncBuiltins(machine);
  AddTypeMembers(machine);
  AddStandardModules(machine);
}

}  // namespace espalier::script
