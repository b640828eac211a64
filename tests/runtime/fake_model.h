// A model that is too simple to be wrong: a slot of its KV holds the token written
// there, its "attention" hashes the tokens of all positions that a token may see, read
// through the row's pages, and its logits and hidden state are functions of that hash. So a wrong
// page, slot, copy, position or order shows up as other logits. And the answer to a request,
// computed alone from the definition.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grammar/matcher.h"
#include "grammar/vocabulary.h"
#include "kernels/base/check.h"
#include "runtime/engine/forced_tokens.h"
#include "runtime/engine/penalties.h"
#include "runtime/engine/request.h"
#include "runtime/engine/sampler.h"
#include "runtime/engine/softmax.h"
#include "runtime/engine/speller.h"
#include "runtime/model/model.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier::test {

// An end token and seven words, which the model likes; then the other bytes, since grammars
// want a token for each.
inline constexpr std::int32_t kFakeWords = 8;
inline constexpr std::int32_t kFakeVocab = kFakeWords + 253;
inline constexpr TokenId kFakeEnd = 0;

inline std::shared_ptr<const Vocabulary> FakeVocabulary() {
  std::vector<std::string> tokens = {"", "a", "b", "ab", "ba", "aab", "c", "bb"};
  for (int byte = 0; byte < 256; ++byte) {
    if (byte < 'a' || byte > 'c') tokens.emplace_back(1, static_cast<char>(byte));
  }
  return std::make_shared<Vocabulary>(std::move(tokens), std::vector<TokenId>{kFakeEnd});
}

// Takes the longest token that fits, again and again.
class FakeTokenizer : public Tokenizer {
 public:
  std::vector<TokenId> Encode(std::string_view text, SpecialTokens /*special*/) const override {
    std::vector<TokenId> tokens;
    while (!text.empty()) {
      TokenId longest = -1;
      for (TokenId token = 1; token < kFakeVocab; ++token) {
        const std::string_view bytes = vocabulary_->bytes(token);
        if (!text.starts_with(bytes)) continue;
        if (longest < 0 || bytes.size() > vocabulary_->bytes(longest).size()) longest = token;
      }
      tokens.push_back(longest);
      text.remove_prefix(vocabulary_->bytes(longest).size());
    }
    return tokens;
  }
  std::string Decode(std::span<const TokenId> tokens, SpecialTokens /*special*/) const override {
    std::string text;
    for (const TokenId token : tokens) text += vocabulary_->bytes(token);
    return text;
  }
  std::string_view Name(TokenId token) const override { return vocabulary_->bytes(token); }
  const SpecialTokenIds& special() const override { return special_; }
  std::shared_ptr<const Vocabulary> vocabulary() const override { return vocabulary_; }

 private:
  const std::shared_ptr<const Vocabulary> vocabulary_ = FakeVocabulary();
  const SpecialTokenIds special_;
};

