// The endpoints, each in the file that its group is named for; Routes() lists them.
//
// Each answers its exchange, at once or later; a wrong request is answered by ErrorAnswer,
// naming its field.
//
// Thread safety: io thread only.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"
#include "runtime/server/router.h"

namespace espalier::endpoints {

// In completions.cc, chat_completions.cc, responses.cc and embeddings.cc: OpenAI's.
void Completions(Service& service, const Exchange& exchange, std::string_view id);
void ChatCompletions(Service& service, const Exchange& exchange, std::string_view id);
void Responses(Service& service, const Exchange& exchange, std::string_view id);
void Embeddings(Service& service, const Exchange& exchange, std::string_view id);

// models.cc: OpenAI's list. openapi.cc: what all routes take.
void Models(Service& service, const Exchange& exchange, std::string_view id);
void Model(Service& service, const Exchange& exchange, std::string_view id);
void OpenApi(Service& service, const Exchange& exchange, std::string_view id);

// programs.cc: programs that are served.
void ListPrograms(Service& service, const Exchange& exchange, std::string_view id);
void DescribeProgram(Service& service, const Exchange& exchange, std::string_view id);
void RunProgram(Service& service, const Exchange& exchange, std::string_view id);
void ReloadProgram(Service& service, const Exchange& exchange, std::string_view id);
void PutProgram(Service& service, const Exchange& exchange, std::string_view id);
void RemoveProgram(Service& service, const Exchange& exchange, std::string_view id);

// generate.cc: SGLang's.
void Generate(Service& service, const Exchange& exchange, std::string_view id);

// facts.cc: what the model and the server are.
void ModelFacts(Service& service, const Exchange& exchange, std::string_view id);
void ServerFacts(Service& service, const Exchange& exchange, std::string_view id);
void Load(Service& service, const Exchange& exchange, std::string_view id);
void Loads(Service& service, const Exchange& exchange, std::string_view id);
void Metrics(Service& service, const Exchange& exchange, std::string_view id);

// health.cc: for probes.
void Health(Service& service, const Exchange& exchange, std::string_view id);
void HealthGenerate(Service& service, const Exchange& exchange, std::string_view id);
void Ping(Service& service, const Exchange& exchange, std::string_view id);

// control.cc: acts on what runs, and on the cache.
void FlushCache(Service& service, const Exchange& exchange, std::string_view id);
void AbortRequest(Service& service, const Exchange& exchange, std::string_view id);
void Profile(Service& service, const Exchange& exchange, std::string_view id);
void Concatenate(Service& service, const Exchange& exchange, std::string_view id);

// cache_tree.cc: what the prefix cache holds.
void CacheTree(Service& service, const Exchange& exchange, std::string_view id);

// tokens.cc: text to tokens and back.
void Tokenize(Service& service, const Exchange& exchange, std::string_view id);
void Detokenize(Service& service, const Exchange& exchange, std::string_view id);

// A body as JSON. An empty one is an empty object.
Result<nlohmann::ordered_json> BodyJson(std::string_view body);

// Answers with the status, naming the field that its message begins with.
void Refuse(HttpExchange& exchange, const Status& status);
void AnswerJson(HttpExchange& exchange, const nlohmann::ordered_json& json);
void AnswerText(HttpExchange& exchange, std::string text);

// 404 as OpenAI's clients know it, for a model that is not served.
void RefuseModel(HttpExchange& exchange, const Status& status);

}  // namespace espalier::endpoints
