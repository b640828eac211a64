// Paths as texts, as os.path takes them apart: no file is looked at.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier::script {

std::string JoinPath(std::string_view folder, std::string_view name);
std::string_view BaseName(std::string_view path);  // "b.txt" of "a/b.txt"
std::string_view DirName(std::string_view path);   // "a"
std::pair<std::string_view, std::string_view> SplitExtension(
    std::string_view path);                     // "a/b" ".txt"
std::string NormalPath(std::string_view path);  // without "." and ".." where they can go

// Does a name match a pattern of * ? [...]? Hidden names match only a pattern with a dot.
bool MatchesGlob(const std::string& name, const std::string& pattern);

}  // namespace espalier::script
