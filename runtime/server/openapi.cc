#include "runtime/server/openapi.h"

#include <string>

#include <nlohmann/json.hpp>

#include "runtime/server/programs/programs.h"
#include "runtime/server/router.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kDefinitions = "#/$defs/";

Json Ref(std::string_view schema) {
  return {{"$ref", "#/components/schemas/" + std::string(schema)}};
}

Json JsonContent(Json schema) { return {{"application/json", {{"schema", std::move(schema)}}}}; }

Json Responses() {
  const Json error = {{"description", "What is wrong, and with which field"},
                      {"content", JsonContent(Ref("Error"))}};
  return {{"200", {{"description", "Done"}}}, {"4XX", error}, {"5XX", error}};
}

std::string Lowered(std::string_view method) {
  std::string name(method);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

// "post_v1_models_id"
std::string OperationId(std::string_view method, std::string_view path) {
  std::string id = Lowered(method);
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain || c == '_') id += c;
    if (!plain && c != '}' && id.back() != '_') id += '_';
  }
  return id;
}

Json Operation(std::string_view method, std::string_view path, std::string_view summary) {
  Json operation = {{"operationId", OperationId(method, path)}, {"summary", summary}};
  if (path.find("{id}") != std::string_view::npos) {
    operation["parameters"] = Json::array(
        {{{"name", "id"}, {"in", "path"}, {"required", true}, {"schema", {{"type", "string"}}}}});
  }
  operation["responses"] = Responses();
  return operation;
}

void SetBody(Json schema, Json& operation) {
  operation["requestBody"] = {{"required", true}, {"content", JsonContent(std::move(schema))}};
}

// Its definitions become the document's, under the program's name: what refers to them is
// changed likewise.
void Rebase(const std::string& prefix, Json& schema) {
  if (schema.is_array()) {
    for (Json& item : schema) Rebase(prefix, item);
  }
  if (!schema.is_object()) return;
  for (auto& [name, value] : schema.items()) {
    if (name == "$ref" && value.is_string()) {
      const auto& target = value.get_ref<const std::string&>();
      if (target.starts_with(kDefinitions)) {
        value = "#/components/schemas/" + prefix + target.substr(kDefinitions.size());
      }
    } else {
      Rebase(prefix, value);
    }
  }
}

void AddProgram(const program::ServedProgram& program, Json& document) {
  const std::string prefix = program.name() + ".";
  Json properties = Json::object(), required = Json::array();
  for (const program::ServedArgument& argument : program.arguments()) {
    Json schema = argument.schema;
    if (const auto definitions = schema.find("$defs"); definitions != schema.end()) {
      for (auto& [name, definition] : definitions->items()) {
        Rebase(prefix, definition);
        document["components"]["schemas"][prefix + name] = definition;
      }
      schema.erase("$defs");
    }
    Rebase(prefix, schema);
    if (argument.default_value) {
      schema["default"] = *argument.default_value;
    } else {
      required.push_back(argument.name);
    }
    properties[argument.name] = std::move(schema);
  }
  if (!properties.contains("stream")) properties["stream"] = {{"type", "boolean"}};
  Json body = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) body["required"] = std::move(required);
  body["additionalProperties"] = program.takes_more();
  const std::string path = "/v1/programs/" + program.name();
  Json operation = Operation("POST", path, "runs " + program.name());
  if (!program.description().empty()) operation["description"] = program.description();
  SetBody(std::move(body), operation);
  document["paths"][path]["post"] = std::move(operation);
}

}  // namespace

Json OpenApiDocument(Service& service) {
  Json document = {{"openapi", "3.1.0"},
                   {"info", {{"title", "Espalier"}, {"version", "0.1.0"}}},
                   {"paths", Json::object()},
                   {"components", {{"schemas", BodySchemas()}}}};
  const bool keyed = !service.served().options().api_keys.empty();
  if (keyed) {
    document["components"]["securitySchemes"]["key"] = {{"type", "http"}, {"scheme", "bearer"}};
  }
  for (const Route& route : Routes()) {
    Json operation = Operation(route.method, route.path, route.summary);
    if (!route.body.empty()) SetBody(Ref(route.body), operation);
    if (keyed && route.access == Route::Access::kKey) {
      operation["security"] = Json::array({{{"key", Json::array()}}});
    }
    document["paths"][std::string(route.path)][Lowered(route.method)] = std::move(operation);
  }
  for (const Programs::Served& program : service.programs().All()) AddProgram(*program, document);
  return document;
}

}  // namespace espalier
