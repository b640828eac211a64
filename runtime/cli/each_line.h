// A JSON line in, a JSON line out: the loop that `inspect` commands share.
//
// Thread safety: main thread only.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"
#include "runtime/cli/exit_code.h"

namespace espalier {

using LineAnswer =
    std::function<Result<nlohmann::ordered_json>(const nlohmann::ordered_json& line)>;
using TextAnswer = std::function<Result<nlohmann::ordered_json>(std::string_view line)>;

// Of commands that take a TEXT or --jsonl FILE: kInvalidArgument unless one of them is there,
// and the text is UTF-8.
Status CheckTextOrLines(const std::string& text, const std::string& path);

// Answers each line of `path` ("-": stdin), in order. A line that fails becomes
// {"error": ...} with its number in the message; an answer with "error" makes the result
// kFailed.
Result<ExitCode> AnswerEachLine(const std::string& path, const LineAnswer& answer);
// The same for who reads the text of a line by himself.
Result<ExitCode> AnswerEachText(const std::string& path, const TextAnswer& answer);

}  // namespace espalier
