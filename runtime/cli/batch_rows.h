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
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/base/status.h"

namespace espalier {

// A value of the command line: JSON where it parses as JSON, else a string.
nlohmann::ordered_json ParseArgumentValue(std::string_view text);

// The rows of a file, each an object. kInvalidArgument names the line that is not one.
Result<std::vector<nlohmann::ordered_json>> ReadBatchRows(const std::string& path);

// Of a text, for tests.
Result<std::vector<nlohmann::ordered_json>> ParseJsonRows(std::string_view text);
Result<std::vector<nlohmann::ordered_json>> ParseCsvRows(std::string_view text);

}  // namespace espalier
