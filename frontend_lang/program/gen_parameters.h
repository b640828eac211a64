// The one table of what gen, run and run_batch may say about sampling.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "frontend_lang/program/segment.h"
#include "frontend_lang/script/machine/objects.h"

namespace espalier::program {

struct GenParameter {
  std::string_view name;
  // Checks type and range, and sets the field of `to`.
  lang::Fault (*set)(lang::Host& host, std::string_view name, const lang::Value& value,
                     GenOptions& to);
};

const GenParameter* FindGenParameter(std::string_view name);  // null if there is none

// Fields of `over` that are set win over those of `under`.
GenOptions Merge(const GenOptions& under, const GenOptions& over);

// The expression of sgl.gen(...), with choices: of a select.
lang::Outcome<lang::Value> MakeGen(lang::Host& host, const lang::Args& args);
// gen_int and gen_string: the dtype is given.
lang::Outcome<lang::Value> MakeTypedGen(lang::Host& host, const lang::Args& args,
                                        std::string_view dtype);
// build_regex_from_object(object): the pattern of a model class, a dict or a JSON text.
lang::Outcome<lang::Value> MakeSchemaPattern(lang::Host& host, const lang::Args& args);
lang::Outcome<lang::Value> MakeSelect(lang::Host& host, const lang::Args& args);

}  // namespace espalier::program