inline std::uint64_t HashStep(std::uint64_t hash, TokenId token) {
  hash = (hash ^ (static_cast<std::uint64_t>(token) + 1)) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

// Multiples of 1/2, so that ties are common.
inline void FakeLogits(std::uint64_t hash, std::span<float> logits) {
  for (std::size_t v = 0; v < logits.size(); ++v) {
    hash = HashStep(hash, static_cast<TokenId>(v));
    if (v == kFakeWords) {
      std::fill(logits.begin() + kFakeWords, logits.end(), -40.0f);
      return;
    }
    logits[v] = static_cast<float>((hash >> 40) % 13) / 2 - 3;
  }
}

inline constexpr std::int32_t kFakeHidden = 3;

inline void FakeState(std::uint64_t hash, std::span<float> state) {
  for (std::size_t i = 0; i < state.size(); ++i) {
    hash = HashStep(hash, static_cast<TokenId>(i));
    state[i] = static_cast<float>(hash >> 40) / 3 - 1e6f;
  }
}

class FakeModel : public Model {
 public:
  FakeModel(int num_pages, int page_size, int context_length = 1 << 20)
      : context_length_(context_length),
        slots_(static_cast<std::size_t>(num_pages * page_size), -1) {
    shape_.num_layers = shape_.num_kv_heads = shape_.head_dim = 1;
    shape_.page_size = page_size;
  }
  std::int32_t vocab_size() const override { return kFakeVocab; }
  std::int32_t hidden_size() const override { return kFakeHidden; }
  std::int32_t context_length() const override { return context_length_; }
  const KvShape& kv_shape() const override { return shape_; }
  void Forward(const Batch& batch, KvPool& /*kv*/, const ModelOutput& output) override {
    Compute(batch, output);
  }

  void Compute(const Batch& batch, const ModelOutput& output) {
    const auto size = static_cast<std::size_t>(shape_.page_size);
    for (const PageCopy& copy : batch.copies) {
      ESP_CHECK(copy.num_slots > 0 && copy.num_slots < shape_.page_size);
      const auto from = slots_.begin() + static_cast<std::ptrdiff_t>(At(copy.from) * size);
      std::copy_n(from, copy.num_slots,
                  slots_.begin() + static_cast<std::ptrdiff_t>(At(copy.to) * size));
    }
    for (std::size_t t = 0; t < batch.num_tokens(); ++t) {
      for (auto s = At(batch.slot_start[t]); s < At(batch.slot_start[t + 1]); ++s) {
        slots_[At(batch.slots[s])] = batch.tokens[t];
      }
    }
    ComputeLogits(batch, output.logits);
    ComputeHidden(batch, output.hidden);
  }

 private:
  template <typename T>
  static std::size_t At(T index) {
    return static_cast<std::size_t>(index);
  }

  void ComputeLogits(const Batch& batch, std::span<float> logits) const {
    ESP_CHECK(logits.size() == batch.num_logits() * At(kFakeVocab));
    for (std::size_t row = 0; row < batch.num_rows(); ++row) {
      for (auto i = At(batch.logits_start[row]); i < At(batch.logits_start[row + 1]); ++i) {
        const std::int32_t token = batch.logits_tokens[i];
        ESP_CHECK(token >= batch.start[row] && token < batch.start[row + 1]);
        FakeLogits(HashOf(batch, row, batch.position[At(token)]),
                   logits.subspan(i * At(kFakeVocab), At(kFakeVocab)));
      }
    }
  }

  void ComputeHidden(const Batch& batch, std::span<float> hidden) const {
    ESP_CHECK(hidden.size() == batch.hidden_tokens.size() * At(kFakeHidden));
    for (std::size_t i = 0; i < batch.hidden_tokens.size(); ++i) {
      const std::int32_t token = batch.hidden_tokens[i];
      ESP_CHECK(i == 0 || token > batch.hidden_tokens[i - 1]);
      const auto next = std::upper_bound(batch.start.begin(), batch.start.end(), token);
      FakeState(HashOf(batch, At(next - batch.start.begin() - 1), batch.position[At(token)]),
                hidden.subspan(i * At(kFakeHidden), At(kFakeHidden)));
    }
  }

  std::uint64_t HashOf(const Batch& batch, std::size_t row, std::int32_t last) const {
    std::uint64_t hash = 0;
    for (std::int32_t p = 0; p <= last; ++p) {
      const std::int32_t page = batch.page_start[row] + p / shape_.page_size;
      ESP_CHECK(page < batch.page_start[row + 1]) << "a position without a page";
      const std::size_t slot = At(batch.pages[At(page)]) * At(shape_.page_size);
      hash = HashStep(hash, slots_[slot + At(p % shape_.page_size)]);
    }
    return hash;
  }

  int context_length_;
  KvShape shape_;
  std::vector<TokenId> slots_;  // -1: never written
};

// What one choice of a request comes to.
struct Answer {
  std::vector<TokenId> tokens;
  std::string text;
  std::vector<TokenLogprob> logprobs, prompt_logprobs;
  std::vector<float> embedding;
  FinishReason finish = FinishReason::kNone;
  std::string matched_stop;
  TokenId matched_token = -1;
};

inline bool Same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }
inline bool Same(const std::vector<TokenLogprob>& a, const std::vector<TokenLogprob>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.token == y.token && Same(x.logprob, y.logprob) && x.top == y.top;
  });
}
inline bool operator==(const Answer& a, const Answer& b) {
  return a.tokens == b.tokens && a.text == b.text && Same(a.logprobs, b.logprobs) &&
         Same(a.prompt_logprobs, b.prompt_logprobs) && a.embedding == b.embedding &&
         a.finish == b.finish && a.matched_stop == b.matched_stop &&
         a.matched_token == b.matched_token;
}

