// ReasoningReader: an output that reasons before it answers, split as it comes.
//
// The reasoning stands between two marks at the output's beginning; a model's template may
// have written the first one already. Blanks around the marks belong to neither part. What
// may be the beginning of a mark is held back until it is one or is not: pieces joined are
// the whole, however the output was cut.
//
// Source: the chat templates of Qwen3 and DeepSeek R1.
//
// Thread safety: none on one object.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"

namespace espalier {

class ReasoningReader {
 public:
  enum class Start : unsigned char {
    kBefore,  // the output may begin with the first mark
    kInside,  // the prompt has ended with it
  };
  struct News {
    std::string reasoning, text;
  };

  explicit ReasoningReader(Start start)
      : place_(start == Start::kInside ? Place::kInside : Place::kBefore) {}

  News Feed(std::string_view piece);
  News Finish();  // the output has ended: what was held back is what it looked like

 private:
  enum class Place : unsigned char { kBefore, kInside, kBehind, kText };

  bool TakeBefore();  // false: more is needed
  bool TakeInside(News& news);
  bool TakeBehind();

  Place place_;
  bool any_reasoning_ = false;
  std::string held_;
};

// Where an answer to `prompt`, as rendered by `chat_template`, begins; unset if the model
// does not reason, or not this time.
std::optional<ReasoningReader::Start> ReasoningStart(std::string_view chat_template,
                                                     std::string_view prompt);

// The constraint of a request line, to hold from behind the reasoning on: where the line has
// one that TakeConstraintFormat takes. Fails as that does.
Status ConstrainBehindReasoning(ReasoningReader::Start start, nlohmann::ordered_json& line);

}  // namespace espalier
