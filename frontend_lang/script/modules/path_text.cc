#include "frontend_lang/script/modules/path_text.h"

#include <fnmatch.h>

#include <algorithm>

namespace espalier::script {

std::string JoinPath(std::string_view folder, std::string_view name) {
  if (name.starts_with('/') || folder.empty()) return std::string(name);
  return std::string(folder) + (folder.ends_with('/') ? "" : "/") + std::string(name);
}

std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view DirName(std::string_view path) {
  std::string_view folder = path.substr(0, path.rfind('/') + 1);
  const std::size_t last = folder.find_last_not_of('/');
  if (last != folder.npos) folder = folder.substr(0, last + 1);
  return folder;
}

std::pair<std::string_view, std::string_view> SplitExtension(std::string_view path) {
  const std::size_t base = path.rfind('/') + 1;  // npos + 1 is 0
  const std::size_t dot = path.rfind('.');
  const bool leading = dot == path.npos || dot < base ||
                       path.substr(base, dot - base).find_first_not_of('.') == path.npos;
  if (leading) return {path, {}};
  return {path.substr(0, dot), path.substr(dot)};
}

std::string NormalPath(std::string_view path) {
  const bool absolute = path.starts_with('/');
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (part != ".." || !absolute) {
      parts.push_back(part);
    }
  }
  std::string out = absolute ? "/" : "";
  for (std::size_t i = 0; i < parts.size(); ++i) out += (i > 0 ? "/" : "") + std::string(parts[i]);
  return out.empty() ? "." : out;
}

bool MatchesGlob(const std::string& name, const std::string& pattern) {
  if (name.starts_with('.') && !pattern.starts_with('.')) return false;
  return fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

}  // namespace espalier::script
