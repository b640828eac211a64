#include "runtime/server/programs/programs.h"

#include <algorithm>
#include <exception>
#include <fstream>
#include <future>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "runtime/server/api_error.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;
using program::ProgramFile;
using program::ServedProgram;

constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxUploadBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxUploads = 256;

bool IsName(std::string_view name) {
  constexpr std::size_t kMostBytes = 64;
  return !name.empty() && name.size() <= kMostBytes && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' ||
                  c == '.';
         });
}

Status BadName(std::string_view name) {
  return {Code::kInvalidArgument,
          fmt::format("a program's name is 1 to 64 letters, digits, '_', '-' and '.'; not '{}'",
                      name.substr(0, 100))};
}

Result<std::string> FileText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file) return Status(Code::kNotFound, fmt::format("{}: cannot be read", path));
  if (text.view().size() > kMaxFileBytes) {
    return Status(Code::kLimit, fmt::format("{}: longer than {} bytes", path, kMaxFileBytes));
  }
  return std::move(text).str();
}

fs::file_time_type ChangeTime(const std::string& path) {
  std::error_code ignored;
  return fs::last_write_time(path, ignored);
}

Result<ServedProgram> LoadAt(ProgramSeat& seat, LocalModel& model, const ProgramLimits& limits,
                             ProgramFile file) {
  try {
    return ServedProgram::Load(std::move(file), RunOptionsAt(seat, model, limits));
  } catch (const std::exception& error) {
    return Status(Code::kInternal, error.what());
  }
}

}  // namespace

Result<std::unique_ptr<Programs>> Programs::Open(Service& service, ProgramsOptions options) {
  ESP_ASSIGN_OR_RETURN(auto thread, ProgramThread::Open());
  return std::unique_ptr<Programs>(new Programs(service, options, std::move(thread)));
}

Status Programs::Add(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  const bool has_entry = colon != std::string::npos && place.find('/', colon) == std::string::npos;
  ProgramFile file;
  file.path = place.substr(0, colon);
  if (has_entry) file.entry = place.substr(colon + 1);
  if (!has_entry) file.path = place;
  file.name = has_entry ? file.entry : fs::path(file.path).stem().string();
  file.folder = fs::absolute(file.path).parent_path();
  if (!IsName(file.name)) return BadName(file.name);
  if (entries_.contains(file.name)) {
    return {Code::kInvalidArgument, fmt::format("--program: two are called {}", file.name)};
  }
  const fs::file_time_type changed = ChangeTime(file.path);
  ESP_ASSIGN_OR_RETURN(file.text, FileText(file.path));
  std::promise<Result<ServedProgram>> loaded;
  thread_->Start([&](ProgramSeat& seat) {
    loaded.set_value(LoadAt(seat, service_.model(), options_.limits, std::move(file)));
  });
  ESP_ASSIGN_OR_RETURN(ServedProgram program, loaded.get_future().get());
  const std::string name = program.name();
  entries_[name] = {std::make_shared<const ServedProgram>(std::move(program)), changed};
  return Status();
}

Programs::Served Programs::Find(std::string_view name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : found->second.program;
}

std::vector<Programs::Served> Programs::All() const {
  std::vector<Served> all;
  for (const auto& [name, entry] : entries_) all.push_back(entry.program);
  return all;
}

void Programs::Run(const Served& program, std::shared_ptr<HttpExchange> exchange,
                   nlohmann::ordered_json arguments, bool stream) {
  const std::string name = program->name();
  Entry& entry = entries_.at(name);
  if (Status status = service_.HasRoom(1); !status.ok()) {
    return exchange->Answer(ErrorAnswer(status));
  }
  if (entry.num_runs >= options_.limits.max_runs) {
    return exchange->Answer(ErrorAnswer(Status(
        Code::kOverloaded,
        fmt::format("{} runs of this program are under way; come back later", entry.num_runs))));
  }
  ++entry.num_runs;
  const auto on_done = [this, name] {
    const auto found = entries_.find(name);
    if (found != entries_.end()) --found->second.num_runs;
  };
  StartProgramRun(service_, *thread_, std::move(exchange),
                  {.program = program,
                   .arguments = std::move(arguments),
                   .stream = stream,
                   .limits = options_.limits,
                   .on_done = on_done});
}