// Adds an event of the choice to what is known of it.
inline void Append(const TokenEvent& event, Answer& to) {
  ESP_CHECK(to.finish == FinishReason::kNone) << "an event after the last one";
  to.tokens.insert(to.tokens.end(), event.tokens.begin(), event.tokens.end());
  to.text += event.text;
  to.logprobs.insert(to.logprobs.end(), event.logprobs.begin(), event.logprobs.end());
  to.prompt_logprobs.insert(to.prompt_logprobs.end(), event.prompt_logprobs.begin(),
                            event.prompt_logprobs.end());
  to.embedding = event.embedding;
  to.finish = event.finish;
  to.matched_stop = event.matched_stop;
  to.matched_token = event.matched_token;
}

// The longest stop string that `text` ends with.
inline std::string CompletedStop(const SamplingParams& params, const std::string& text) {
  std::string longest;
  for (const std::string& stop : params.stop) {
    if (text.ends_with(stop) && stop.size() > longest.size()) longest = stop;
  }
  return longest;
}

inline std::vector<float> LogitsAfter(std::span<const TokenId> tokens) {
  std::uint64_t hash = 0;
  for (const TokenId token : tokens) hash = HashStep(hash, token);
  std::vector<float> logits(kFakeVocab);
  FakeLogits(hash, logits);
  return logits;
}

// Takes the next token's bytes one by one. Returns whether the answer ends.
inline bool TakeToken(const SamplingParams& params, const Vocabulary& vocabulary, TokenId token,
                      std::string& scanned, Answer& answer) {
  const int num_tokens = static_cast<int>(answer.tokens.size());
  const bool is_stop = (token == kFakeEnd && !params.ignore_eos) ||
                       std::ranges::count(params.stop_token_ids, token) > 0;
  if (is_stop && num_tokens > params.min_new_tokens) {
    answer.matched_token = token;
    return true;
  }
  for (const char byte : vocabulary.bytes(token)) {
    answer.text += byte;
    scanned += byte;
    if (num_tokens < params.min_new_tokens) continue;
    answer.matched_stop = CompletedStop(params, scanned);
    if (answer.matched_stop.empty()) continue;
    answer.text.resize(answer.text.size() - answer.matched_stop.size());
    return true;
  }
  return false;
}

inline std::vector<TokenLogprob> ScoresFrom(std::span<const TokenId> tokens, std::size_t start,
                                            int num_top) {
  std::vector<TokenLogprob> result;
  for (std::size_t i = start; i < tokens.size(); ++i) {
    if (i == 0) {
      result.push_back({.token = tokens[0], .logprob = std::nanf("")});
    } else {
      result.push_back(LogSoftmax(LogitsAfter(tokens.first(i)), tokens[i], num_top));
    }
  }
  return result;
}

inline std::vector<TokenLogprob> PromptLogprobs(const GenerateRequest& request) {
  const SamplingParams& params = request.sampling;
  return ScoresFrom(request.prompt,
                    static_cast<std::size_t>(params.logprob_start_len.value_or(1 << 30)),
                    params.top_logprobs_num);
}

// What the grammar forces next, as far as it may be appended without sampling.
inline std::deque<TokenId> ForcedNext(const GenerateRequest& request, bool is_scored,
                                      std::span<const TokenId> tokens, GrammarMatcher& matcher) {
  static const Speller speller(std::make_shared<FakeTokenizer>());
  const SamplingParams& params = request.sampling;
  std::deque<TokenId> forced;
  if (is_scored && !(params.stop.empty() && params.stop_regex.empty())) return forced;
  int left = params.max_new_tokens - static_cast<int>(tokens.size() - request.prompt.size());
  for (const TokenId token : ForcedTokens(speller).After(tokens, matcher)) {
    const bool is_stop = std::ranges::count(params.stop_token_ids, token) > 0;
    ESP_CHECK(matcher.Accept(token));
    if (is_scored && (--left <= 0 || is_stop || matcher.finished())) {
      matcher.Rollback(1);
      break;
    }
    forced.push_back(token);
  }
  matcher.Rollback(static_cast<int>(forced.size()));
  return forced;
}

