#include "frontend_lang/http/openai_backend.h"

#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

namespace espalier {
namespace {

using Json = nlohmann::json;

constexpr int kDefaultMaxTokens = 128;  // of a gen; the protocol's own default is 16
constexpr int kMostOutputs = 128;       // of a gen

// The first option that the protocol has no words for, or "".
std::string_view Unsayable(const GenOptions& options, bool is_chat) {
  const std::pair<std::string_view, bool> given[] = {
      {"regex", options.regex.has_value()},
      {"ebnf", options.ebnf.has_value()},
      {"json_schema (outside a chat)", options.json_schema.has_value() && !is_chat},
      {"complete", options.complete.value_or(false)},
      {"min_tokens", options.min_tokens.value_or(0) > 0},
      {"top_k", options.top_k.value_or(-1) > 0},
      {"min_p", options.min_p.value_or(0) > 0},
      {"repetition_penalty", options.repetition_penalty.value_or(1) != 1},
      {"ignore_eos", options.ignore_eos.value_or(false)},
      {"stop_regex", !options.stop_regex.empty()},
      {"stop_token_ids", !options.stop_token_ids.empty()},
      {"logprob_start_len", options.logprob_start_len.value_or(-1) >= 0},
  };
  for (const auto& [name, is_given] : given) {
    if (is_given) return name;
  }
  return "";
}

template <typename T>
void Put(Json& object, const char* name, const std::optional<T>& value) {
  if (value) object[name] = *value;
}

std::int64_t CountCharacters(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

CallUsage ReadUsage(const Json& usage) {
  CallUsage result;
  result.prompt_tokens = JsonInt(usage, "prompt_tokens");
  result.completion_tokens = JsonInt(usage, "completion_tokens");
  result.cached_tokens = JsonInt(JsonAt(usage, "prompt_tokens_details"), "cached_tokens");
  return result;
}

std::vector<ScoredToken> ReadTopOf(const Json& alternatives) {
  std::vector<ScoredToken> top;
  if (alternatives.is_array()) {  // chat: [{token, logprob}]
    for (const Json& item : alternatives) {
      const Json& logprob = JsonAt(item, "logprob");
      if (logprob.is_number()) top.push_back({logprob.get<double>(), 0, JsonString(item, "token")});
    }
  } else if (alternatives.is_object()) {  // completions: {token: logprob}
    for (const auto& [text, logprob] : alternatives.items()) {
      if (logprob.is_number()) top.push_back({logprob.get<double>(), 0, text});
    }
  }
  return top;
}

void AddChatLogprobs(const Json& list, GenOutput& output) {
  if (!list.is_array()) return;
  for (const Json& item : list) {
    ScoredToken& token = output.logprobs.emplace_back();
    token.text = JsonString(item, "token");
    if (const Json& logprob = JsonAt(item, "logprob"); logprob.is_number()) {
      token.logprob = logprob.get<double>();
    }
    output.top_logprobs.push_back(ReadTopOf(JsonAt(item, "top_logprobs")));
  }
}

void AddLogprobs(const Json& logprobs, GenOutput& output) {
  AddChatLogprobs(JsonAt(logprobs, "content"), output);
  const Json& texts = JsonAt(logprobs, "tokens");
  const Json& values = JsonAt(logprobs, "token_logprobs");
  const Json& top = JsonAt(logprobs, "top_logprobs");
  if (!texts.is_array() || !values.is_array() || texts.size() != values.size()) return;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ScoredToken& token = output.logprobs.emplace_back();
    if (texts[i].is_string()) token.text = texts[i].get<std::string>();
    if (values[i].is_number()) token.logprob = values[i].get<double>();
    output.top_logprobs.push_back(top.is_array() && i < top.size() ? ReadTopOf(top[i])
                                                                   : std::vector<ScoredToken>());
  }
}

// The tokens of an echoed text that lie in its last part, from character `start` to
// `end`; one that begins before and ends within belongs to it.
std::vector<ScoredToken> TokensWithin(const Json& logprobs, std::int64_t start, std::int64_t end) {
  std::vector<ScoredToken> tokens;
  GenOutput all;
  AddLogprobs(logprobs, all);
  std::int64_t at = 0;
  for (ScoredToken& token : all.logprobs) {
    const std::int64_t next = at + CountCharacters(token.text);
    if (next > start && at < end) tokens.push_back(std::move(token));
    at = next;
  }
  return tokens;
}

// The parts of a request that only a chat has.
Status AddChat(const GenCall& call, Json& body) {
  const ChatTurn& open = call.messages.back();
  if (open.role != "assistant" || !open.content.empty()) {
    return Status(Code::kUnsupported,
                  "an OpenAI chat server writes whole assistant messages only; let the gen be the "
                  "first and only part of one");
  }
  Json& messages = body["messages"] = Json::array();
  for (const ChatTurn& turn : std::span(call.messages).first(call.messages.size() - 1)) {
    messages.push_back({{"role", turn.role}, {"content", turn.content}});
  }
  if (!call.options.json_schema) return Status();
  Json schema = ParseAnswer(*call.options.json_schema);
  if (schema.is_discarded())
    return Status(Code::kInvalidArgument, "json_schema: is no JSON, or nests too deep");
  body["response_format"] = {
      {"type", "json_schema"},
      {"json_schema", {{"name", "output"}, {"strict", true}, {"schema", std::move(schema)}}}};
  return Status();
}

// What has come of one gen. Each event brings what is new.
class Answer final : public StreamedAnswer {
 public:
  Answer(std::size_t num_outputs, std::size_t most_bytes) : most_bytes_(most_bytes) {
    event_.outputs.resize(num_outputs);
  }

