// Programs as endpoints.
#include "runtime/server/programs/programs.h"

#include <utility>

#include <fmt/format.h>

#include "runtime/server/api_error.h"
#include "runtime/server/endpoints/endpoints.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

Json ProgramJson(const program::ServedProgram& program) {
  Json arguments = Json::array();
  for (const program::ServedArgument& argument : program.arguments()) {
    Json json = {{"name", argument.name},
                 {"schema", argument.schema},
                 {"required", !argument.default_value.has_value()}};
    if (argument.default_value) json["default"] = *argument.default_value;
    arguments.push_back(std::move(json));
  }
  return {{"id", program.name()},
          {"object", "program"},
          {"description", program.description()},
          {"arguments", std::move(arguments)}};
}

void RefuseProgram(const Exchange& exchange, std::string_view id) {
  Refuse(*exchange, Status(Code::kNotFound,
                           fmt::format("program '{}' is not served here", id.substr(0, 200))));
}

// Answers with what is served now under that name, or with what went wrong: a file that is
// no program is the request's fault, not ours.
Programs::OnDone AnswerWith(Service& service, const Exchange& exchange, std::string_view id) {
  return [&service, exchange, id = std::string(id)](const Status& status) {
    const Programs::Served program = service.programs().Find(id);
    if (!status.ok()) return Refuse(*exchange, status);
    if (program == nullptr) return RefuseProgram(exchange, id);
    AnswerJson(*exchange, ProgramJson(*program));
  };
}

bool RefuseUpload(Service& service, const Exchange& exchange) {
  if (service.programs().takes_uploads()) return false;
  exchange->Answer(ErrorAnswer(
      Status(Code::kUnsupported, "this server takes no programs (--allow-program-upload)"), 403));
  return true;
}

bool TakesArgument(const program::ServedProgram& program, std::string_view name) {
  for (const program::ServedArgument& argument : program.arguments()) {
    if (argument.name == name) return true;
  }
  return false;
}

}  // namespace

void ListPrograms(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  Json list = Json::array();
  for (const Programs::Served& program : service.programs().All()) {
    list.push_back(ProgramJson(*program));
  }
  AnswerJson(*exchange, {{"object", "list"}, {"data", std::move(list)}});
}

void DescribeProgram(Service& service, const Exchange& exchange, std::string_view id) {
  AnswerWith(service, exchange, id)(Status());
}

// {arguments by name, "stream": true?}
void RunProgram(Service& service, const Exchange& exchange, std::string_view id) {
  const Programs::Served program = service.programs().Find(id);
  if (program == nullptr) return RefuseProgram(exchange, id);
  Result<Json> body = BodyJson(exchange->question().body.text);
  if (!body.ok()) return Refuse(*exchange, body.status());
  bool stream = false;
  if (const auto asked = body->find("stream");
      asked != body->end() && !TakesArgument(*program, "stream")) {
    if (!asked->is_boolean() && !asked->is_null()) {
      return Refuse(*exchange, Status(Code::kInvalidArgument, "stream must be true or false"));
    }
    stream = *asked == true;
    body->erase("stream");
  }
  service.programs().Run(program, exchange, *std::move(body), stream);
}

void ReloadProgram(Service& service, const Exchange& exchange, std::string_view id) {
  if (service.programs().Find(id) == nullptr) return RefuseProgram(exchange, id);
  service.programs().Reload(id, AnswerWith(service, exchange, id));
}

// {"text": "..."}
void PutProgram(Service& service, const Exchange& exchange, std::string_view id) {
  if (RefuseUpload(service, exchange)) return;
  const Result<Json> body = BodyJson(exchange->question().body.text);
  if (!body.ok()) return Refuse(*exchange, body.status());
  const auto text = body->find("text");
  if (text == body->end() || !text->is_string()) {
    return Refuse(*exchange, Status(Code::kInvalidArgument, "text must be a string"));
  }
  service.programs().Put(id, text->get<std::string>(), AnswerWith(service, exchange, id));
}

void RemoveProgram(Service& service, const Exchange& exchange, std::string_view id) {
  if (RefuseUpload(service, exchange)) return;
  if (Status status = service.programs().Remove(id); !status.ok()) {
    return Refuse(*exchange, status);
  }
  AnswerJson(*exchange, {{"id", id}, {"object", "program"}, {"deleted", true}});
}

}  // namespace espalier::endpoints
