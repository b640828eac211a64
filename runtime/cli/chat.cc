// `espalier chat`: talk to a model in the terminal.
//
// Each turn sends the whole conversation; what was said before is found in the prefix
// cache. Ctrl-C stops an answer, Ctrl-D leaves.
#include <poll.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "kernels/base/random.h"
#include "runtime/api/did_you_mean.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/interrupt.h"
#include "runtime/cli/line_editor.h"
#include "runtime/cli/load.h"
#include "runtime/cli/output.h"
#include "runtime/cli/sampling_flags.h"
#include "runtime/cli/totals.h"
#include "runtime/local/chat_prompt.h"
#include "runtime/local/engine_client.h"
#include "runtime/local/generated.h"
#include "runtime/local/prompt.h"
#include "runtime/local/token_text.h"
#include "runtime/local/tokens_left.h"

namespace espalier {
namespace {

constexpr std::string_view kHelp =
    "/help           this; also /?\n"
    "/reset          forget the conversation; also /clear\n"
    "/regen          answer the last message again\n"
    "/system TEXT    set the system message, and forget the conversation\n"
    "/exit           leave; also /quit, /bye, Ctrl-D\n"
    "\"\"\"             begin and end a message of several lines\n"
    "Ctrl-C          stop the answer\n";

// The quotes that begin and end a message of several lines.
constexpr std::string_view kQuotes = "\"\"\"";

struct ChatFlags {
  CommonFlags common;
  SamplingFlags sampling;
  std::string system;
};

class ChatSession {
 public:
  ChatSession(const ChatFlags& flags, LocalModel& model, ChatPrompt chat, SamplingParams sampling)
      : log_(flags.common.log()),
        model_(model),
        client_(model),
        chat_(std::move(chat)),
        sampling_(std::move(sampling)),
        system_(flags.system),
        root_seed_(flags.common.seed) {
    if (!flags.sampling.Has("max_new_tokens")) sampling_.max_new_tokens = 0;
    Reset();
  }

  Result<ExitCode> Run() {
    if (editor_.is_terminal()) {
      fmt::print(stderr, "{}: /help lists commands, /exit leaves\n", model_.name());
      ESP_RETURN_IF_ERROR(HoldInterrupts());
    }
    while (!leaves_) {
      ESP_ASSIGN_OR_RETURN(LineEditor::Input input, editor_.Read("> "));
      if (input.end == LineEditor::End::kEndOfInput) break;
      if (input.text.starts_with(kQuotes)) ESP_RETURN_IF_ERROR(ReadQuoted(input));
      if (input.end == LineEditor::End::kInterrupt || input.text.empty()) continue;
      ESP_RETURN_IF_ERROR(HoldInterrupts());
      ESP_RETURN_IF_ERROR(input.text.starts_with("/") ? OnCommand(input.text)
                                                      : OnMessage(input.text));
      if (!editor_.is_terminal()) interrupt_.reset();
    }
    log_.Info(totals_.Line());
    return totals_.num_failed() == 0 || editor_.is_terminal() ? ExitCode::kDone : ExitCode::kFailed;
  }

 private:
  // From here on Ctrl-C stops the next answer, also before it begins; where lines come from a
  // pipe it ends the program between answers.
  Status HoldInterrupts() {
    if (interrupt_) {
      interrupt_->Take();
      return Status();
    }
    return interrupt_.emplace().Start();
  }

  void Reset() {
    messages_ = nlohmann::ordered_json::array();
    if (!system_.empty()) messages_.push_back({{"role", "system"}, {"content", system_}});
  }

  // `input` begins a message in quotes: reads on up to the line that ends with them.
  Status ReadQuoted(LineEditor::Input& input) {
    std::string message = input.text.substr(kQuotes.size());
    while (!message.ends_with(kQuotes)) {
      ESP_ASSIGN_OR_RETURN(input, editor_.Read("... "));
      if (input.end != LineEditor::End::kLine) return Status();
      message += (message.empty() ? "" : "\n") + input.text;
    }
    input.text = message.substr(0, message.size() - kQuotes.size());
    return Status();
  }

  Status OnCommand(const std::string& line) {
    constexpr std::string_view kNames[] = {"/help",   "/?",    "/reset", "/clear", "/regen",
                                           "/system", "/exit", "/quit",  "/bye"};
    const std::string name = line.substr(0, line.find(' '));
    if (name == "/reset" || name == "/clear") {
      Reset();
    } else if (name == "/system") {
      system_ = line.size() > name.size() ? line.substr(name.size() + 1) : "";
      Reset();
    } else if (name == "/regen") {
      return Regenerate();
    } else if (name == "/exit" || name == "/quit" || name == "/bye") {
      leaves_ = true;
    } else if (name == "/help" || name == "/?") {
      fmt::print(stderr, "{}", kHelp);
    } else {
      PrintError(fmt::format("unknown command {}{} /help lists them", name, Meant(name, kNames)));
    }
    return Status();
  }

  static std::string Meant(std::string_view name, std::span<const std::string_view> known) {
    const std::string suggestion = DidYouMean(name, known);
    return suggestion.empty() ? ";" : suggestion;
  }

