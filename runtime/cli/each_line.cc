#include "runtime/cli/each_line.h"

#include <utility>

#include "runtime/api/result_json.h"
#include "runtime/cli/line_reader.h"
#include "runtime/cli/output.h"
#include "runtime/local/json_text.h"
#include "runtime/local/prompt.h"

namespace espalier {
namespace {

Result<nlohmann::ordered_json> Answer(const LineReader::Line& line, const TextAnswer& answer) {
  if (line.too_long) return Status(Code::kLimit, "the line is too long");
  return answer(line.text);
}

}  // namespace

Status CheckTextOrLines(const std::string& text, const std::string& path) {
  if (text.empty() == path.empty()) {
    return Status(Code::kInvalidArgument, "give a TEXT that is not empty, or --jsonl FILE");
  }
  return CheckUtf8(text, "TEXT");
}

Result<ExitCode> AnswerEachLine(const std::string& path, const LineAnswer& answer) {
  return AnswerEachText(path, [&](std::string_view line) -> Result<nlohmann::ordered_json> {
    ESP_ASSIGN_OR_RETURN(const nlohmann::ordered_json json, ParseJson(line));
    return answer(json);
  });
}

Result<ExitCode> AnswerEachText(const std::string& path, const TextAnswer& answer) {
  ESP_ASSIGN_OR_RETURN(LineReader reader, LineReader::Open(path));
  ExitCode code = ExitCode::kDone;
  while (true) {
    const std::optional<LineReader::Line> line = reader.Next();
    if (!line) {
      if (reader.at_end()) return code;
      ESP_RETURN_IF_ERROR(reader.ReadSome());
      continue;
    }
    if (line->text.find_first_not_of(" \t\r") == std::string::npos) continue;
    Result<nlohmann::ordered_json> result = Answer(*line, answer);
    if (!result.ok()) result = ErrorJson(AtLine(line->number, result.status()));
    if (result->contains("error")) code = ExitCode::kFailed;
    ESP_RETURN_IF_ERROR(WriteJson(*result));
  }
}

}  // namespace espalier
