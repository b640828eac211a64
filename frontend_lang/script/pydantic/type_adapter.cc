#include "frontend_lang/script/pydantic/type_adapter.h"

#include <algorithm>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/bytes/bytes.h"
#include "frontend_lang/script/pydantic/json_input.h"
#include "frontend_lang/script/pydantic/model_checker.h"
#include "frontend_lang/script/pydantic/model_dump.h"
#include "frontend_lang/script/pydantic/model_schema.h"
#include "frontend_lang/script/values/json_values.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

class TypeAdapter final : public lang::Extension {
 public:
  TypeAdapter(Heap& heap, FieldType type)
      : Extension(heap, lang::Type::kExtension), type_(std::move(type)) {}

  const FieldType& type() const { return type_; }
  std::string_view TypeName() const override { return "TypeAdapter"; }
  Outcome<std::string> Repr(Host& host) override {
    return "TypeAdapter(" + LabelOf(host, type_) + ")";
  }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

 private:
  void Clear() override { type_ = FieldType(); }

  FieldType type_;
};

const FieldType& TypeOf(const Value& self) { return Exactly<TypeAdapter>(self)->type(); }

Outcome<Value> Validated(Host& host, const Value& self, const Value& input, ModelChecker checker) {
  const Value held = self;
  ESP_TRY_ASSIGN(Value made, checker.Check(TypeOf(held), input));
  if (!made.is_unset()) return made;
  return RaiseValidationError(host, LabelOf(host, TypeOf(held)), checker.problems());
}

Outcome<Value> ValidatePython(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("validate_python", {args.positional, {}}, 1, 1));
  ESP_TRY_ASSIGN(const ModelChecker::Mode mode, AskedMode(host, args));
  return Validated(host, self, args.positional[0],
                   ModelChecker(host, ModelChecker::Source::kPython, mode));
}

Outcome<Value> ValidateJson(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("validate_json", {args.positional, {}}, 1, 1));
  ESP_TRY_ASSIGN(const ModelChecker::Mode mode, AskedMode(host, args));
  ESP_TRY_ASSIGN(const Value parsed,
                 ParsedJson(host, args.positional[0], LabelOf(host, TypeOf(self))));
  return Validated(host, self, parsed, ModelChecker(host, ModelChecker::Source::kJson, mode));
}

Outcome<Value> DumpPython(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("dump_python", {args.positional, {}}, 1, 1));
  ESP_TRY_ASSIGN(const DumpOptions options, ReadDumpOptions(host, {{}, args.keywords}));
  return Dump(host, args.positional[0], options);
}

Outcome<Value> DumpJson(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("dump_json", {args.positional, {}}, 1, 1));
  ESP_TRY_ASSIGN(DumpOptions options, ReadDumpOptions(host, {{}, args.keywords}));
  options.json = true;
  ESP_TRY_ASSIGN(const Value plain, Dump(host, args.positional[0], options));
  ESP_TRY_ASSIGN(std::string text, WriteJson(host, plain, DumpStyle(args)));
  return host.heap().New<Bytes>(std::move(text));
}

Outcome<Value> JsonSchema(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const SchemaNames names, AskedNames(host, args, nullptr));
  ESP_TRY_ASSIGN(const auto schema, SchemaOf(host, TypeOf(self), names));
  return lang::FromJson(host, schema);
}

Outcome<Value> TypeAdapter::GetAttr(Host& host, std::string_view name) {
  static constexpr std::pair<std::string_view, lang::NativeCode> kMethods[] = {
      {"validate_python", ValidatePython},
      {"validate_json", ValidateJson},
      {"validate_strings", ValidatePython},
      {"dump_python", DumpPython},
      {"dump_json", DumpJson},
      {"json_schema", JsonSchema}};
  const auto* method =
      std::ranges::find(kMethods, name, &std::pair<std::string_view, lang::NativeCode>::first);
  if (method == std::end(kMethods)) return Value::Unset();
  return host.heap().New<lang::NativeFunction>(method->first, method->second, Value(this));
}

}  // namespace

Outcome<Value> MakeTypeAdapter(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("TypeAdapter", {args.positional, {}}, 1, 1));
  ClassObject::Parts parts{"TypeAdapter", "TypeAdapter", ""};
  const Value around = host.heap().New<ClassObject>(std::move(parts));
  ESP_TRY_ASSIGN(FieldType type,
                 ReadAnnotation(host, args.positional[0], *around.As<ClassObject>()));
  return host.heap().New<TypeAdapter>(std::move(type));
}

}  // namespace espalier::script
