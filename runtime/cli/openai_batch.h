// Lines of an OpenAI batch file, {"custom_id", "method", "url", "body"}: to request
// lines, and results back to the shape that such a file is answered in.
//
// /v1/chat/completions and /v1/completions, without tools. A field that changes the
// answer and that we cannot honour is an error of its line; fields that only label
// a request (user, metadata, store, ...) are passed over.
//
// Source: the OpenAI batch API, "input file" and "output file".
//
// Thread safety: pure functions.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"
#include "runtime/local/generated.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

struct OpenAiLine {
  std::string custom_id;
  std::string url;
  std::string model;  // as the body names it
  bool is_chat = false;
};

// Whether the line is of that kind: an object with custom_id, or with url and body.
bool IsOpenAiLine(const nlohmann::ordered_json& line);

// Who asked; whatever is missing stays empty.
OpenAiLine ReadOpenAiLine(const nlohmann::ordered_json& line);

// The body as a request line. kUnsupported names the url or field.
Result<nlohmann::ordered_json> ToRequestLine(const nlohmann::ordered_json& line,
                                             const OpenAiLine& openai);

nlohmann::ordered_json OpenAiAnswer(const OpenAiLine& openai, const Generated& generated,
                                    const Tokenizer& tokenizer);
nlohmann::ordered_json OpenAiFailure(const OpenAiLine& openai, const Status& status);

}  // namespace espalier
