// The tree of a prefix cache as a server tells it (/v1/cache/tree), for people to read.
//
// Thread safety: pure functions.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

// A line a node, indented below its parent; of siblings the one first below which sharing
// reaches deepest. An edge shows its text, where the tree has it or `tokenizer` (may be null)
// can make it of the tokens. kInvalidArgument, naming the place, where `tree` is none.
Result<std::string> TreeText(const nlohmann::ordered_json& tree, const Tokenizer* tokenizer);

}  // namespace espalier
