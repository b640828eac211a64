// OpenAiShape: what the answers of OpenAI's two generating endpoints have in common.
//
// Source: OpenAI's API reference, "streaming": one chunk a piece of text, the usage in a
// last chunk without choices if stream_options.include_usage asks for it.
//
// Thread safety: io thread only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "runtime/api/openai_body.h"
#include "runtime/server/answer_shape.h"
#include "runtime/server/served_model.h"

namespace espalier::endpoints {

struct OpenAiHead {
  std::string id;
  std::string_view object;        // of a whole answer
  std::string_view chunk_object;  // of a stream's
  std::int64_t created_s = 0;
  std::string model;
  bool include_usage = false;
};

class OpenAiShape : public AnswerShape {
 public:
  OpenAiShape(OpenAiHead head, const Tokenizer& tokenizer)
      : head_(std::move(head)), tokenizer_(tokenizer) {}

  Result<nlohmann::ordered_json> Whole(const Runs& runs) override;
  AnswerShape::News Piece(const RequestRun& run, std::size_t request,
                          const RequestRun::Piece& piece) override;
  void End(const Runs& runs, std::string& stream) override;

 protected:
  // A choice of a whole answer, but for its index and why it ended; what is here stands
  // over those.
  virtual nlohmann::ordered_json Choice(const RequestRun& run, std::size_t request,
                                        const GeneratedChoice& choice) = 0;

  // What of a choice is sent with one chunk.
  struct Chunk {
    std::size_t index = 0;  // of the choice
    const GeneratedChoice* choice = nullptr;
    std::string text;
    bool is_first = false;
    std::span<const TokenLogprob> logprobs;  // since the last chunk
  };
  virtual nlohmann::ordered_json ChunkChoice(const RequestRun& run, std::size_t request,
                                             const Chunk& news) = 0;

  const Tokenizer& tokenizer() const { return tokenizer_; }

 private:
  struct Sent {
    std::size_t num_logprobs = 0;
    bool any = false;
  };
  nlohmann::ordered_json Head(std::string_view object) const;
  Sent& SentOf(std::size_t index);

  const OpenAiHead head_;
  const Tokenizer& tokenizer_;
  std::vector<Sent> sent_;  // by index of the choice
};

// The head of an answer to `body`.
OpenAiHead HeadOf(const ServedModel& served, const OpenAiBody& body, std::string_view id_prefix);

// kNotFound where a body asks for another model than the served one.
Status CheckModel(const ServedModel& served, const std::string& model);

}  // namespace espalier::endpoints
