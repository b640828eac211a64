#include "frontend_lang/script/pydantic/made_models.h"

#include "frontend_lang/script/classes/build_class.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

ClassBody BodyOf(Heap& heap, std::string name, const Value& base) {
  ClassBody body{name, name, ""};
  body.bases = heap.New<lang::Tuple>(std::vector<Value>{base});
  body.keywords = heap.New<lang::Dict>();
  body.annotations = heap.New<lang::Dict>();
  return body;
}

// A field as create_model is given it: a type, or (type, default).
Fault AddField(Host& host, const lang::Keyword& keyword, ClassBody& body) {
  const auto* pair = keyword.value.If<lang::Tuple>();
  if (pair != nullptr && pair->size() != 2) {
    return TypeError("a field of create_model() is a type, or a type and a default");
  }
  body.annotations.As<lang::Dict>()->PutStr(keyword.name,
                                            pair == nullptr ? keyword.value : (*pair)[0]);
  if (pair == nullptr || Exactly<EllipsisType>((*pair)[1]) != nullptr) return Fault();
  Value given = (*pair)[1];
  if (Exactly<FieldInfo>(given) == nullptr) {  // a default, whatever it looks like
    const Value info = host.heap().New<FieldInfo>();
    Exactly<FieldInfo>(info)->field.default_value = given;
    given = info;
  }
  body.attributes.emplace_back(std::string(keyword.name), std::move(given));
  return Fault();
}

}  // namespace

Value MakeRootModelClass(Machine& machine, const Value& base_model) {
  Heap& heap = machine.heap();
  ClassBody body = BodyOf(heap, "RootModel", base_model);
  const Value variable = heap.New<TypingName>("TypeVar", Value::Unset());
  body.annotations.As<lang::Dict>()->PutStr("root", variable);
  body.attributes.emplace_back("__parameters__",
                               heap.New<lang::Tuple>(std::vector<Value>{variable}));
  auto made = BuildClass(machine, body, nullptr);
  ESP_CHECK(made.ok());
  ModelOf(*made->As<ClassObject>())->is_root = true;
  return *made;
}

Outcome<Value> CreateModel(Host& host, const Value&, const Args& args) {
  if (args.positional.size() != 1 || !args.positional[0].is_str()) {
    return TypeError("create_model() takes the name of the model, and its fields by name");
  }
  auto& machine = static_cast<Machine&>(host);
  ESP_TRY_ASSIGN(const Value module, machine.Import("pydantic"));
  Value base;
  ESP_TRY_ASSIGN(base, lang::GetAttr(host, module, "BaseModel"));
  ClassBody body = BodyOf(host.heap(), std::string(lang::TextOf(args.positional[0])), base);
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name == "__base__") {
      body.bases = host.heap().New<lang::Tuple>(std::vector<Value>{keyword.value});
    } else if (keyword.name == "__config__") {
      body.attributes.emplace_back("model_config", keyword.value);
    } else if (keyword.name == "__doc__") {
      if (keyword.value.is_str()) body.doc = lang::TextOf(keyword.value);
    } else if (!keyword.name.starts_with("__")) {
      ESP_TRY(AddField(host, keyword, body));
    }
  }
  return BuildClass(host, body, nullptr);
}

}  // namespace espalier::script
