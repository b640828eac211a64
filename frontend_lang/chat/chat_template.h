// ChatTemplate: a model's Jinja chat template, compiled once and rendered often.
//
// Equal to what Hugging Face's apply_chat_template gives (jinja2 with trim_blocks and
// lstrip_blocks) for the constructs that real templates use; a construct that is not
// supported is refused when the template is compiled.
//
// A render needs about 512 KiB of stack at most: do it outside small fibers.
//
// Thread safety: immutable.
#pragma once

#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "frontend_lang/chat/jinja_evaluator.h"
#include "kernels/base/status.h"

namespace espalier {

struct ChatInput {
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  nlohmann::ordered_json tools, documents;  // null: not given
  bool add_generation_prompt = false;
  std::string bos_token, eos_token;
  // More variables (chat_template_kwargs), an object: {"enable_thinking": false}. They replace
  // `documents`, and nothing else of the above.
  nlohmann::ordered_json extra;
  std::optional<std::tm> now;  // for strftime_now; unset: the local time
};

class ChatTemplate {
 public:
  // kInvalidArgument or kUnsupported with line and column.
  static Result<ChatTemplate> Compile(std::string_view text);

  // kInvalidArgument with the template's own message where it calls raise_exception,
  // or with its line for another error; kLimit when it takes too much.
  Result<std::string> Render(const ChatInput& input, const jinja::RenderLimits& limits = {}) const;

 private:
  explicit ChatTemplate(jinja::Ast ast)
      : ast_(std::make_shared<const jinja::Ast>(std::move(ast))) {}

  std::shared_ptr<const jinja::Ast> ast_;
};

}  // namespace espalier
