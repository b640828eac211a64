#include "frontend_lang/script/pydantic/generic_model.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "frontend_lang/script/classes/build_class.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using Values = std::vector<Value>;

bool IsVariable(const Value& type) {
  const auto* name = Exactly<TypingName>(type);
  return name != nullptr && name->name() == "TypeVar";
}

// Whether the type names a variable, at any depth that a type may have.
Outcome<bool> NamesVariable(Host& host, const Value& type) {
  lang::NestedScope scope(host);
  ESP_TRY(scope.Check());
  ESP_TRY(host.Step());
  const auto* form = Exactly<TypeForm>(type);
  if (form == nullptr) return IsVariable(type);
  for (const Value& arg : form->args()) {
    ESP_TRY_ASSIGN(const bool names, NamesVariable(host, arg));
    if (names) return true;
  }
  return false;
}

// What stands in place of the variables.
struct Bindings {
  const Values& variables;
  const Values& types;
};

Outcome<Value> Substituted(Host& host, const Value& type, const Bindings& bindings) {
  lang::NestedScope scope(host);
  ESP_TRY(scope.Check());
  ESP_TRY(host.Step());
  for (std::size_t i = 0; i < bindings.variables.size(); ++i) {
    if (type.Is(bindings.variables[i])) return bindings.types[i];
  }
  const auto* form = Exactly<TypeForm>(type);
  if (form == nullptr) return type;
  Values args;
  for (const Value& arg : form->args()) {
    ESP_TRY_ASSIGN(Value made, Substituted(host, arg, bindings));
    args.push_back(std::move(made));
  }
  auto* generic = form->origin().If<ClassObject>();
  if (generic != nullptr && ModelOf(*generic) != nullptr) {
    return ParametrizedModel(host, *generic, host.heap().New<lang::Tuple>(std::move(args)));
  }
  return host.heap().New<TypeForm>(form->origin(), std::move(args));
}

Outcome<std::string> ShownName(Host& host, const Value& type) {
  if (const auto* cls = type.If<ClassObject>()) return cls->name();
  if (const auto* built_in = Exactly<TypeObject>(type)) return std::string(built_in->name());
  if (type.is_none()) return std::string("NoneType");
  ESP_TRY_ASSIGN(std::string text, lang::Repr(host, type));
  for (const std::string_view module : {"typing.", "__main__."}) {
    for (std::size_t at = 0; (at = text.find(module, at)) != std::string::npos;) {
      text.erase(at, module.size());
    }
  }
  return text;
}

Outcome<std::string> ShownNames(Host& host, const Values& types) {
  std::string out;
  for (const Value& type : types) {
    ESP_TRY_ASSIGN(const std::string name, ShownName(host, type));
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

Outcome<Value> MadeBefore(Host& host, const ModelFields& model, const Value& types) {
  for (const auto& [known, made] : model.parametrized) {
    ESP_TRY_ASSIGN(const bool same, lang::Equals(host, known, types));
    if (same) return made;
  }
  return Value::Unset();
}

Outcome<Value> Derive(Host& host, ClassObject& cls, const Bindings& bindings) {
  ESP_TRY_ASSIGN(const std::string names, ShownNames(host, bindings.types));
  ClassBody body{fmt::format("{}[{}]", cls.name(), names),
                 fmt::format("{}[{}]", cls.qualified_name(), names), cls.doc()};
  body.bases = host.heap().New<lang::Tuple>(Values{Value(&cls)});
  body.keywords = host.heap().New<lang::Dict>();
  body.annotations = host.heap().New<lang::Dict>();
  const std::vector<ModelField> fields = ModelOf(cls)->fields;
  for (const ModelField& field : fields) {
    ESP_TRY_ASSIGN(Value type, Substituted(host, field.annotation, bindings));
    body.annotations.As<lang::Dict>()->PutStr(field.name, std::move(type));
    const Value info = host.heap().New<FieldInfo>();
    Exactly<FieldInfo>(info)->field = field;
    body.attributes.emplace_back(field.name, info);
  }
  return BuildClass(host, body, nullptr);
}

}  // namespace

Outcome<Value> ParametrizedModel(Host& host, ClassObject& cls, const Value& key) {
  const Value* found = cls.Find("__parameters__");
  const auto* parameters = found == nullptr ? nullptr : found->If<lang::Tuple>();
  if (parameters == nullptr || ModelOf(cls) == nullptr) {
    return lang::TypeError(
        fmt::format("<class '__main__.{}'> cannot be parametrized because it does not inherit from "
                    "typing.Generic",
                    cls.qualified_name()));
  }
  const Values variables = parameters->items();
  const Value types =
      key.If<lang::Tuple>() != nullptr ? key : host.heap().New<lang::Tuple>(Values{key});
  const Values& given = types.As<lang::Tuple>()->items();
  if (given.size() != variables.size()) {
    return lang::TypeError(fmt::format(
        "Too {} arguments for <class '__main__.{}'>; actual {}, expected {}{}",
        given.size() > variables.size() ? "many" : "few", cls.qualified_name(), given.size(),
        given.size() > variables.size() ? "" : "at least ", variables.size()));
  }
  for (const Value& type : given) {
    ESP_TRY_ASSIGN(const bool open, NamesVariable(host, type));
    if (open) return host.heap().New<TypeForm>(Value(&cls), given);
  }
  ESP_TRY_ASSIGN(Value made, MadeBefore(host, *ModelOf(cls), types));
  if (!made.is_unset()) return made;
  ESP_TRY_ASSIGN(made, Derive(host, cls, {variables, given}));
  ModelOf(cls)->parametrized.emplace_back(types, made);
  return made;
}

}  // namespace espalier::script
