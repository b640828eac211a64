// `espalier generate`: one prompt, or many from a file.
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "kernels/base/random.h"
#include "runtime/api/request_line.h"
#include "runtime/api/result_json.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/generate_flags.h"
#include "runtime/cli/jsonl.h"
#include "runtime/cli/load.h"
#include "runtime/cli/output.h"
#include "runtime/cli/read_file.h"
#include "runtime/cli/text_judge.h"
#include "runtime/cli/totals.h"
#include "runtime/local/chat_prompt.h"
#include "runtime/local/engine_client.h"
#include "runtime/local/prompt.h"
#include "runtime/local/token_text.h"

namespace espalier {
namespace {

constexpr int kMaxLogprobs = 128;

Status CheckFlags(const GenerateFlags& flags) {
  const auto wrong = [](std::string message) {
    return Status(Code::kInvalidArgument, std::move(message));
  };
  const bool chat = flags.chat || !flags.system.empty();
  if (!flags.jsonl.empty()) {
    if (!flags.prompt.empty())
      return wrong("--jsonl: requests come from the file; leave PROMPT away");
    if (chat)
      return wrong("--jsonl: a line says by its messages that it is a chat; leave --chat away");
    return Status();
  }
  if (flags.prompt.empty()) {
    return wrong("the prompt is empty; give a PROMPT, '-' for stdin, or --jsonl FILE");
  }
  if (!flags.system.empty() && !flags.chat) return wrong("--system needs --chat");
  return Status();
}

// Structural tags and grammars may ask for tokens of the model.
bool MayNameTokens(const ConstraintSpec& constraint) {
  const bool is_grammar = constraint.kind == ConstraintKind::kEbnf;
  return constraint.kind == ConstraintKind::kStructuralTag ||
         (is_grammar && constraint.text.find('<') != std::string::npos);
}

// What can be wrong without a model is said before one is loaded.
Result<ConstraintSpec> CheckedConstraint(const GenerateFlags& flags) {
  ESP_ASSIGN_OR_RETURN(ConstraintSpec constraint, ReadConstraint(flags));
  if (constraint.kind == ConstraintKind::kNone || MayNameTokens(constraint)) return constraint;
  ESP_RETURN_IF_ERROR(TextJudge::Make(constraint, ByteVocabulary()).status());
  return constraint;
}

Result<LineDefaults> DefaultsOf(const GenerateFlags& flags, ConstraintSpec constraint,
                                LocalModel& model) {
  LineDefaults defaults;
  defaults.tokenizer = &model.tokenizer();
  defaults.context_length = model.context_length();
  defaults.longest_token_bytes = LongestTokenBytes(*model.tokenizer().vocabulary());
  ESP_ASSIGN_OR_RETURN(Backend::ChatModel chat,
                       ChatModelOf(model.gguf(), model.tokenizer(), model.name()));
  defaults.chat = std::make_shared<const ChatPrompt>(std::move(chat));
  ESP_ASSIGN_OR_RETURN(defaults.sampling, flags.sampling.Parse());
  defaults.constraint = std::move(constraint);
  if (flags.logprobs >= 0) {
    defaults.sampling.return_logprob = true;
    defaults.sampling.top_logprobs_num = flags.logprobs;
  }
  return defaults;
}

Result<std::string> PromptText(const GenerateFlags& flags) {
  std::string prompt = flags.prompt;
  if (prompt == "-") {
    ESP_ASSIGN_OR_RETURN(prompt, ReadFile("-"));
    if (prompt.ends_with('\n')) prompt.pop_back();  // the one that echo and editors add
    if (prompt.empty()) return Status(Code::kInvalidArgument, "stdin: the prompt is empty");
  }
  ESP_RETURN_IF_ERROR(CheckUtf8(prompt, "the prompt"));
  ESP_RETURN_IF_ERROR(CheckUtf8(flags.system, "--system"));
  return prompt;
}

// Prints the text of one choice as it comes; other choices wait for their turn.
class TextPrinter {
 public:
  TextPrinter(const GenerateFlags& flags, std::int32_t num_choices)
      : streams_(flags.stream && !flags.common.json && num_choices == 1) {}

  Status Add(std::string_view text) {
    if (!streams_ || text.empty()) return Status();
    ends_line_ = text.back() == '\n';
    return WriteOut(text);
  }

  Status Finish(const Generated& generated) {
    if (streams_) return ends_line_ ? Status() : WriteOut("\n");
    const std::size_t num_choices = generated.choices().size();
    for (std::size_t i = 0; i < num_choices; ++i) {
      std::string text = generated.choices()[i].text;
      if (num_choices > 1) text = fmt::format("--- {} of {}\n", i + 1, num_choices) + text;
      if (!text.ends_with('\n')) text += '\n';
      ESP_RETURN_IF_ERROR(WriteOut(text));
    }
    return Status();
  }

