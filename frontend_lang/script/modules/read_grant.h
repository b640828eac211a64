// ReadGrant: which files a program may read: those of one folder, whatever way leads
// there. A path is made canonical first, so neither ".." nor a link leads out of it.
//
// Thread safety: immutable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/script/machine/machine.h"

namespace espalier::script {

class ReadGrant {
 public:
  explicit ReadGrant(const Machine& machine) : folder_(machine.read_folder()) {}

  // The canonical path. A PermissionError for one outside, or without a grant; it does
  // not tell whether something is there.
  Outcome<std::string> Resolve(std::string_view path) const;

  // The text of a file. REQUIRES: Resolve gave the path.
  static Outcome<std::string> ReadText(Host& host, const std::string& path, std::string_view shown);
  // The names in a folder, sorted. REQUIRES: Resolve gave the path.
  static Outcome<std::vector<std::string>> List(Host& host, const std::string& path,
                                                std::string_view shown);
  enum class What : unsigned char { kNothing, kFile, kFolder };
  static What Look(const std::string& path);

 private:
  std::string folder_;
};

// The text of a str or a Path: "expected str, bytes or os.PathLike object, not int".
Outcome<std::string> PathArgument(Host& host, const Value& value);

}  // namespace espalier::script
