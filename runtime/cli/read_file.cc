#include "runtime/cli/read_file.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

namespace espalier {

Result<std::string> ReadFile(const std::string& path) {
  if (path == "-") {
    return std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  }
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return Status(Code::kInvalidArgument, fmt::format("{}: is a folder, not a file", path));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return Status(Code::kNotFound, fmt::format("{}: cannot be opened", path));
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) return Status(Code::kDataLoss, fmt::format("{}: cannot be read", path));
  return text;
}

Result<std::string> ReadJsonOrFile(const std::string& value) {
  const std::size_t first = value.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string::npos && value[first] == '{';
  return is_json ? value : ReadFile(value);
}

}  // namespace espalier
