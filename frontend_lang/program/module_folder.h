// ModuleFolder: the modules that lie beside a program: NAME.py, NAME.sgl or NAME/__init__.py
// of one folder, dots being folders. No link leads out of it.
//
// Thread safety: immutable.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend_lang/script/machine/machine.h"

namespace espalier::program {

class ModuleFolder {
 public:
  // `folder` "": there are none.
  explicit ModuleFolder(std::string folder) : folder_(std::move(folder)) {}

  std::optional<script::ModuleText> Find(std::string_view name) const;

 private:
  std::string folder_;
};

}  // namespace espalier::program
