#include "frontend_lang/program/served_program.h"

#include <utility>

#include <fmt/format.h>

#include "frontend_lang/program/entry_signature.h"

namespace espalier::program {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kPrepare = "_espalier_prepare";
constexpr std::string_view kDescribe = "_espalier_describe";

// Behind the file's own text, so that its lines keep their numbers. The fields of the model
// have names of their own, as not every argument's name may be a field's.
constexpr std::string_view kAppended = R"(


def _espalier_model():
    import pydantic
    import typing

    class Arguments(pydantic.BaseModel):
        pass
{fields}
    return Arguments


_espalier_names = [{names}]
_espalier_takes_more = {takes_more}


def _espalier_describe():
    schema = _espalier_model().model_json_schema()
    return {{"doc": {entry}.__doc__, "schema": schema, "defaults": {{{defaults}}}}}


def _espalier_prepare(**given):
    import pydantic
    keys = {{name: "a" + str(i) for i, name in enumerate(_espalier_names)}}
    more = {{name: value for name, value in given.items() if name not in keys}}
    for name in more:
        if not _espalier_takes_more:
            raise TypeError(name + ": it is not an argument; there are: " + ", ".join(keys))
    try:
        model = _espalier_model()(**{{keys[n]: v for n, v in given.items() if n in keys}})
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        place = _espalier_names[int(first["loc"][0][1:])]
        for part in first["loc"][1:]:
            place += "[" + str(part) + "]" if isinstance(part, int) else "." + str(part)
        message = first["msg"]
        raise TypeError(place + ": " + message) from None
    checked = {{n: getattr(model, keys[n]) for n in given if n in keys}}
    return {{**checked, **more}}
)";

std::string Quoted(const std::string& text) { return Json(text).dump(); }

std::string Appended(const EntrySignature& signature) {
  std::string fields, names, defaults;
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    const EntryParameter& parameter = signature.parameters[i];
    const bool optional = !parameter.default_value.empty();
    fields += fmt::format("        a{}: ({}){}\n", i,
                          parameter.annotation.empty() ? "typing.Any" : parameter.annotation,
                          optional ? " = None" : "");
    names += Quoted(parameter.name) + ", ";
    if (optional)
      defaults += fmt::format("{}: ({}), ", Quoted(parameter.name), parameter.default_value);
  }
  return fmt::format(kAppended, fmt::arg("fields", fields), fmt::arg("names", names),
                     fmt::arg("takes_more", signature.takes_more ? "True" : "False"),
                     fmt::arg("entry", signature.name), fmt::arg("defaults", defaults));
}

// The schema of field i, with what it refers to.
Json SchemaOf(const Json& model, std::size_t i) {
  const auto properties = model.find("properties");
  if (properties == model.end()) return Json::object();
  Json schema = properties->value(fmt::format("a{}", i), Json::object());
  if (schema.is_object()) {
    schema.erase("title");  // the field's
    schema.erase("default");
  }
  const auto definitions = model.find("$defs");
  const bool refers = schema.dump().find("\"$ref\"") != std::string::npos;
  if (refers && definitions != model.end()) schema["$defs"] = *definitions;
  return schema;
}

std::string StoryOf(const CallResult& result) {
  return result.traceback.empty() ? result.status.message() : result.traceback;
}

}  // namespace

RunOptions ServedProgram::Framed(RunOptions options) const {
  options.module_name = file_.name;
  options.module_folder = file_.folder;
  options.wants_json = true;
  return options;
}

Result<ServedProgram> ServedProgram::Load(ProgramFile file, RunOptions options) {
  ServedProgram served;
  served.file_ = std::move(file);
  const ProgramFile& own = served.file_;
  ESP_ASSIGN_OR_RETURN(const auto source, script::Source::FromText(own.path, own.text));
  ESP_ASSIGN_OR_RETURN(const EntrySignature signature,
                       ReadEntrySignature(source, own.entry, own.name));
  ESP_RETURN_IF_ERROR(LoadProgram(own.path, own.text).status());  // its own errors first
  ESP_ASSIGN_OR_RETURN(served.program_, LoadProgram(own.path, own.text + Appended(signature)));
  served.entry_ = signature.name;
  served.takes_more_ = signature.takes_more;

  options = served.Framed(std::move(options));
  options.entry = std::string(kDescribe);
  const CallResult facts = RunProgram(served.program_, options, {})[0];
  if (!facts.status.ok()) return Status(Code::kInvalidArgument, StoryOf(facts));
  const Json& told = facts.returned;
  if (told["doc"].is_string()) served.description_ = told["doc"].get<std::string>();
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    const std::string& name = signature.parameters[i].name;
    ServedArgument argument{.name = name, .schema = SchemaOf(told["schema"], i)};
    const auto value = told["defaults"].find(name);
    if (value != told["defaults"].end()) argument.default_value = *value;
    served.arguments_.push_back(std::move(argument));
  }
  return served;
}

CallResult ServedProgram::Call(const Json& arguments, RunOptions options) const {
  options = Framed(std::move(options));
  options.entry = entry_;
  options.prepare = kPrepare;
  EntryCall call;
  for (const auto& [name, value] : arguments.items()) call.emplace_back(name, value.dump());
  CallResult result = RunProgram(program_, options, {call})[0];
  if (result.bad_arguments) {
    constexpr std::string_view kType = "TypeError: ";
    std::string message = result.status.message();
    if (message.starts_with(kType)) message.erase(0, kType.size());
    result.status = Status(result.status.code(), std::move(message));
  }
  return result;
}

}  // namespace espalier::program
