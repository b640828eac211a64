// ServedProgram: a program file as an endpoint: what it is called with, and how.
//
// Each call runs the file from its top, in a machine of its own, with __name__ set to the
// program's name: so no call sees what another left, and no call's fault is another's.
// Arguments come by name and are checked and converted as pydantic does it for the type
// hints of the entry: a model class in a hint gives the entry an object of it.
//
// Thread safety: immutable.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "frontend_lang/program/runner.h"
#include "kernels/base/status.h"

namespace espalier::program {

struct ServedArgument {
  std::string name;
  nlohmann::ordered_json schema;  // of the type hint; what it refers to lies in its "$defs"
  std::optional<nlohmann::ordered_json> default_value;  // unset: it must be given
};

struct ProgramFile {
  std::string name;    // of the program
  std::string path;    // of the file, as errors say it
  std::string entry;   // the function; "": see ReadEntrySignature
  std::string folder;  // whose modules it may import; "": none
  std::string text;
};

class ServedProgram {
 public:
  // Compiles the file, and runs its top once to read its hints, with `options`' limits and
  // backend. What is wrong with the file is a failure, with the whole story as its message.
  static Result<ServedProgram> Load(ProgramFile file, RunOptions options);

  const std::string& name() const { return file_.name; }
  const ProgramFile& file() const { return file_; }
  const std::string& description() const { return description_; }  // the doc string, or ""
  const std::vector<ServedArgument>& arguments() const { return arguments_; }
  bool takes_more() const { return takes_more_; }  // arguments of any other name

  // Runs it. `arguments`: an object, by name. What is wrong with them is a result with
  // bad_arguments, whose message begins with the argument's name.
  CallResult Call(const nlohmann::ordered_json& arguments, RunOptions options) const;

 private:
  ServedProgram() = default;
  RunOptions Framed(RunOptions options) const;

  ProgramFile file_;
  std::string entry_;
  std::string description_;
  std::vector<ServedArgument> arguments_;
  bool takes_more_ = false;
  ScriptProgram program_;
};

}  // namespace espalier::program
