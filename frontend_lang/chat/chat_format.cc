#include "frontend_lang/chat/chat_format.h"

#include <bit>
#include <utility>

#include "frontend_lang/chat/chat_format_table.h"
#include "frontend_lang/chat/content_marker.h"

namespace espalier {
namespace {

// Of a conversation longer than this a template sees its beginning and its end.
constexpr std::size_t kMostWhole = 15, kFirst = 5, kLast = 8;

// An even number of turns is left out, so that each keeps whether its place is even or odd.
std::vector<ChatTurn> Shortened(const std::vector<ChatTurn>& turns) {
  const std::size_t num_out = (turns.size() - kFirst - kLast) / 2 * 2;
  std::vector<ChatTurn> kept(turns.begin(), turns.begin() + kFirst);
  kept.insert(kept.end(), turns.begin() + static_cast<std::ptrdiff_t>(kFirst + num_out),
              turns.end());
  return kept;
}

Result<TurnText> FromTable(const NamedChatFormat& format, const std::vector<ChatTurn>& previous,
                           std::string_view role) {
  const NamedChatFormat::Role* piece = role == "system"      ? &format.system
                                       : role == "user"      ? &format.user
                                       : role == "assistant" ? &format.assistant
                                                             : nullptr;
  if (piece == nullptr) {
    return Status(Code::kUnsupported, "the chat format '" + std::string(format.name) +
                                          "' has no role '" + std::string(role) + "'");
  }
  TurnText text{std::string(piece->before), std::string(piece->after)};
  if (format.system_in_user) {
    if (role == "system" && previous.empty()) text.before.insert(0, format.user.before);
    if (role == "user" && previous.size() == 1 && previous[0].role == "system") text.before.clear();
  }
  if (previous.empty() && role != "system" && !format.default_system.empty()) {
    std::string system(format.system.before);
    system.append(format.default_system).append(format.system.after);
    text.before.insert(0, system);
  }
  return text;
}

Status NotAppendOnly(std::string_view role) {
  return Status(Code::kUnsupported,
                "the model's chat template changes earlier text when a message of role '" +
                    std::string(role) +
                    "' follows, so a program cannot build its prompt message by message; name "
                    "another chat format, such as chatml");
}

}  // namespace

Result<ChatFormat> ChatFormat::FromTemplate(std::string_view jinja, std::string bos,
                                            std::string eos) {
  ChatFormat format;
  ESP_ASSIGN_OR_RETURN(format.template_, ChatTemplate::Compile(jinja));
  format.bos_ = std::move(bos);
  format.eos_ = std::move(eos);
  return format;
}

Result<ChatFormat> ChatFormat::Named(std::string_view name) {
  std::string known;
  for (const NamedChatFormat& row : kChatFormats) {
    if (row.name == name) {
      ChatFormat format;
      format.named_ = &row;
      return format;
    }
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  return Status(Code::kNotFound,
                "there is no chat format '" + std::string(name) + "'; there are: " + known);
}

std::span<const std::string_view> ChatFormat::stops() const {
  if (named_ == nullptr || named_->stop.empty()) return {};
  return {&named_->stop, 1};
}

Result<TurnText> ChatFormat::Around(const std::vector<ChatTurn>& previous,
                                    std::string_view role) const {
  if (named_ != nullptr) return FromTable(*named_, previous, role);
  if (previous.size() <= kMostWhole) return CutFromTemplate(previous, role);
  Result<TurnText> text = CutFromTemplate(Shortened(previous), role);
  if (text.ok() && !std::has_single_bit(previous.size())) return text;
  Result<TurnText> whole = CutFromTemplate(previous, role);
  if (!text.ok() || !whole.ok() || *text == *whole) return whole;
  return Status(Code::kUnsupported,
                "the model's chat template words a message of role '" + std::string(role) +
                    "' by turns in the middle of the conversation, so a program cannot build a "
                    "long one message by message; name another chat format, such as chatml");
}

Result<std::string> ChatFormat::Render(const std::vector<ChatTurn>& turns, Prompt prompt) const {
  ChatInput input{
      .add_generation_prompt = prompt == Prompt::kGeneration, .bos_token = bos_, .eos_token = eos_};
  for (const ChatTurn& turn : turns) {
    input.messages.push_back({{"role", turn.role}, {"content", turn.content}});
  }
  return template_->Render(input);
}

// Many templates look at messages[0], so an empty conversation is not rendered: its
// text is empty, and the first turn gets all that the template says around it.
Result<TurnText> ChatFormat::CutFromTemplate(const std::vector<ChatTurn>& previous,
                                             std::string_view role) const {
  std::string earlier;
  if (!previous.empty()) {
    ESP_ASSIGN_OR_RETURN(earlier, Render(previous, Prompt::kNone));
  }
  std::vector<ChatTurn> turns = previous;
  turns.push_back({std::string(role), std::string(kContentMarker)});
  ESP_ASSIGN_OR_RETURN(const std::string whole, Render(turns, Prompt::kNone));
  std::optional<TurnText> text = CutAtMarker(whole);
  if (!text) {
    return Status(
        Code::kUnsupported,
        "the model's chat template does not show a message of role '" + std::string(role) + "'");
  }
  if (!text->before.starts_with(earlier)) return NotAppendOnly(role);
  text->before.erase(0, earlier.size());
  if (role != "assistant" || previous.empty()) return *std::move(text);
  ESP_ASSIGN_OR_RETURN(const std::string prompt, Render(previous, Prompt::kGeneration));
  if (!prompt.starts_with(earlier)) return NotAppendOnly(role);
  text->before = prompt.substr(earlier.size());
  return *std::move(text);
}

}  // namespace espalier
