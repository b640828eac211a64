// Programs: the programs that are served, by name.
//
// A program is loaded on the program thread; what is served is swapped whole on the io
// thread. A file that cannot be loaded leaves the program as it was, and says why.
//
// Thread safety: io thread only; before the server runs, the thread that makes it.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "frontend_lang/program/served_program.h"
#include "kernels/base/status.h"
#include "runtime/server/programs/program_run.h"
#include "runtime/server/programs/program_thread.h"
#include "runtime/server/service.h"

namespace espalier {

struct ProgramsOptions {
  ProgramLimits limits;
  // Whether clients may put programs of their own.
  enum class Upload : unsigned char { kRefused, kAllowed } upload = Upload::kRefused;
};

class Programs {
 public:
  // `service` must outlive it.
  static Result<std::unique_ptr<Programs>> Open(Service& service, ProgramsOptions options);

  // "FILE" or "FILE:ENTRY", as the command line has it: the name is the file's without its
  // extension, or the entry's. Blocks until it is loaded. REQUIRES: the server does not run.
  Status Add(const std::string& place);

  using Served = std::shared_ptr<const program::ServedProgram>;
  Served Find(std::string_view name) const;  // null: none
  std::vector<Served> All() const;           // by name

  // Runs it and answers the exchange. REQUIRES: it is served.
  void Run(const Served& program, std::shared_ptr<HttpExchange> exchange,
           nlohmann::ordered_json arguments, bool stream);

  // Loads the file again. `on_done` is called later, on the io thread.
  using OnDone = std::function<void(const Status& status)>;
  void Reload(std::string_view name, OnDone on_done);
  // Reloads those whose files have changed; what is wrong goes to the log.
  void LookForChanges();

  bool takes_uploads() const { return options_.upload == ProgramsOptions::Upload::kAllowed; }
  // Serves a text that a client sends. kInvalidArgument for a name that is none;
  // kUnsupported unless it is allowed, or where the name is a file's.
  void Put(std::string_view name, std::string text, OnDone on_done);
  Status Remove(std::string_view name);  // likewise; kNotFound

  // Cancels what runs, and waits for its end: before the server goes.
  void Stop() { thread_.reset(); }

 private:
  struct Entry {
    Served program;
    std::filesystem::file_time_type changed = {};  // of the file, when it was loaded
    bool uploaded = false;
    int num_runs = 0;
  };

  Programs(Service& service, ProgramsOptions options, std::unique_ptr<ProgramThread> thread)
      : service_(service), options_(options), thread_(std::move(thread)) {}

  Status CheckUpload(std::string_view name) const;
  void Load(program::ProgramFile file, std::function<void(Result<program::ServedProgram>)> then);
  void Swap(Result<program::ServedProgram> loaded, const Entry& as, const OnDone& on_done);

  Service& service_;
  const ProgramsOptions options_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::set<std::string, std::less<>> loading_;  // by LookForChanges
  std::unique_ptr<ProgramThread> thread_;
};

}  // namespace espalier
