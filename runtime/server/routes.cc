// The table of routes.
#include <array>

#include "runtime/server/endpoints/endpoints.h"
#include "runtime/server/router.h"

namespace espalier {
namespace {

constexpr auto kKey = Route::Access::kKey;
constexpr auto kOpen = Route::Access::kOpen;

constexpr auto kRoutes = std::to_array<Route>({
    {"GET", "/health", kOpen, endpoints::Health, "whether the server takes requests"},
    {"GET", "/health_generate", kOpen, endpoints::HealthGenerate, "whether it generates"},
    {"GET", "/ping", kOpen, endpoints::Ping, "whether it lives"},
    {"GET", "/metrics", kOpen, endpoints::Metrics, "counts and times, for Prometheus"},

    {"GET", "/openapi.json", kOpen, endpoints::OpenApi, "this document"},

    {"GET", "/v1/models", kKey, endpoints::Models, "the served model"},
    {"GET", "/v1/models/{id}", kKey, endpoints::Model, "one model"},
    {"POST", "/v1/completions", kKey, endpoints::Completions, "OpenAI's completions",
     "CompletionRequest"},
    {"POST", "/v1/chat/completions", kKey, endpoints::ChatCompletions, "OpenAI's chat",
     "ChatCompletionRequest"},
    {"POST", "/v1/responses", kKey, endpoints::Responses, "OpenAI's responses, stateless",
     "ResponseRequest"},
    {"POST", "/v1/embeddings", kKey, endpoints::Embeddings, "OpenAI's embeddings",
     "EmbeddingsRequest"},

    {"GET", "/v1/programs", kKey, endpoints::ListPrograms, "the programs that are served"},
    {"POST", "/v1/programs/{id}/reload", kKey, endpoints::ReloadProgram, "loads its file again"},
    {"GET", "/v1/programs/{id}", kKey, endpoints::DescribeProgram, "one program"},
    {"POST", "/v1/programs/{id}", kKey, endpoints::RunProgram, "runs a program",
     "ProgramArguments"},
    {"PUT", "/v1/programs/{id}", kKey, endpoints::PutProgram, "serves a program that is sent",
     "ProgramText"},
    {"DELETE", "/v1/programs/{id}", kKey, endpoints::RemoveProgram, "serves it no more"},

    {"POST", "/generate", kKey, endpoints::Generate, "SGLang's native request", "GenerateRequest"},
    {"PUT", "/generate", kKey, endpoints::Generate, "the same", "GenerateRequest"},
    {"GET", "/get_model_info", kKey, endpoints::ModelFacts, "the model, for SGLang's frontend"},
    {"GET", "/model_info", kKey, endpoints::ModelFacts, "the same"},
    {"GET", "/get_server_info", kKey, endpoints::ServerFacts, "the server, for routers"},
    {"GET", "/server_info", kKey, endpoints::ServerFacts, "the same"},
    {"GET", "/get_load", kKey, endpoints::Load, "what is under way, for routers"},
    {"GET", "/v1/loads", kKey, endpoints::Loads, "the same, newer"},
    {"GET", "/v1/cache/tree", kKey, endpoints::CacheTree, "what the prefix cache holds"},
    {"GET", "/flush_cache", kKey, endpoints::FlushCache, "empties the prefix cache"},
    {"POST", "/flush_cache", kKey, endpoints::FlushCache, "the same"},
    {"POST", "/abort_request", kKey, endpoints::AbortRequest, "ends requests by their ids",
     "AbortRequest"},
    {"POST", "/start_profile", kKey, endpoints::Profile, "of SGLang's frontend"},
    {"POST", "/stop_profile", kKey, endpoints::Profile, "of SGLang's frontend"},
    {"POST", "/concate_and_append_request", kKey, endpoints::Concatenate, "of SGLang's frontend"},
    {"POST", "/tokenize", kKey, endpoints::Tokenize, "text to tokens", "TokenizeRequest"},
    {"POST", "/v1/tokenize", kKey, endpoints::Tokenize, "the same", "TokenizeRequest"},
    {"POST", "/detokenize", kKey, endpoints::Detokenize, "tokens to text", "DetokenizeRequest"},
    {"POST", "/v1/detokenize", kKey, endpoints::Detokenize, "the same", "DetokenizeRequest"},
});

}  // namespace

std::span<const Route> Routes() { return kRoutes; }

}  // namespace espalier
