// EntrySignature: what a function of a program takes, as its text says it.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "frontend_lang/script/syntax/source.h"
#include "kernels/base/status.h"

namespace espalier::program {

struct EntryParameter {
  std::string name;
  std::string annotation;     // as it is written; empty: none
  std::string default_value;  // likewise; empty: the argument must be given
};

struct EntrySignature {
  std::string name;
  std::vector<EntryParameter> parameters;  // without the state of an @sgl.function
  bool takes_more = false;                 // **kwargs
};

// The function of that name at the top of the file; with an empty name the one that is named
// as `stem`, or main, or the only @sgl.function. kInvalidArgument with the reason if there is
// none, or it cannot be called with arguments by name.
Result<EntrySignature> ReadEntrySignature(const std::shared_ptr<const script::Source>& source,
                                          std::string_view name, std::string_view stem);

}  // namespace espalier::program