  Result<std::string> Take(Json json, std::size_t size_bytes) override {
    size_bytes_ += size_bytes;
    if (size_bytes_ > most_bytes_) {
      return Status(Code::kLimit, "the server sends more than was asked for");
    }
    if (!json.is_object()) return Status(Code::kInternal, "the answer is not what was expected");
    if (const Json& usage = JsonAt(json, "usage"); usage.is_object()) {
      event_.usage = ReadUsage(usage);
    }
    std::string news;
    for (const Json& choice : JsonAt(json, "choices")) {
      const std::int64_t index = JsonInt(choice, "index");
      if (index < 0 || index >= static_cast<std::int64_t>(event_.outputs.size())) continue;
      std::string text = Add(choice, event_.outputs[static_cast<std::size_t>(index)]);
      if (index == 0) news += text;
    }
    return news;
  }

  bool is_whole() const override {
    return std::none_of(event_.outputs.begin(), event_.outputs.end(),
                        [](const GenOutput& output) { return output.finish_reason.empty(); });
  }

  CallEvent TakeAll() override { return std::move(event_); }

 private:
  // Gives the text that the choice brings.
  static std::string Add(const Json& choice, GenOutput& output) {
    std::string text = JsonString(choice, "text") + JsonString(JsonAt(choice, "delta"), "content");
    output.text += text;
    AddLogprobs(JsonAt(choice, "logprobs"), output);
    if (std::string why = JsonString(choice, "finish_reason"); !why.empty()) {
      output.finish_reason = std::move(why);
    }
    if (std::string stop = JsonString(choice, "matched_stop"); !stop.empty()) {
      output.matched_stop = std::move(stop);
    }
    return text;
  }

