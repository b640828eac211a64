#include "runtime/server/programs/program_answer.h"

#include <charconv>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "runtime/api/result_json.h"
#include "runtime/server/answer_shape.h"
#include "runtime/server/api_error.h"

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kUnprocessable = 422;

// The file and line of the innermost frame: of a traceback's last `File "x", line 3`.
void AddPlace(std::string_view traceback, Json& error) {
  constexpr std::string_view kFile = "File \"", kLine = "\", line ";
  const std::size_t file = traceback.rfind(kFile);
  const std::size_t line = file == std::string_view::npos ? file : traceback.find(kLine, file);
  if (line == std::string_view::npos) return;
  error["file"] = traceback.substr(file + kFile.size(), line - file - kFile.size());
  int number = 0;
  const char* const digits = traceback.data() + line + kLine.size();
  std::from_chars(digits, traceback.data() + traceback.size(), number);
  error["line"] = number;
}

}  // namespace

Json ProgramResultJson(const program::CallResult& result) {
  return {{"return", result.returned},
          {"variables", result.variables},
          {"text", result.text},
          {"usage", UsageJson(result.usage)}};
}

HttpAnswer ProgramErrorAnswer(const program::CallResult& result) {
  const Status& status = result.status;
  if (result.bad_arguments && status.code() != Code::kLimit) {
    return ErrorAnswer(Status(Code::kInvalidArgument, status.message()), ParamOf(status.message()));
  }
  const bool of_program = result.raised || result.exit_code || status.code() == Code::kLimit;
  const bool of_server = status.code() == Code::kOverloaded || status.code() == Code::kCancelled;
  if (!of_program || of_server) return ErrorAnswer(status);
  const bool limit = status.code() == Code::kLimit;
  Json error = Json::parse(ErrorBody(status))["error"];
  error["type"] = limit ? "limit" : "program_error";
  error["code"] = limit ? "limit" : "program_error";
  AddPlace(result.traceback, error);
  return {.status = kUnprocessable, .body = BodyText({{"error", std::move(error)}})};
}

}  // namespace espalier
