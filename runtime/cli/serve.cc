// `espalier serve`: a model behind HTTP.
#include <algorithm>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "kernels/base/random.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/flags.h"
#include "runtime/cli/load.h"
#include "runtime/cli/output.h"
#include "runtime/local/model_file.h"
#include "runtime/local/token_text.h"
#include "runtime/server/programs/programs.h"
#include "runtime/server/server.h"

namespace espalier {
namespace {

struct ServeFlags {
  CommonFlags common;
  ServerOptions server;
  std::string served_model_name;
  std::string key_file;
  std::string allow_origin;
  std::string metrics;
  int max_queue = 2048;
  double request_timeout_s = 0;
  int max_body_mib = 32, max_bodies_mib = 512;
  int drain_timeout_s = 30, drain_delay_s = 0;
  std::string access_log;
  bool show_cache = false;
  std::vector<std::string> programs;
  ProgramLimits limits;
  double program_timeout_s = 60;
  bool watch = false, allow_upload = false;
};

// One key a line; empty lines are passed over.
Status AddKeysOf(const std::string& path, std::vector<std::string>& keys) {
  std::ifstream file(path);
  if (!file) {
    return {Code::kNotFound, fmt::format("--api-key-file {}: cannot be opened", path)};
  }
  const std::size_t num_before = keys.size();
  for (std::string line; std::getline(file, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (!line.empty()) keys.push_back(line);
  }
  if (keys.size() > num_before) return Status();
  return {Code::kInvalidArgument, fmt::format("--api-key-file {}: holds no key", path)};
}

Result<ServedOptions> ToServedOptions(const ServeFlags& flags) {
  const LocalModelOptions& local = flags.common.local;
  ServedOptions options;
  options.name = flags.served_model_name;
  options.path = local.model.empty() ? DefaultModelPath() : local.model;
  if (!flags.common.api_key.empty()) options.api_keys.push_back(flags.common.api_key);
  if (!flags.key_file.empty()) ESP_RETURN_IF_ERROR(AddKeysOf(flags.key_file, options.api_keys));
  if (flags.allow_upload && options.api_keys.empty()) {
    return Status(Code::kInvalidArgument,
                  "--allow-program-upload comes with --api-key or --api-key-file");
  }
  options.allow_origin = flags.allow_origin;
  options.page_size = local.page_size;
  options.max_running = local.max_running;
  return options;
}

ServiceOptions ToServiceOptions(const ServeFlags& flags) {
  return {.seed = flags.common.seed,
          .max_queue = flags.max_queue,
          .request_timeout_s = flags.request_timeout_s,
          .vllm_metrics = flags.metrics == "vllm",
          .show_cache = flags.show_cache,
          .warn = [log = flags.common.log()](std::string_view message) { log.Info(message); }};
}

Result<std::unique_ptr<Programs>> OpenPrograms(const ServeFlags& flags, Service& service) {
  using Upload = ProgramsOptions::Upload;
  ProgramsOptions options{.limits = flags.limits,
                          .upload = flags.allow_upload ? Upload::kAllowed : Upload::kRefused};
  options.limits.timeout_ms = static_cast<std::int64_t>(flags.program_timeout_s * 1000);
  ESP_ASSIGN_OR_RETURN(std::unique_ptr<Programs> programs, Programs::Open(service, options));
  service.SetPrograms(*programs);
  for (const std::string& place : flags.programs) ESP_RETURN_IF_ERROR(programs->Add(place));
  return programs;
}

using LineWriter = std::function<void(std::string_view line)>;

// Null where `path` is empty. "-": stderr.
Result<LineWriter> OpenAccessLog(const std::string& path, std::ofstream& file) {
  if (path.empty()) return LineWriter();
  if (path == "-") {
    return LineWriter([](std::string_view line) { fmt::print(stderr, "{}\n", line); });
  }
  file.open(path, std::ios::binary | std::ios::app);
  if (!file) return Status(Code::kNotFound, fmt::format("--access-log {}: cannot be opened", path));
  return LineWriter([&file](std::string_view line) { file << line << std::endl; });
}

// What is served, from the model up.
struct Loaded {
  std::unique_ptr<LocalModel> model;
  std::unique_ptr<Service> service;
  std::unique_ptr<Programs> programs;
};

// Beside the server, which answers that it is loading meanwhile.
Result<Service*> Load(const ServeFlags& flags, const ServedOptions& served, Loaded& to) {
  ESP_ASSIGN_OR_RETURN(to.model, LoadLocalModel(flags.common));
  LogKvCache(flags.common, *to.model);
  LineDefaults defaults;
  defaults.tokenizer = &to.model->tokenizer();
  ESP_ASSIGN_OR_RETURN(Backend::ChatModel chat,
                       ChatModelOf(to.model->gguf(), to.model->tokenizer(), to.model->name()));
  defaults.chat = std::make_shared<const ChatPrompt>(std::move(chat));
  to.service = std::make_unique<Service>(
      *to.model, ServedModel(*to.model, std::move(defaults), served), ToServiceOptions(flags));
  ESP_ASSIGN_OR_RETURN(to.programs, OpenPrograms(flags, *to.service));
  return to.service.get();
}

Result<ServerOptions> ToServerOptions(const ServeFlags& flags, std::ofstream& access_log) {
  ServerOptions options = flags.server;
  if (options.listener.tls_certificate.empty() != options.listener.tls_key.empty()) {
    return Status(Code::kInvalidArgument, "--tls-certificate and --tls-key come together");
  }
  if (flags.watch) options.watch_interval = std::chrono::milliseconds(500);
  ConnectionLimits& limits = options.listener.limits;
  limits.max_body_bytes = static_cast<std::uint64_t>(flags.max_body_mib) << 20;
  limits.bodies =
      std::make_shared<BodyBudget>(static_cast<std::uint64_t>(flags.max_bodies_mib) << 20);
  options.drain_timeout = std::chrono::seconds(flags.drain_timeout_s);
  options.drain_delay = std::chrono::seconds(flags.drain_delay_s);
  ESP_ASSIGN_OR_RETURN(options.access_log, OpenAccessLog(flags.access_log, access_log));
  return options;
}

Result<ExitCode> Serve(const ServeFlags& flags) {
  std::ofstream access_log;
  ESP_ASSIGN_OR_RETURN(const ServedOptions served, ToServedOptions(flags));
  ESP_ASSIGN_OR_RETURN(const ServerOptions options, ToServerOptions(flags, access_log));
  Loaded loaded;  // outlives the server
  ESP_ASSIGN_OR_RETURN(const std::unique_ptr<Server> server, Server::Open(options));
  ESP_RETURN_IF_ERROR(server->Run([&] { return Load(flags, served, loaded); },
                                  [&] {
                                    return WriteOut(fmt::format("{} serves {}\n", server->address(),
                                                                loaded.service->served().name()));
                                  }));
  if (loaded.programs) loaded.programs->Stop();
  flags.common.log().Info("stopped");
  return ExitCode::kDone;
}

void DeclareFlags(CLI::App& app, ServeFlags& flags) {
  app.add_option("--host", flags.server.listener.host, "Address to listen on")
      ->type_name("ADDRESS");
  app.add_option("--port", flags.server.listener.port, "Port to listen on; 0: any that is free")
      ->type_name("N")
      ->check(WholeNumber(0, 65535));
  app.add_option("--served-model-name", flags.served_model_name,
                 "What clients call the model (default: its file's name)")
      ->type_name("NAME");
  app.add_option("--api-key-file", flags.key_file, "Keys that clients may use, one a line")
      ->type_name("FILE");
  app.add_option("--max-queue", flags.max_queue,
                 "Requests under way or waiting, from which on more are answered 429")
      ->type_name("N")
      ->check(WholeNumber(1, 1 << 20));
  app.add_option("--request-timeout", flags.request_timeout_s,
                 "Most seconds that a request gets; it may ask for less (0: no bound)")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 1e6).description(""));
  app.add_option("--max-connections", flags.server.listener.max_connections,
                 "Connections open at a time")
      ->type_name("N")
      ->check(WholeNumber(1, 1 << 20));
  app.add_option("--max-body-mib", flags.max_body_mib, "Largest request body")
      ->type_name("N")
      ->check(WholeNumber(1, 1024));
  app.add_option("--max-bodies-mib", flags.max_bodies_mib,
                 "Bodies of all requests together, beyond which one is answered 503")
      ->type_name("N")
      ->check(WholeNumber(1, 1 << 20));
  app.add_option("--drain-timeout", flags.drain_timeout_s,
                 "Seconds that running requests get to end after SIGTERM")
      ->type_name("N")
      ->check(WholeNumber(0, 86400));
  app.add_option("--drain-delay", flags.drain_delay_s,
                 "Seconds after SIGTERM in which /health says no and work is still taken")
      ->type_name("N")
      ->check(WholeNumber(0, 86400));
  app.add_option("--access-log", flags.access_log,
                 "A JSON line a request goes to this file; '-': to stderr")
      ->type_name("FILE");
  app.add_option("--cors-origin", flags.allow_origin, "Origin whose pages may call; '*': any")
      ->type_name("ORIGIN");
  app.add_option("--metrics-compat", flags.metrics, "/metrics also under these names: vllm")
      ->type_name("NAME")
      ->check(OneOf({"vllm"}));
  app.add_flag("--show-cache", flags.show_cache,
               "/v1/cache/tree tells the prompts that are cached, but for those with a salt");
  app.add_option("--tls-certificate", flags.server.listener.tls_certificate,
                 "Certificate chain, PEM")
      ->type_name("FILE");
  app.add_option("--tls-key", flags.server.listener.tls_key, "Its private key, PEM")
      ->type_name("FILE");
}

void DeclareProgramFlags(CLI::App& app, ServeFlags& flags) {
  static constexpr std::int64_t kMost = std::int64_t{1} << 50;
  const auto limit = [&app](const std::string& name, auto& value, const std::string& help) {
    app.add_option(name, value, help)
        ->type_name("N")
        ->check(
            WholeNumber(1, std::min<std::int64_t>(
                               kMost, std::numeric_limits<std::decay_t<decltype(value)>>::max())))
        ->group("Programs");
  };
  AddRepeated(app, "--program", flags.programs,
              "A program to serve at /v1/programs/NAME; behind a colon the function to call")
      ->type_name("FILE[:ENTRY]")
      ->group("Programs");
  app.add_flag("--watch", flags.watch, "Load programs again when their files change")
      ->group("Programs");
  app.add_flag("--allow-program-upload", flags.allow_upload, "Clients with a key may send programs")
      ->group("Programs");
  app.add_option("--program-timeout", flags.program_timeout_s, "Most seconds of a run")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.001, 1e6).description(""))
      ->group("Programs");
  limit("--program-max-steps", flags.limits.max_steps, "Most steps of a run");
  limit("--program-max-tokens", flags.limits.max_tokens, "Most tokens that a run generates");
  limit("--program-max-memory-mib", flags.limits.max_memory_mib, "Most memory of a run's values");
  limit("--program-max-runs", flags.limits.max_runs, "Runs of one program at a time");
}

}  // namespace

CommandBody DeclareServe(CLI::App& app) {
  auto flags = std::make_shared<ServeFlags>();
  DeclareFlags(app, *flags);
  DeclareProgramFlags(app, *flags);
  AddEngineFlags(app, flags->common);
  return [flags] { return Serve(*flags); };
}

}  // namespace espalier
