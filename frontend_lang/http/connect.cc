#include "frontend_lang/http/connect.h"

#include <algorithm>
#include <utility>

#include "frontend_lang/http/openai_backend.h"
#include "frontend_lang/http/sglang_backend.h"

namespace espalier {

Result<std::unique_ptr<Backend>> ConnectToServer(std::string_view url, ServerAccess access) {
  ESP_ASSIGN_OR_RETURN(ServerUrl parsed, ParseServerUrl(url));
  const std::string& key = access.api_key;
  if (!std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c < '\x7f'; })) {
    return Status(Code::kInvalidArgument, "--api-key has characters that a key cannot have");
  }
  auto client = std::make_unique<HttpClient>(std::move(parsed), std::move(access.api_key));
  ESP_ASSIGN_OR_RETURN(const HttpReply sglang,
                       client->Fetch({"GET", "/get_model_info", ""}, access.deadline));
  nlohmann::json facts = ParseAnswer(sglang.body);
  if (sglang.status == 200 && facts.is_object() && facts.contains("model_path")) {
    return std::unique_ptr<Backend>(
        std::make_unique<SglangBackend>(std::move(client), std::move(facts), access.deadline));
  }
  ESP_ASSIGN_OR_RETURN(const HttpReply openai,
                       client->Fetch({"GET", "/v1/models", ""}, access.deadline));
  const std::string where = client->url().Text();
  if (openai.status == 401 || openai.status == 403) {
    return Status(Code::kInvalidArgument, where + ": the server wants another --api-key");
  }
  const nlohmann::json models = ParseAnswer(openai.body);
  const nlohmann::json& list = JsonAt(models, "data");
  if (openai.status != 200 || !list.is_array()) {
    return Status(Code::kUnsupported,
                  where + ": the server speaks neither SGLang's protocol nor OpenAI's");
  }
  if (access.model.empty() && !list.empty()) access.model = JsonString(list[0], "id");
  return std::unique_ptr<Backend>(
      std::make_unique<OpenAiBackend>(std::move(client), std::move(access.model)));
}

}  // namespace espalier
