// Rows of `run --batch`: one call's arguments a row, from JSON lines or CSV.
//
// CSV (RFC 4180): the first record names the arguments; fields in double quotes may
// hold commas, line ends and doubled quotes. A field that parses as JSON is that
// value, else it is a string, as --arg does it.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/base/status.h"

namespace espalier {

// Arguments by name, each as JSON text: a number keeps its digits.
using BatchRow = std::vector<std::pair<std::string, std::string>>;

// The rows of a file. kInvalidArgument names the line that is not one.
Result<std::vector<BatchRow>> ReadBatchRows(const std::string& path);

// Of a text, for tests.
Result<std::vector<BatchRow>> ParseJsonRows(std::string_view text);
Result<std::vector<BatchRow>> ParseCsvRows(std::string_view text);

}  // namespace espalier