void Programs::Load(ProgramFile file, std::function<void(Result<ServedProgram>)> then) {
  thread_->Start([this, file = std::move(file), then = std::move(then)](ProgramSeat& seat) {
    auto loaded = std::make_shared<Result<ServedProgram>>(
        LoadAt(seat, service_.model(), options_.limits, file));
    service_.Post([loaded, then] { then(std::move(*loaded)); });
  });
}

void Programs::Swap(Result<ServedProgram> loaded, const Entry& as, const OnDone& on_done) {
  if (!loaded.ok()) return on_done(loaded.status());
  Entry& entry = entries_[loaded->name()];
  entry.program = std::make_shared<const ServedProgram>(std::move(*loaded));
  entry.changed = as.changed;
  entry.uploaded = as.uploaded;
  on_done(Status());
}

void Programs::Reload(std::string_view name, OnDone on_done) {
  const Entry& entry = entries_.find(name)->second;
  if (entry.uploaded) {
    return on_done(Status(Code::kInvalidArgument, "the program has no file; put it again"));
  }
  ProgramFile file = entry.program->file();
  const fs::file_time_type changed = ChangeTime(file.path);
  Result<std::string> text = FileText(file.path);
  if (!text.ok()) return on_done(text.status());
  file.text = *std::move(text);
  Load(std::move(file), [this, changed, on_done = std::move(on_done)](auto loaded) {
    Swap(std::move(loaded), {.program = {}, .changed = changed}, on_done);
  });
}

void Programs::LookForChanges() {
  for (auto& [name, entry] : entries_) {
    if (entry.uploaded || loading_.contains(name)) continue;
    const fs::file_time_type changed = ChangeTime(entry.program->file().path);
    if (changed == entry.changed || changed == fs::file_time_type::min()) continue;
    entry.changed = changed;  // a broken file is told once
    loading_.insert(name);
    Reload(name, [this, name = name](const Status& status) {
      loading_.erase(name);
      service_.Warn(status.ok()
                        ? fmt::format("program {} is loaded again", name)
                        : fmt::format("program {} stays as it was: {}", name, status.message()));
    });
  }
}

Status Programs::CheckUpload(std::string_view name) const {
  if (options_.upload == ProgramsOptions::Upload::kRefused) {
    return {Code::kUnsupported, "this server takes no programs (--allow-program-upload)"};
  }
  if (!IsName(name)) return BadName(name);
  const auto found = entries_.find(name);
  if (found != entries_.end() && !found->second.uploaded) {
    return {Code::kUnsupported, "the program is a file of the server's"};
  }
  return Status();
}

void Programs::Put(std::string_view name, std::string text, OnDone on_done) {
  if (Status status = CheckUpload(name); !status.ok()) return on_done(status);
  if (text.size() > kMaxUploadBytes) {
    return on_done(
        Status(Code::kLimit, fmt::format("a program is at most {} bytes", kMaxUploadBytes)));
  }
  if (!entries_.contains(name) && entries_.size() >= kMaxUploads) {
    return on_done(
        Status(Code::kLimit, fmt::format("at most {} programs are served", kMaxUploads)));
  }
  ProgramFile file{.name = std::string(name), .path = fmt::format("{}.sgl", name)};
  file.text = std::move(text);
  Load(std::move(file), [this, on_done = std::move(on_done)](auto loaded) {
    Swap(std::move(loaded), {.program = {}, .uploaded = true}, on_done);
  });
}

Status Programs::Remove(std::string_view name) {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return {Code::kNotFound, "no such program"};
  ESP_RETURN_IF_ERROR(CheckUpload(name));
  entries_.erase(found);
  return Status();
}

}  // namespace espalier
