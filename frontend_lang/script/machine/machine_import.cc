// The part of Machine that imports: modules in C++, modules of the language in the language,
// and the program's own.
#include <string>
#include <utility>
#include <variant>

#include "frontend_lang/script/compile/compiler.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/syntax/source.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {

void Machine::AddModule(std::string_view name, Value module) {
  modules_[std::string(name)].module = std::move(module);
}

void Machine::AddModule(std::string_view name, ModuleMaker make) {
  modules_[std::string(name)].make = make;
}

void Machine::AddModuleFile(std::string_view name, std::string_view text) {
  modules_[std::string(name)].text = text;
}

Value Machine::Imported(std::string_view name) const {
  const auto found = modules_.find(std::string(name));
  return found == modules_.end() ? Value::Unset() : found->second.module;
}

// Names with an underscore are of the library's own modules: a program has no use for them.
Outcome<Value> Machine::Import(std::string_view name) {
  const std::string key(name);
  ImportableModule known;
  if (const auto found = modules_.find(key); found != modules_.end()) known = found->second;
  const bool is_own = known.make != nullptr || !known.text.empty();
  const bool is_hidden = is_own && name.starts_with('_') && !task_->frames.empty() &&
                         frame().file->kind != LoadedFile::Kind::kLibrary;
  if (!is_hidden && !known.module.is_unset()) return known.module;
  if (!is_hidden && known.make != nullptr) return modules_[key].module = known.make(*this);
  std::optional<ModuleText> text;
  auto kind = LoadedFile::Kind::kModule;
  if (!is_hidden && is_own) {
    text = ModuleText{key + ".py", std::string(known.text)};
    kind = LoadedFile::Kind::kLibrary;
  } else if (options_.find_module) {
    text = options_.find_module(name);
  }
  if (!text) return Value::Unset();
  const std::size_t dot = name.rfind('.');
  Value package;
  if (dot != name.npos) {  // the package runs first, and has its modules as members
    ESP_TRY_ASSIGN(package, Import(name.substr(0, dot)));
    if (const Value made = Imported(name); !made.is_unset()) return made;
  }
  ESP_TRY_ASSIGN(Value module, ImportFile(key, *std::move(text), kind));
  if (auto* holder = Exactly<Module>(package)) {
    ESP_TRY_ASSIGN([[maybe_unused]] const bool set,
                   holder->SetAttr(*this, name.substr(dot + 1), module));
  }
  return module;
}

Outcome<Value> Machine::ImportFile(const std::string& name, ModuleText text,
                                   LoadedFile::Kind kind) {
  ESP_TRY(Reserve(static_cast<std::int64_t>(text.text.size())));
  auto source = Source::FromText(std::move(text.path), std::move(text.text));
  if (!source.ok()) return lang::Raise("SyntaxError", source.status().message());
  auto compiled = Compile(*source);
  if (const auto* problem = std::get_if<SyntaxProblem>(&compiled)) {
    return lang::Raise("SyntaxError", Describe(*problem, **source));
  }
  LoadedFile& file = *files_.emplace_back(std::make_unique<LoadedFile>(
      heap(), std::get<std::shared_ptr<const Program>>(std::move(compiled)), builtins_));
  file.kind = kind;
  Value module = heap().New<Module>(name, &file);
  modules_[name].module = module;  // already: modules may import each other
  Fault fault = Run(file, name);
  if (!fault.ok()) {
    modules_[name].module = Value::Unset();
    return fault;
  }
  return module;
}

Fault Machine::ImportModule(const std::string& name) {
  ESP_TRY_ASSIGN(Value module, Import(name));
  if (module.is_unset()) {
    std::string known;
    for (const auto& [other, importable] : modules_) {
      if (other.find('.') != std::string::npos || other.starts_with('_')) continue;
      known += (known.empty() ? "" : ", ") + other;
    }
    return lang::RaiseWithHint("ModuleNotFoundError", "No module named '" + name + "'",
                               "; the language has: " + known);
  }
  Push(std::move(module));
  return Fault();
}

// module -> ; only the names that the program uses are of interest
Fault Machine::ImportStar() {
  const Value module = Pop();
  LoadedFile& file = *frame().file;
  for (std::size_t i = 0; i < file.globals.size(); ++i) {
    const std::string& name = file.program->globals[i];
    if (name.starts_with('_')) continue;
    auto member = lang::ExtensionOf(module).GetAttr(*this, name);
    if (member.ok() && !member->is_unset()) file.globals[i] = std::move(*member);
  }
  return Fault();
}

Fault Machine::ImportFrom(const std::string& name) {
  const Value module = Top();
  auto member = lang::ExtensionOf(module).GetAttr(*this, name);
  if (!member.ok() && !IsA(member.error(), "AttributeError")) return member.TakeFault();
  if (!member.ok() || member->is_unset()) {
    return lang::Raise("ImportError", "cannot import name '" + name + "' from '" +
                                          static_cast<Module*>(module.object())->name() +
                                          "' (unknown location)");
  }
  Push(std::move(*member));
  return Fault();
}

}  // namespace espalier::script