 private:
  bool streams_;
  bool ends_line_ = false;
};

void PrintLogprobs(const Generated& generated, const Tokenizer& tokenizer) {
  for (const GeneratedChoice& choice : generated.choices()) {
    for (const TokenLogprob& token : choice.logprobs) {
      std::string row = fmt::format("{:>9.4f}  {:<16}", token.logprob,
                                    fmt::format("'{}'", TokenText(tokenizer, token.token)));
      for (const auto& [id, logprob] : token.top) {
        row += fmt::format("  '{}' {:.4f}", TokenText(tokenizer, id), logprob);
      }
      fmt::print(stderr, "{}\n", row);
    }
  }
}

Result<ExitCode> GenerateOne(const GenerateFlags& flags) {
  ESP_ASSIGN_OR_RETURN(ConstraintSpec constraint, CheckedConstraint(flags));
  ESP_ASSIGN_OR_RETURN(std::string prompt, PromptText(flags));
  ESP_ASSIGN_OR_RETURN(const std::unique_ptr<LocalModel> loaded, LoadLocalModel(flags.common));
  LocalModel& model = *loaded;
  ESP_ASSIGN_OR_RETURN(const LineDefaults defaults,
                       DefaultsOf(flags, std::move(constraint), model));
  if (flags.chat) {
    ESP_ASSIGN_OR_RETURN(
        prompt, defaults.chat->Render(UserMessages(flags.system, prompt), ChatPrompt::End::kOpen));
  }
  GenerateRequest request;
  request.sampling = defaults.sampling;
  request.sampling.seed = ChildSeed(flags.common.seed, 0);
  request.constraint = defaults.constraint;
  ESP_RETURN_IF_ERROR(CheckPromptBytes(prompt.size(), defaults));
  request.prompt = EncodePrompt(model.tokenizer(), prompt);

  EngineClient client(model);
  Totals totals;
  Generated generated(request.sampling.n);
  TextPrinter printer(flags, request.sampling.n);
  Status printed;
  const Ticket ticket = client.Submit(std::move(request), [&](TokenEvent event) {
    const std::string text = generated.Add(std::move(event));
    if (printed.ok()) printed = printer.Add(text);
  });
  while (!generated.done()) {
    client.Wait();
    if (!printed.ok()) client.Cancel(ticket);
  }
  ESP_RETURN_IF_ERROR(printed);
  ESP_RETURN_IF_ERROR(generated.status());
  ESP_RETURN_IF_ERROR(flags.common.json ? WriteJson(ResultJson(generated, model.tokenizer()))
                                        : printer.Finish(generated));
  if (!flags.common.json) PrintLogprobs(generated, model.tokenizer());
  totals.Add(generated.usage());
  flags.common.log().Info(totals.Line());
  return ExitCode::kDone;
}

Result<ExitCode> GenerateLines(const GenerateFlags& flags) {
  ESP_ASSIGN_OR_RETURN(ConstraintSpec constraint, CheckedConstraint(flags));
  ESP_ASSIGN_OR_RETURN(LineReader input, LineReader::Open(flags.jsonl));
  ESP_ASSIGN_OR_RETURN(const std::unique_ptr<LocalModel> model, LoadLocalModel(flags.common));
  LogKvCache(flags.common, *model);
  ESP_ASSIGN_OR_RETURN(const LineDefaults defaults,
                       DefaultsOf(flags, std::move(constraint), *model));
  EngineClient client(*model);
  JsonlRun run(client, input, defaults, flags.common.seed);
  ESP_RETURN_IF_ERROR(run.Run());
  flags.common.log().Info(run.totals().Line());
  return run.totals().num_failed() == 0 ? ExitCode::kDone : ExitCode::kFailed;
}

void DeclareFlags(CLI::App& app, GenerateFlags& flags) {
  app.add_option("PROMPT", flags.prompt, "The prompt; '-': all of stdin, without a last line end");
  app.add_flag("--chat", flags.chat, "PROMPT is a user message, put through the chat template");
  app.add_option("--system", flags.system, "System message of --chat")->type_name("TEXT");
  app.add_option("--jsonl", flags.jsonl,
                 "Requests, {\"prompt\"|\"ids\"|\"messages\", \"max_new_tokens\", ...} a line "
                 "(runtime/cli/README.md has all keys); '-': stdin")
      ->type_name("FILE");
  app.add_flag("--stream,!--no-stream", flags.stream,
               "Print text as it comes; on unless switched off");
  app.add_option("--logprobs", flags.logprobs,
                 "Log-probabilities, with this many of the likeliest tokens beside each")
      ->type_name("K")
      ->default_str("")
      ->check(WholeNumber(0, kMaxLogprobs));
}

}  // namespace

CommandBody DeclareGenerate(CLI::App& app) {
  auto flags = std::make_shared<GenerateFlags>();
  DeclareFlags(app, *flags);
  DeclareConstraintFlags(app, *flags);
  AddJsonFlag(app, flags->common);
  flags->sampling.Declare(app);
  AddEngineFlags(app, flags->common);
  return [flags]() -> Result<ExitCode> {
    ESP_RETURN_IF_ERROR(CheckFlags(*flags));
    ESP_RETURN_IF_ERROR(flags->sampling.Parse().status());
    return flags->jsonl.empty() ? GenerateOne(*flags) : GenerateLines(*flags);
  };
}

}  // namespace espalier
