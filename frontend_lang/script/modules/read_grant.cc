#include "frontend_lang/script/modules/read_grant.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

namespace espalier::script {
namespace {

namespace fs = std::filesystem;

Fault SystemError(int error, std::string_view path) {
  const std::string_view type = error == ENOENT    ? "FileNotFoundError"
                                : error == EISDIR  ? "IsADirectoryError"
                                : error == ENOTDIR ? "NotADirectoryError"
                                : error == EACCES || error == EPERM || error == ELOOP
                                    ? "PermissionError"
                                    : "OSError";
  return lang::Raise(
      type, fmt::format("[Errno {}] {}: {}", error, std::strerror(error), lang::ReprStr(path)));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// \r\n and \r as \n, as open() reads texts.
std::string WithPlainNewlines(std::string text) {
  if (text.find('\r') == std::string::npos) return text;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out += text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      out += '\n';
    }
  }
  return out;
}

}  // namespace

Outcome<std::string> ReadGrant::Resolve(std::string_view path) const {
  if (folder_.empty()) {
    return lang::Raise(
        "PermissionError",
        "reading files needs a grant that this run lacks; run with --allow-read DIR");
  }
  if (path.find('\0') != std::string_view::npos) return lang::ValueError("embedded null byte");
  std::error_code error;
  const fs::path folder = fs::canonical(folder_, error);
  if (error) return SystemError(error.value(), folder_);
  const fs::path found = fs::weakly_canonical(fs::absolute(fs::path(path), error), error);
  const auto inside = std::mismatch(folder.begin(), folder.end(), found.begin(), found.end());
  if (error || inside.first != folder.end()) {
    return lang::Raise("PermissionError",
                       fmt::format("[Errno 13] Permission denied: {} is outside of the folder "
                                   "that --allow-read grants",
                                   lang::ReprStr(path)));
  }
  return found.string();
}

Outcome<std::string> ReadGrant::ReadText(Host& host, const std::string& path,
                                         std::string_view shown) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat facts;
  if (file.number() < 0 || ::fstat(file.number(), &facts) != 0) return SystemError(errno, shown);
  if (S_ISDIR(facts.st_mode)) return SystemError(EISDIR, shown);
  if (!S_ISREG(facts.st_mode)) return SystemError(EACCES, shown);
  ESP_TRY(host.Reserve(facts.st_size, 3));
  ESP_TRY(host.Step(1 + facts.st_size / 1024));
  std::string text(static_cast<std::size_t>(facts.st_size), '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file.number(), text.data() + size, text.size() - size);
    if (got < 0) return SystemError(errno, shown);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  if (const std::size_t valid = ValidUtf8Prefix(text); valid < text.size()) {
    return lang::Raise("UnicodeDecodeError",
                       fmt::format("'utf-8' codec can't decode byte 0x{:02x} in position {}: "
                                   "invalid start byte",
                                   static_cast<unsigned char>(text[valid]), valid));
  }
  return WithPlainNewlines(std::move(text));
}

Outcome<std::vector<std::string>> ReadGrant::List(Host& host, const std::string& path,
                                                  std::string_view shown) {
  std::error_code error;
  std::vector<std::string> names;
  fs::directory_iterator entry(path, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    ESP_TRY(host.Step());
    names.push_back(RepairUtf8(entry->path().filename().string()));
    ESP_TRY(host.Reserve(static_cast<std::int64_t>(names.size()), 128));
  }
  if (error) return SystemError(error.value(), shown);
  std::ranges::sort(names);
  return names;
}

ReadGrant::What ReadGrant::Look(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error || !fs::exists(status)) return What::kNothing;
  return fs::is_directory(status) ? What::kFolder : What::kFile;
}

}  // namespace espalier::script
