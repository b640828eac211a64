#include "frontend_lang/http/sglang_backend.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "frontend_lang/chat/model_chat_format.h"

namespace espalier {
namespace {

using Json = nlohmann::json;

// SGLang takes sampling_seed from this version on, as a number of 31 bits.
constexpr std::array<int, 3> kFirstWithSeeds = {0, 5, 3};
constexpr std::uint64_t kSeedMask = 0x7fffffff;
constexpr int kDefaultMaxTokens = 128;  // of the protocol

bool TakesSeeds(const Json& server_facts) {
  std::array<int, 3> version{};
  const std::string text = JsonString(server_facts, "version");
  std::sscanf(text.c_str(), "%d.%d.%d", &version[0], &version[1], &version[2]);
  return version >= kFirstWithSeeds;
}

// A list of [logprob or null, id, text or null].
std::vector<ScoredToken> ReadScored(const Json& list) {
  std::vector<ScoredToken> tokens;
  if (!list.is_array()) return tokens;
  for (const Json& item : list) {
    ScoredToken& token = tokens.emplace_back();
    if (!item.is_array() || item.size() < 2) continue;
    if (item[0].is_number()) token.logprob = item[0].get<double>();
    if (item[1].is_number_integer()) token.token = item[1].get<int>();
    if (item.size() > 2 && item[2].is_string()) token.text = item[2].get<std::string>();
  }
  return tokens;
}

std::vector<std::vector<ScoredToken>> ReadTop(const Json& list) {
  std::vector<std::vector<ScoredToken>> top;
  if (!list.is_array()) return top;
  for (const Json& position : list) top.push_back(ReadScored(position));
  return top;
}

CallUsage ReadUsage(const Json& meta) {
  CallUsage usage;
  usage.prompt_tokens = JsonInt(meta, "prompt_tokens");
  usage.cached_tokens = JsonInt(meta, "cached_tokens");
  usage.completion_tokens = JsonInt(meta, "completion_tokens");
  usage.forced_tokens = JsonInt(meta, "forced_tokens");
  usage.accepted_draft_tokens = JsonInt(meta, "accepted_draft_tokens");
  return usage;
}

void Add(CallUsage& sum, const CallUsage& usage) {
  sum.prompt_tokens += usage.prompt_tokens;
  sum.cached_tokens += usage.cached_tokens;
  sum.completion_tokens += usage.completion_tokens;
}

GenOutput ReadOutput(const Json& answer) {
  const Json& meta = JsonAt(answer, "meta_info");
  const Json& finish = JsonAt(meta, "finish_reason");
  GenOutput output;
  output.text = JsonString(answer, "text");
  output.finish_reason =
      finish.is_string() ? finish.get<std::string>() : JsonString(finish, "type");
  output.matched_stop = JsonString(finish, "matched");
  output.logprobs = ReadScored(JsonAt(meta, "output_token_logprobs"));
  output.top_logprobs = ReadTop(JsonAt(meta, "output_top_logprobs"));
  return output;
}

Status AbortOf(const Json& answer) {
  const Json& finish = JsonAt(JsonAt(answer, "meta_info"), "finish_reason");
  if (JsonString(finish, "type") != "abort") return Status();
  const std::string message = JsonString(finish, "message");
  return Status(Code::kInternal, message.empty() ? "the server ended the request" : message);
}

// The last event of a gen, from the answers for its choices.
Result<CallEvent> DoneEvent(const std::vector<Json>& answers) {
  CallEvent event;
  event.done = true;
  for (const Json& answer : answers) {
    if (!JsonAt(answer, "text").is_string()) {
      return Status(Code::kInternal, "the answer is not what was expected");
    }
    event.outputs.push_back(ReadOutput(answer));
    Add(event.usage, ReadUsage(JsonAt(answer, "meta_info")));
    if (event.status.ok()) event.status = AbortOf(answer);
  }
  // The choices of one gen share its prompt.
  if (!answers.empty()) {
    const CallUsage first = ReadUsage(JsonAt(answers[0], "meta_info"));
    event.usage.prompt_tokens = first.prompt_tokens;
    event.usage.cached_tokens = first.cached_tokens;
    event.usage.forced_tokens = first.forced_tokens;
    event.usage.accepted_draft_tokens = first.accepted_draft_tokens;
  }
  return event;
}

// What has come of a gen of one choice: the text of each event holds that of all before.
class Answer final : public StreamedAnswer {
 public:
  explicit Answer(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  Result<std::string> Take(Json json, std::size_t size_bytes) override {
    if (size_bytes > most_bytes_) {
      return Status(Code::kLimit, "the server sends more than was asked for");
    }
    if (!JsonAt(json, "text").is_string()) {
      return Status(Code::kInternal, "the answer is not what was expected");
    }
    const std::size_t known = JsonString(last_, "text").size();
    last_ = std::move(json);
    const std::string text = JsonString(last_, "text");
    return text.size() > known ? text.substr(known) : std::string();
  }

  bool is_whole() const override {
    return !JsonAt(JsonAt(last_, "meta_info"), "finish_reason").is_null();
  }

  CallEvent TakeAll() override {
    Result<CallEvent> event = DoneEvent({std::move(last_)});
    if (event.ok()) return std::move(*event);
    CallEvent failed;
    failed.status = event.status();
    return failed;
  }

 private:
  const std::size_t most_bytes_;
  Json last_;
};

template <typename T>
void Put(Json& object, const char* name, const std::optional<T>& value) {
  if (value) object[name] = *value;
}

template <typename T>
void PutList(Json& object, const char* name, const std::vector<T>& values) {
  if (!values.empty()) object[name] = values;
}

}  // namespace

struct SglangBackend::Scoring {
  CallId id{};
  ScoreCall call;
  CallEvent event;  // what is known so far
};

SglangBackend::SglangBackend(std::unique_ptr<HttpClient> client, nlohmann::json model_facts,
                             Deadline deadline)
    : ServerBackend(std::move(client)), model_facts_(std::move(model_facts)) {
  const Result<Json> facts = FetchJson("/get_server_info", deadline);
  takes_seeds_ = facts.ok() && TakesSeeds(*facts);
}

nlohmann::json SglangBackend::Sampling(const GenOptions& options, std::uint64_t seed) const {
  Json sampling = Json::object();
  Put(sampling, "max_new_tokens", options.max_tokens);
  Put(sampling, "min_new_tokens", options.min_tokens);
  Put(sampling, "n", options.n);
  Put(sampling, "temperature", options.temperature);
  Put(sampling, "top_p", options.top_p);
  Put(sampling, "top_k", options.top_k);
  Put(sampling, "min_p", options.min_p);
  Put(sampling, "frequency_penalty", options.frequency_penalty);
  Put(sampling, "presence_penalty", options.presence_penalty);
  Put(sampling, "repetition_penalty", options.repetition_penalty);
  Put(sampling, "ignore_eos", options.ignore_eos);
  Put(sampling, "complete", options.complete);
  Put(sampling, "regex", options.regex);
  Put(sampling, "json_schema", options.json_schema);
  Put(sampling, "ebnf", options.ebnf);
  PutList(sampling, "stop", options.stop);
  PutList(sampling, "stop_regex", options.stop_regex);
  PutList(sampling, "stop_token_ids", options.stop_token_ids);
  if (takes_seeds_) sampling["sampling_seed"] = seed & kSeedMask;
  return sampling;
}

CallId SglangBackend::Start(GenCall call) {
  const CallId id = NewCall();
  std::string prompt = call.prompt.Text();
  round_.Add(id, std::move(prompt), [this, id, call = std::move(call)] { Send(id, call); });
  return id;
}

void SglangBackend::Send(CallId id, const GenCall& call) {
  const GenOptions& options = call.options;
  const std::size_t most_bytes = MostAnswerBytes(call.prompt.size(), options, kDefaultMaxTokens);
  Json body = {{"text", call.prompt.Text()}, {"sampling_params", Sampling(options, call.seed)}};
  Put(body, "return_logprob", options.return_logprob);
  Put(body, "return_text_in_logprobs", options.return_text_in_logprobs);
  Put(body, "top_logprobs_num", options.top_logprobs_num);
  Put(body, "logprob_start_len", options.logprob_start_len);
  if (options.n.value_or(1) != 1) {
    Post(id, "/generate", body, [this, id](const Json& answers) {
      Result<CallEvent> event = DoneEvent(answers.is_array() ? answers.get<std::vector<Json>>()
                                                             : std::vector<Json>{answers});
      if (!event.ok() || event->outputs.empty()) return Fail(id, NotUnderstood());
      event->call = id;
      Tell(std::move(*event));
    });
    return;
  }
  body["stream"] = true;
  Stream(id, "/generate", body, std::make_unique<Answer>(most_bytes));
}

CallId SglangBackend::Start(ScoreCall call) {
  auto scoring = std::make_shared<Scoring>();
  scoring->id = NewCall();
  scoring->call = std::move(call);
  scoring->event.call = scoring->id;
  scoring->event.done = true;
  round_.Add(scoring->id, scoring->call.prompt.Text(), [this, scoring] { ScorePrompt(scoring); });
  return scoring->id;
}

void SglangBackend::Cancel(CallId call) {
  const auto cancel = [&](CallRound& round) {
    if (!round.Remove(call)) return false;
    Fail(call, Status(Code::kCancelled, "cancelled"));
    return true;
  };
  if (cancel(round_)) return;
  for (const std::shared_ptr<CallRound>& round : held_) {
    if (cancel(*round)) return;
  }
  ServerBackend::Cancel(call);
}

std::vector<CallEvent> SglangBackend::Wait(Deadline deadline) {
  SendRound();
  return ServerBackend::Wait(deadline);
}

void SglangBackend::SendRound() {
  std::string shared = round_.SharedText();
  if (shared.empty() || known_text_.starts_with(shared)) return round_.Send();
  const auto round = std::make_shared<CallRound>(std::exchange(round_, CallRound()));
  held_.push_back(round);
  const Json body = {{"text", shared}, {"sampling_params", {{"max_new_tokens", 0}}}};
  known_text_ = std::move(shared);
  // Whatever comes of it, the calls say for themselves what is wrong.
  client().Start({"POST", "/generate", body.dump(-1, ' ', false, Json::error_handler_t::replace)},
                 [this, round](const Result<HttpReply>&) {
                   std::erase(held_, round);
                   round->Send();
                 });
}

void SglangBackend::ScorePrompt(const std::shared_ptr<Scoring>& scoring) {
  const Json body = {{"text", scoring->call.prompt.Text()},
                     {"sampling_params", {{"max_new_tokens", 0}}}};
  Post(scoring->id, "/generate", body, [this, scoring](const Json& answer) {
    const Json& meta = JsonAt(answer, "meta_info");
    if (!JsonAt(meta, "prompt_tokens").is_number_integer()) {
      return Fail(scoring->id, NotUnderstood());
    }
    const CallUsage usage = ReadUsage(meta);
    Add(scoring->event.usage, usage);
    ScoreChoices(scoring, usage.prompt_tokens);
  });
}

void SglangBackend::ScoreChoices(const std::shared_ptr<Scoring>& scoring,
                                 std::int64_t prompt_tokens) {
  Json texts = Json::array();
  for (const std::string& choice : scoring->call.choices) {
    texts.push_back(scoring->call.prompt.Text() + choice);
  }
  const Json body = {{"text", std::move(texts)},
                     {"sampling_params", {{"max_new_tokens", 0}, {"temperature", 0}}},
                     {"return_logprob", true},
                     {"return_text_in_logprobs", true},
                     {"logprob_start_len", std::max<std::int64_t>(prompt_tokens - 2, 0)}};
  Post(scoring->id, "/generate", body, [this, scoring](const Json& answers) {
    for (const Json& answer : answers) {
      const Json& meta = JsonAt(answer, "meta_info");
      std::vector<ScoredToken> tokens = ReadScored(JsonAt(meta, "input_token_logprobs"));
      // Where nothing joined at the prompt's end, the first token is the prompt's own.
      if (!tokens.empty() && !tokens[0].text.empty() &&
          scoring->call.prompt.Text().ends_with(tokens[0].text)) {
        tokens.erase(tokens.begin());
      }
      if (tokens.empty()) {
        return Fail(scoring->id, Status(Code::kInternal, "the server did not score each choice"));
      }
      scoring->event.choice_logprobs.push_back(std::move(tokens));
      Add(scoring->event.usage, ReadUsage(meta));
    }
    if (scoring->event.choice_logprobs.size() != scoring->call.choices.size()) {
      return Fail(scoring->id, Status(Code::kInternal, "the server did not score each choice"));
    }
    if (scoring->call.unconditional) return ScoreAlone(scoring);
    Tell(std::move(scoring->event));
  });
}

void SglangBackend::ScoreAlone(const std::shared_ptr<Scoring>& scoring) {
  Json ids = Json::array();
  for (const std::vector<ScoredToken>& tokens : scoring->event.choice_logprobs) {
    Json& row = ids.emplace_back(Json::array());
    for (const ScoredToken& token : tokens) row.push_back(token.token);
  }
  const Json body = {{"input_ids", std::move(ids)},
                     {"sampling_params", {{"max_new_tokens", 0}}},
                     {"return_logprob", true}};
  Post(scoring->id, "/generate", body, [this, scoring](const Json& answers) {
    for (const Json& answer : answers) {
      const Json& meta = JsonAt(answer, "meta_info");
      scoring->event.unconditional_logprobs.push_back(
          ReadScored(JsonAt(meta, "input_token_logprobs")));
      Add(scoring->event.usage, ReadUsage(meta));
    }
    Tell(std::move(scoring->event));
  });
}

Result<Backend::ChatModel> SglangBackend::Chat(Deadline) {
  ChatModel chat;
  chat.name = JsonString(model_facts_, "model_path");
  chat.chat_template = JsonString(model_facts_, "chat_template");
  chat.bos = JsonString(model_facts_, "bos_token");
  chat.eos = JsonString(model_facts_, "eos_token");
  if (chat.chat_template.empty()) chat.chat_format = ChatFormatOfModel(chat.name);
  return chat;
}

Status SglangBackend::FlushCache(Deadline deadline) {
  known_text_.clear();
  return Fetch("POST", "/flush_cache", deadline).status();
}

Result<Backend::Facts> SglangBackend::ServerFacts(Deadline deadline) {
  ESP_ASSIGN_OR_RETURN(const Json facts, FetchJson("/get_server_info", deadline));
  Facts result;
  for (const auto& [name, value] : facts.items()) {
    result.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return result;
}

}  // namespace espalier
