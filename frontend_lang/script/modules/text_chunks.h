// SplitIntoChunks: a text as words, parts of words that end in a hyphen, and blanks:
// between two chunks a line may end. The chunks together are the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace espalier::script {

struct ChunkOptions {
  bool expand_tabs = true;     // to columns of 8
  bool replace_blanks = true;  // each by a space
  bool break_on_hyphens = true;
};

std::vector<std::string> SplitIntoChunks(std::string_view text, const ChunkOptions& options);

}  // namespace espalier::script
