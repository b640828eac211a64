#include "frontend_lang/program/module_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace espalier::program {
namespace {

namespace fs = std::filesystem;

// The name as a path, or "" where it is no dotted name of ASCII.
std::string PathOf(std::string_view name) {
  std::string path;
  for (const char c : name) {
    const bool is_name_char =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!is_name_char && c != '.') return "";
    path += c == '.' ? '/' : c;
  }
  const bool is_dotted = path.find("//") == path.npos && !path.starts_with('/');
  return is_dotted ? path : "";
}

bool IsWithin(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
         folder.end();
}

}  // namespace

std::optional<script::ModuleText> ModuleFolder::Find(std::string_view name) const {
  const std::string path = PathOf(name);
  if (folder_.empty() || path.empty()) return std::nullopt;
  std::error_code error;
  const fs::path folder = fs::canonical(folder_, error);
  if (error) return std::nullopt;
  for (const std::string_view ending : {".py", ".sgl", "/__init__.py"}) {
    const fs::path file = fs::canonical(folder / (path + std::string(ending)), error);
    if (error || !fs::is_regular_file(file, error) || !IsWithin(file, folder)) continue;
    if (fs::file_size(file, error) > script::Source::kMaxBytes || error) continue;
    std::ifstream in(file, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(in), {});
    return script::ModuleText{fs::path(folder_) / (path + std::string(ending)), std::move(text)};
  }
  return std::nullopt;
}

}  // namespace espalier::program
