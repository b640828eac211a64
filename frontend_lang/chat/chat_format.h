// ChatFormat: the text that a program puts before and after a message of a role.
//
// A program builds its prompt message by message, while a chat template renders a
// whole conversation. From a template the pieces are found by rendering with a marker
// as content and cutting there: what the new message adds to the conversation so far
// is `before + content + after`. A system message that the template adds by itself
// belongs to the first turn; an assistant's `before` is the generation prompt. Or the
// format is one of a few named ones, whose pieces stand in a table.
//
// What a turn costs does not grow with the conversation: of a long one the template is shown
// the first turns and the last ones, an even number in the middle left out. That its pieces
// are the same is checked each time the number of turns has doubled.
//
// Thread safety: immutable.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/chat/chat_template.h"
#include "frontend_lang/chat/chat_turn.h"
#include "frontend_lang/chat/content_marker.h"
#include "kernels/base/status.h"

namespace espalier {

struct NamedChatFormat;  // a row of chat_format_table.h

class ChatFormat {
 public:
  // From a model's template. kInvalidArgument or kUnsupported when it does not compile.
  static Result<ChatFormat> FromTemplate(std::string_view jinja, std::string bos, std::string eos);

  // "default", "chatml", "llama-3-instruct", ... (chat_format_table.h). kNotFound names
  // them all.
  static Result<ChatFormat> Named(std::string_view name);

  // What ends an answer in a named format.
  std::span<const std::string_view> stops() const;

  // The text around a message of `role` that follows `previous`. kUnsupported when the
  // template rewrites earlier text as the conversation grows, does not show the message, or
  // words it by turns in the middle of a long conversation; the template's own error when it
  // refuses the role.
  Result<TurnText> Around(const std::vector<ChatTurn>& previous, std::string_view role) const;

 private:
  ChatFormat() = default;

  enum class Prompt { kNone, kGeneration };
  Result<std::string> Render(const std::vector<ChatTurn>& turns, Prompt prompt) const;
  Result<TurnText> CutFromTemplate(const std::vector<ChatTurn>& previous,
                                   std::string_view role) const;

  const NamedChatFormat* named_ = nullptr;  // or:
  std::optional<ChatTemplate> template_;
  std::string bos_, eos_;
};

}  // namespace espalier
