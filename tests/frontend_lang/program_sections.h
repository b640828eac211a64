// The files of programs/ and errors/: programs, or what they print, separated by lines "#---".
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace espalier::script {

inline std::vector<std::string> Sections(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string separator = "#---\n";
  std::vector<std::string> sections;
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::size_t end = text.find(separator, at);
    sections.push_back(text.substr(at, end == std::string::npos ? end : end - at));
    at = end == std::string::npos ? end : end + separator.size();
  }
  return sections;
}

}  // namespace espalier::script
