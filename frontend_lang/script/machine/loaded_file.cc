#include "frontend_lang/script/machine/loaded_file.h"

#include <utility>
#include <variant>

#include "frontend_lang/script/bytes/bytes.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/integer/natural.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {

using lang::Heap;
using lang::Value;

namespace {

Value MakeConstant(Heap& heap, const Constant& constant) {
  struct Maker {
    Heap& heap;
    Value operator()(std::monostate) const { return {}; }
    Value operator()(bool value) const { return Value::Bool(value); }
    Value operator()(std::int64_t value) const { return Value::Int(value); }
    Value operator()(double value) const { return Value::Float(value); }
    Value operator()(const std::string& text) const { return lang::MakeStr(heap, text); }
    Value operator()(const BigLiteral& literal) const {
      auto magnitude = lang::ParseNatural(literal.digits, literal.base);
      return lang::MakeInteger(heap, {std::move(*magnitude), false});
    }
    Value operator()(const BytesLiteral& literal) const { return heap.New<Bytes>(literal.bytes); }
  };
  return std::visit(Maker{heap}, constant);
}

}  // namespace

LoadedFile::LoadedFile(Heap& heap, std::shared_ptr<const Program> loaded,
                       const std::map<std::string, Value>& known)
    : program(std::move(loaded)) {
  for (const Constant& constant : program->constants) {
    constants.push_back(MakeConstant(heap, constant));
  }
  globals.assign(program->globals.size(), Value::Unset());
  builtins = globals;
  for (std::size_t i = 0; i < globals.size(); ++i) {
    const auto found = known.find(program->globals[i]);
    if (found != known.end()) builtins[i] = found->second;
  }
  found_methods.resize(program->call_shapes.size());
}

int LoadedFile::SlotOf(std::string_view name) const {
  for (std::size_t i = 0; i < globals.size(); ++i) {
    if (program->globals[i] == name) return static_cast<int>(i);
  }
  return -1;
}

Value LoadedFile::Global(std::string_view name) const {
  const int slot = SlotOf(name);
  return slot < 0 ? Value::Unset() : globals[static_cast<std::size_t>(slot)];
}

}  // namespace espalier::script
