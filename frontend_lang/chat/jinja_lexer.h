// Cuts a template into tokens, as jinja2 does with trim_blocks and lstrip_blocks on:
//
//   - a newline right behind a block or comment tag is dropped;
//   - blanks between the start of a line and a block or comment tag are dropped;
//   - "-" inside a tag's edge drops all white space on that side; "+" keeps it;
//   - one newline at the template's end is dropped, and \r\n counts as \n.
#pragma once

#include <string_view>
#include <vector>

#include "frontend_lang/chat/jinja_token.h"
#include "kernels/base/status.h"

namespace espalier::jinja {

// The last token is kEnd. kInvalidArgument with line and column for a tag that is not
// closed, a bad character, or text that is not UTF-8.
Result<std::vector<Token>> Tokenize(std::string_view source);

// A message about a place in a template.
Status TemplateError(Code code, int line, int column, std::string_view message);

}  // namespace espalier::jinja