// The mean of the states of all tokens, in order.
inline std::vector<float> EmbeddingOf(std::span<const TokenId> tokens) {
  std::vector<double> sum(kFakeHidden);
  std::vector<float> state(kFakeHidden);
  std::uint64_t hash = 0;
  for (const TokenId token : tokens) {
    hash = HashStep(hash, token);
    FakeState(hash, state);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += state[i];
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    state[i] = static_cast<float>(sum[i] / static_cast<double>(tokens.size()));
  }
  return state;
}

enum class Forcing : std::uint8_t { kOff, kOn };

// The whole answer, with nothing batched, cached, chunked or preempted.
inline Answer AnswerAlone(const GenerateRequest& request, int choice,
                          Forcing forcing = Forcing::kOff) {
  const SamplingParams& params = request.sampling;
  const auto vocabulary = FakeVocabulary();
  Answer answer;
  if (!request.paths.empty()) {
    const ScoredPath& path = request.paths[static_cast<std::size_t>(choice)];
    answer.prompt_logprobs = ScoresFrom(path.tokens, static_cast<std::size_t>(path.start), 0);
    answer.finish = FinishReason::kLength;
    return answer;
  }
  if (request.embeds) answer.embedding = EmbeddingOf(request.prompt);
  if (choice == 0) answer.prompt_logprobs = PromptLogprobs(request);
  Penalties penalties(params);
  penalties.AddPrompt(request.prompt);
  Sampler sampler(kFakeVocab);
  std::vector<TokenId> tokens = request.prompt;
  std::vector<TokenId> stops = params.stop_token_ids;
  if (!params.ignore_eos) stops.push_back(kFakeEnd);
  std::string scanned;
  std::optional<GrammarMatcher> matcher;
  if (request.grammar != nullptr) matcher.emplace(request.grammar);
  TokenMask mask(kFakeVocab);
  answer.finish = FinishReason::kLength;
  // Prompt log-probabilities that are still to come keep the output from ending unrun.
  const int scores_from = std::max(params.logprob_start_len.value_or(1 << 30), 1);
  bool is_scored = params.return_logprob ||
                   (choice == 0 && scores_from < static_cast<int>(request.prompt.size()));
  std::deque<TokenId> forced;
  bool may_force = forcing == Forcing::kOn && matcher.has_value();
  while (static_cast<int>(answer.tokens.size()) < params.max_new_tokens) {
    if (may_force) forced = ForcedNext(request, is_scored, tokens, *matcher);
    may_force = false;
    const std::vector<float> logits = LogitsAfter(tokens);
    TokenId token = 0;
    if (!forced.empty()) {
      token = forced.front();
      forced.pop_front();
    } else {
      ESP_CHECK(!matcher || matcher->FillMask(mask).ok());
      const bool may_stop = static_cast<int>(answer.tokens.size()) >= params.min_new_tokens;
      token = *sampler.Sample({.logits = logits,
                               .params = &params,
                               .penalties = &penalties,
                               .mask = matcher ? &mask : nullptr,
                               .banned = may_stop ? std::span<const TokenId>() : stops,
                               .seed = params.seed.value_or(0),
                               .choice = choice,
                               .position = static_cast<std::int32_t>(tokens.size())});
      may_force = forcing == Forcing::kOn && matcher.has_value();
      is_scored = params.return_logprob;
    }
    tokens.push_back(token);
    answer.tokens.push_back(token);
    penalties.AddOutput(token);
    if (params.return_logprob) {
      answer.logprobs.push_back(LogSoftmax(logits, token, params.top_logprobs_num));
    }
    ESP_CHECK(!matcher || matcher->Accept(token));
    if (TakeToken(params, *vocabulary, token, scanned, answer) ||
        (matcher && matcher->finished())) {
      answer.finish = FinishReason::kStop;
      break;
    }
  }
  return answer;
}

}  // namespace espalier::test