  Status Regenerate() {
    if (messages_.empty() || messages_.back()["role"] != "assistant") {
      PrintError("there is no answer yet; say something first");
      return Status();
    }
    messages_.erase(messages_.size() - 1);
    const std::string last = messages_.back()["content"];
    messages_.erase(messages_.size() - 1);
    return OnMessage(last);
  }

  // A message that cannot be answered is said so and taken back; only stdout stops it all.
  Status OnMessage(const std::string& line) {
    const nlohmann::ordered_json before = messages_;
    messages_.push_back({{"role", "user"}, {"content", line}});
    Result<GenerateRequest> request = NextRequest(line);
    if (!request.ok()) return TakeBack(before, request.status());
    Generated generated(1);
    ESP_RETURN_IF_ERROR(Answer(std::move(request).value(), generated));
    const Code code = generated.status().code();
    if (code != Code::kOk && code != Code::kCancelled) return TakeBack(before, generated.status());
    totals_.Add(generated.usage());
    const std::string& text = generated.choices().front().text;
    messages_.push_back({{"role", "assistant"}, {"content", text}});
    return WriteOut("\n");
  }

  Status TakeBack(nlohmann::ordered_json before, const Status& status) {
    messages_ = std::move(before);
    totals_.AddFailure();
    PrintError(status.message());
    return Status();
  }

  Result<GenerateRequest> NextRequest(const std::string& line) {
    ESP_RETURN_IF_ERROR(CheckUtf8(line, "the message"));
    ESP_ASSIGN_OR_RETURN(const std::string text, chat_.Render(messages_, ChatPrompt::End::kOpen));
    GenerateRequest request;
    request.prompt = EncodePrompt(model_.tokenizer(), text);
    request.sampling = sampling_;
    request.sampling.seed = ChildSeed(root_seed_, num_turns_++);
    const std::int32_t room = TokensLeft(model_, request.prompt.size());
    if (room == 0) return Full();
    std::int32_t& most = request.sampling.max_new_tokens;
    most = most == 0 ? room : std::min(most, room);
    request.sampling.min_new_tokens = std::min(request.sampling.min_new_tokens, most);
    return request;
  }

  // Why there is no room for an answer.
  Status Full() const {
    const std::int64_t cached = model_.kv_cache().tokens;
    const bool by_context = model_.context_length() <= cached;
    return Status(Code::kLimit,
                  fmt::format("the conversation fills the {} of {} tokens; /reset begins a new one",
                              by_context ? "context" : "KV cache (--kv-cache-tokens)",
                              by_context ? model_.context_length() : cached));
  }

  Status Answer(GenerateRequest request, Generated& generated) {
    Status printed;
    const Ticket ticket = client_.Submit(std::move(request), [&](TokenEvent event) {
      const std::string text = generated.Add(std::move(event));
      if (printed.ok()) printed = WriteOut(text);
    });
    while (!generated.done()) {
      client_.Poll();
      if (interrupt_->Take() || !printed.ok()) client_.Cancel(ticket);
      if (generated.done()) break;
      pollfd fds[] = {{.fd = model_.events().fd(), .events = POLLIN, .revents = 0},
                      {.fd = interrupt_->fd(), .events = POLLIN, .revents = 0}};
      poll(fds, 2, -1);
    }
    return printed;
  }

  Log log_;
  LocalModel& model_;
  EngineClient client_;
  LineEditor editor_;
  std::optional<InterruptFlag> interrupt_;  // set while a line is answered, on a terminal always
  ChatPrompt chat_;
  SamplingParams sampling_;  // max_new_tokens 0: to the end of the context
  std::string system_;
  std::uint64_t root_seed_;
  std::uint64_t num_turns_ = 0;
  bool leaves_ = false;
  nlohmann::ordered_json messages_;
  Totals totals_;
};

}  // namespace

CommandBody DeclareChat(CLI::App& app) {
  auto flags = std::make_shared<ChatFlags>();
  app.add_option("--system", flags->system, "System message")->type_name("TEXT");
  flags->sampling.Declare(app);
  app.get_option("--max-tokens")
      ->description("most tokens of an answer; 0: as many as the context has room for [0]");
  AddEngineFlags(app, flags->common);
  return [flags]() -> Result<ExitCode> {
    ESP_ASSIGN_OR_RETURN(SamplingParams sampling, flags->sampling.Parse());
    ESP_RETURN_IF_ERROR(CheckUtf8(flags->system, "--system"));
    if (sampling.n != 1) return Status(Code::kInvalidArgument, "--n: a chat has one answer");
    ESP_ASSIGN_OR_RETURN(const std::unique_ptr<LocalModel> model, LoadLocalModel(flags->common));
    ESP_ASSIGN_OR_RETURN(Backend::ChatModel chat,
                         ChatModelOf(model->gguf(), model->tokenizer(), model->name()));
    ChatSession session(*flags, *model, ChatPrompt(std::move(chat)), std::move(sampling));
    return session.Run();
  };
}

}  // namespace espalier
