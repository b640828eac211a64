// ChatShape: chat answers of OpenAI's API, with the calls of tools where a chat has some.
//
// Thread safety: io thread only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/api/tool_call_reader.h"
#include "runtime/server/endpoints/chat_request.h"
#include "runtime/server/endpoints/openai_shape.h"

namespace espalier::endpoints {

class ChatShape : public OpenAiShape {
 public:
  ChatShape(OpenAiHead head, const Tokenizer& tokenizer, AnswerParts parts)
      : OpenAiShape(std::move(head), tokenizer), parts_(parts) {}

 protected:
  nlohmann::ordered_json Choice(const RequestRun& run, std::size_t request,
                                const GeneratedChoice& choice) override;
  nlohmann::ordered_json ChunkChoice(const RequestRun& run, std::size_t request,
                                     const Chunk& news) override;

 private:
  // A choice's text on its way through the readers of its parts.
  class Reader {
   public:
    explicit Reader(const AnswerParts& parts);
    struct News {
      std::string reasoning;
      ToolCallReader::News rest;
    };
    News Feed(std::string_view piece);
    News Finish();
    bool reasons() const { return reasoning_.has_value(); }
    const ToolCallReader* calls() const { return calls_ ? &*calls_ : nullptr; }  // null: no tools

   private:
    News Rest(ReasoningReader::News news);

    std::optional<ReasoningReader> reasoning_;
    std::optional<ToolCallReader> calls_;
  };

  nlohmann::ordered_json Logprobs(std::span<const TokenLogprob> tokens) const;
  void AddCalls(const Reader& reader, std::vector<ToolCallReader::News::Arguments> calls,
                nlohmann::ordered_json& delta) const;

  const AnswerParts parts_;
  std::vector<Reader> readers_;  // of a stream's choices, by index
};

}  // namespace espalier::endpoints
