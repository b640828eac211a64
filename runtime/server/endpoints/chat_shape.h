// ChatShape: chat answers of OpenAI's API, with the calls of tools where a chat has some.
//
// Thread safety: io thread only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/api/tool_call_reader.h"
#include "runtime/server/endpoints/openai_shape.h"

namespace espalier::endpoints {

class ChatShape : public OpenAiShape {
 public:
  // `format`: how calls are written; null: the chat has no tools.
  ChatShape(OpenAiHead head, const Tokenizer& tokenizer, const ToolFormat* format)
      : OpenAiShape(std::move(head), tokenizer), format_(format) {}

 protected:
  nlohmann::ordered_json Choice(const RequestRun& run, std::size_t request,
                                const GeneratedChoice& choice) override;
  nlohmann::ordered_json ChunkChoice(const RequestRun& run, std::size_t request,
                                     const Chunk& news) override;

 private:
  // What of a stream's choice was told.
  struct Told {
    explicit Told(const ToolFormat& format) : reader(format) {}
    ToolCallReader reader;
    std::vector<std::string> ids;  // of its calls
  };

  nlohmann::ordered_json Logprobs(std::span<const TokenLogprob> tokens) const;
  nlohmann::ordered_json ToolDelta(const Chunk& news, nlohmann::ordered_json& to);

  const ToolFormat* const format_;
  std::vector<Told> told_;  // by index of the choice
};

}  // namespace espalier::endpoints
