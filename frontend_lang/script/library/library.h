// The modules of the language that are written in it: frontend_lang/script/library. They see
// what programs see, and the module _machine, which programs do not.
#pragma once

#include <span>
#include <string_view>

namespace espalier::script {

struct LibraryFile {
  std::string_view name;  // of the module
  std::string_view text;
};

std::span<const LibraryFile> LibraryFiles();

}  // namespace espalier::script