  const std::size_t most_bytes_;
  std::size_t size_bytes_ = 0;
  CallEvent event_;
};

}  // namespace

Result<nlohmann::json> OpenAiBackend::Body(const GenCall& call) {
  const GenOptions& options = call.options;
  const bool is_chat = !call.messages.empty();
  if (options.n.value_or(1) > kMostOutputs) {
    return Status(Code::kInvalidArgument, fmt::format("n must be at most {}", kMostOutputs));
  }
  if (const std::string_view option = Unsayable(options, is_chat); !option.empty()) {
    return Status(Code::kUnsupported,
                  fmt::format("{}: OpenAI's protocol has no {}; use a server that speaks SGLang's",
                              client().url().Text(), option));
  }
  Json body = {{"model", model_},
               {"max_tokens", options.max_tokens.value_or(kDefaultMaxTokens)},
               {"seed", call.seed & 0x7fffffff},
               {"stream", true},
               {"stream_options", {{"include_usage", true}}}};
  Put(body, "temperature", options.temperature);
  Put(body, "top_p", options.top_p);
  Put(body, "frequency_penalty", options.frequency_penalty);
  Put(body, "presence_penalty", options.presence_penalty);
  Put(body, "n", options.n);
  if (!options.stop.empty()) body["stop"] = options.stop;
  if (is_chat) {
    ESP_RETURN_IF_ERROR(AddChat(call, body));
  } else {
    body["prompt"] = call.prompt.Text();
  }
  if (!options.return_logprob.value_or(false)) return body;
  const int num_top = options.top_logprobs_num.value_or(0);
  body["logprobs"] = is_chat ? Json(true) : Json(num_top);
  if (is_chat) body["top_logprobs"] = num_top;
  return body;
}

CallId OpenAiBackend::Start(GenCall call) {
  const CallId id = NewCall();
  const Result<Json> body = Body(call);
  if (!body.ok()) {
    Fail(id, body.status());
    return id;
  }
  const auto num_outputs = static_cast<std::size_t>(std::max(call.options.n.value_or(1), 1));
  Stream(id, call.messages.empty() ? "/v1/completions" : "/v1/chat/completions", *body,
         std::make_unique<Answer>(
             num_outputs, MostAnswerBytes(call.prompt.size(), call.options, kDefaultMaxTokens)));
  return id;
}

CallId OpenAiBackend::Start(ScoreCall call) {
  const CallId id = NewCall();
  auto event = std::make_shared<CallEvent>();
  event->call = id;
  event->done = true;
  ScoreTexts(id, std::move(event), call);
  return id;
}

// First prompt + choice, then, where they are wanted, the choices alone.
void OpenAiBackend::ScoreTexts(CallId id, std::shared_ptr<CallEvent> event, const ScoreCall& call) {
  const bool is_alone = !event->choice_logprobs.empty();
  const std::string prompt = is_alone ? "" : call.prompt.Text();
  Json texts = Json::array();
  for (const std::string& choice : call.choices) texts.push_back(prompt + choice);
  const Json body = {{"model", model_}, {"prompt", std::move(texts)},
                     {"max_tokens", 1}, {"echo", true},
                     {"logprobs", 1},   {"temperature", 0}};
  Post(id, "/v1/completions", body, [this, id, event, call, prompt, is_alone](const Json& answer) {
    auto& scores = is_alone ? event->unconditional_logprobs : event->choice_logprobs;
    scores.resize(call.choices.size());
    const std::int64_t start = CountCharacters(prompt);
    for (const Json& choice : JsonAt(answer, "choices")) {
      const std::int64_t index = JsonInt(choice, "index");
      if (index < 0 || index >= static_cast<std::int64_t>(scores.size())) continue;
      const auto at = static_cast<std::size_t>(index);
      scores[at] = TokensWithin(JsonAt(choice, "logprobs"), start,
                                start + CountCharacters(call.choices[at]));
    }
    const CallUsage usage = ReadUsage(JsonAt(answer, "usage"));
    event->usage.prompt_tokens += usage.prompt_tokens;
    event->usage.cached_tokens += usage.cached_tokens;
    if (std::any_of(scores.begin(), scores.end(), [](const auto& s) { return s.empty(); })) {
      return Fail(id, Status(Code::kUnsupported,
                             "select: the server does not echo a prompt with log-probabilities"));
    }
    if (call.unconditional && !is_alone) return ScoreTexts(id, event, call);
    Tell(std::move(*event));
  });
}

Result<Backend::ChatModel> OpenAiBackend::Chat(Deadline) {
  ChatModel chat;
  chat.name = model_;
  chat.chat_format = "chatml";
  return chat;
}

Status OpenAiBackend::FlushCache(Deadline) {
  return Status(Code::kUnsupported, "flush_cache: OpenAI's protocol has no such request");
}

Result<Backend::Facts> OpenAiBackend::ServerFacts(Deadline) {
  return Facts{{"model_path", model_}};
}

}  // namespace espalier
