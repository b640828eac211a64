// os, os.path, glob and open(): paths, and reading in the folder that the run grants.
// There is no environment: os.environ is empty.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/builtins/builtins.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/modules/path_text.h"
#include "frontend_lang/script/modules/read_grant.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/modules/text_file.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

namespace espalier::script {
namespace {

using lang::TypeError;
using Values = std::vector<Value>;

ReadGrant GrantOf(Host& host) { return ReadGrant(static_cast<Machine&>(host)); }

Value MakeText(Host& host, std::string_view text) { return lang::MakeStr(host.heap(), text); }

// ---- os.path: texts.

Outcome<Value> Join(Host& host, const Value&, const Args& args) {
  if (args.positional.empty()) {
    return TypeError("join() missing 1 required positional argument: 'a'");
  }
  std::string path;
  for (std::size_t i = 0; i < args.positional.size(); ++i) {
    ESP_TRY_ASSIGN(const std::string part, PathArgument(host, args.positional[i]));
    path = i == 0 ? part : JoinPath(path, part);
    ESP_TRY(host.Reserve(static_cast<std::int64_t>(path.size())));
  }
  return MakeText(host, path);
}

template <auto function>
Outcome<Value> OfPath(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("path function", args, {"path"}, 1));
  ESP_TRY_ASSIGN(const std::string path, PathArgument(host, bound[0]));
  return MakeText(host, function(path));
}

Outcome<Value> Split(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("split", args, {"p"}, 1));
  ESP_TRY_ASSIGN(const std::string path, PathArgument(host, bound[0]));
  return host.heap().New<lang::Tuple>(
      Values{MakeText(host, DirName(path)), MakeText(host, BaseName(path))});
}

Outcome<Value> SplitExt(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("splitext", args, {"p"}, 1));
  ESP_TRY_ASSIGN(const std::string path, PathArgument(host, bound[0]));
  const auto [root, extension] = SplitExtension(path);
  return host.heap().New<lang::Tuple>(Values{MakeText(host, root), MakeText(host, extension)});
}

Outcome<Value> IsAbsolute(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("isabs", args, {"s"}, 1));
  ESP_TRY_ASSIGN(const std::string path, PathArgument(host, bound[0]));
  return Value::Bool(path.starts_with('/'));
}

// ---- What looks at files.

template <bool files, bool folders>
Outcome<Value> Exists(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("exists", args, {"path"}, 1));
  ESP_TRY_ASSIGN(const std::string path, PathArgument(host, bound[0]));
  const Outcome<std::string> found = GrantOf(host).Resolve(path);
  if (!found.ok()) return Value::Bool(false);  // nothing is there that the program may see
  const ReadGrant::What what = ReadGrant::Look(found.value());
  return Value::Bool((files && what == ReadGrant::What::kFile) ||
                     (folders && what == ReadGrant::What::kFolder));
}

Outcome<Value> ListDir(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("listdir", args, {"path"}, 0));
  std::string path = ".";
  if (!bound[0].is_unset()) {
    ESP_TRY_ASSIGN(path, PathArgument(host, bound[0]));
  }
  ESP_TRY_ASSIGN(const std::string found, GrantOf(host).Resolve(path));
  ESP_TRY_ASSIGN(const auto names, ReadGrant::List(host, found, path));
  Values items;
  for (const std::string& name : names) items.push_back(MakeText(host, name));
  return host.heap().New<lang::List>(std::move(items));
}

// Of os.environ (`self`), which begins empty.
Outcome<Value> GetEnv(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("getenv", args, {"key", "default"}, 1));
  ESP_TRY_ASSIGN(const Value* const set, self.As<lang::Dict>()->Find(host, bound[0]));
  if (set != nullptr) return *set;
  return bound[1].is_unset() ? Value() : bound[1];
}

Outcome<Value> CurrentFolder(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("getcwd", args, 0, 0));
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::current_path(error);
  if (error) return lang::Raise("FileNotFoundError", "[Errno 2] No such file or directory");
  return MakeText(host, RepairUtf8(folder.string()));
}

Outcome<Value> Open(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("open", args,
                               {"file", "mode", "buffering", "encoding", "errors", "newline"}, 1));
  ESP_TRY_ASSIGN(const std::string path, PathArgument(host, bound[0]));
  const std::string mode = bound[1].is_str() ? std::string(lang::TextOf(bound[1])) : "r";
  if (mode.find_first_not_of("rtwaxb+U") != std::string::npos) {
    return lang::ValueError("invalid mode: " + lang::ReprStr(mode));
  }
  if (mode.find('b') != std::string::npos) {
    return lang::Raise("PermissionError", "open() reads text only: the language has no bytes");
  }
  if (mode.find_first_of("wax+") != std::string::npos) {
    return lang::Raise("PermissionError", "open(" + lang::ReprStr(path) + ", " +
                                              lang::ReprStr(mode) +
                                              "): programs may not write files");
  }
  ESP_TRY_ASSIGN(const std::string found, GrantOf(host).Resolve(path));
  ESP_TRY_ASSIGN(std::string text, ReadGrant::ReadText(host, found, path));
  return host.heap().New<TextFile>(std::move(text), path);
}

// ---- glob.

// The paths that match, part by part; `shown` is the path so far as the program wrote it.
class Globber {
 public:
  Globber(Host& host, bool recursive) : host_(host), recursive_(recursive) {}

  Fault Find(const std::string& shown, std::string_view rest) {
    ESP_TRY(host_.Step());
    lang::NestedScope scope(host_);
    ESP_TRY(scope.Check());
    const std::size_t slash = rest.find('/');
    const std::string part(rest.substr(0, slash));
    const bool last = slash == rest.npos;
    const std::string_view behind = last ? std::string_view() : rest.substr(slash + 1);
    if (part == "**" && recursive_) return FindBelow(shown, behind);
    if (part.find_first_of("*?[") == std::string::npos) {
      return Take(shown.empty() && part.empty() ? "/" : JoinPath(shown, part), behind, last);
    }
    ESP_TRY_ASSIGN(const auto names, Names(shown));
    for (const std::string& name : names) {
      if (MatchesGlob(name, part)) ESP_TRY(Take(JoinPath(shown, name), behind, last));
    }
    return Fault();
  }
  Values Results() { return std::move(results_); }

 private:
  Outcome<std::vector<std::string>> Names(const std::string& shown) {
    const std::string folder = shown.empty() ? "." : shown;
    ESP_TRY_ASSIGN(const std::string found, GrantOf(host_).Resolve(folder));
    if (ReadGrant::Look(found) != ReadGrant::What::kFolder) return std::vector<std::string>();
    return ReadGrant::List(host_, found, folder);
  }

  Fault Take(const std::string& path, std::string_view behind, bool last) {
    if (!last) return Find(path, behind);
    ESP_TRY_ASSIGN(const std::string found, GrantOf(host_).Resolve(path));
    if (ReadGrant::Look(found) != ReadGrant::What::kNothing) {
      results_.push_back(MakeText(host_, path));
    }
    return Fault();
  }

  Fault FindBelow(const std::string& shown, std::string_view behind) {
    if (!behind.empty()) ESP_TRY(Find(shown, behind));
    ESP_TRY_ASSIGN(const auto names, Names(shown));
    for (const std::string& name : names) {
      if (name.starts_with('.')) continue;
      const std::string path = JoinPath(shown, name);
      if (behind.empty()) results_.push_back(MakeText(host_, path));
      auto found = GrantOf(host_).Resolve(path);
      if (!found.ok()) continue;  // a link that leads out, or nowhere
      if (ReadGrant::Look(*found) != ReadGrant::What::kFolder) continue;
      lang::NestedScope scope(host_);
      ESP_TRY(scope.Check());
      ESP_TRY(FindBelow(path, behind));
    }
    return Fault();
  }

  Host& host_;
  bool recursive_;
  Values results_;
};

Outcome<Value> Glob(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("glob", args, {"pathname", "recursive"}, 1));
  ESP_TRY_ASSIGN(const std::string pattern, PathArgument(host, bound[0]));
  Globber globber(host, bound[1].is_bool() && bound[1].as_bool());
  ESP_TRY(globber.Find("", pattern));
  return host.heap().New<lang::List>(globber.Results());
}

constexpr ModuleFunction kPathFunctions[] = {
    {"join", Join},
    {"basename", OfPath<BaseName>},
    {"dirname", OfPath<DirName>},
    {"normpath", OfPath<NormalPath>},
    {"split", Split},
    {"splitext", SplitExt},
    {"isabs", IsAbsolute},
    {"exists", Exists<true, true>},
    {"isfile", Exists<true, false>},
    {"isdir", Exists<false, true>},
};

}  // namespace

// A Path of pathlib is known by what str() gives for it.
Outcome<std::string> PathArgument(Host& host, const Value& value) {
  if (value.is_str()) return std::string(lang::TextOf(value));
  const auto* instance = value.If<Instance>();
  if (instance != nullptr && instance->has_class() && instance->cls().module() == "pathlib") {
    return lang::Text(host, value);
  }
  return TypeError("expected str, bytes or os.PathLike object, not " +
                   std::string(lang::TypeName(value)));
}

void AddOpenBuiltin(Machine& machine) {
  machine.AddBuiltin("open", machine.heap().New<lang::NativeFunction>("open", Open));
}

Value MakeOsPathModule(Machine& machine) {
  const Value module = NewModule(machine, "os.path", kPathFunctions);
  ModuleOf(module).Add("sep", lang::MakeStr(machine.heap(), std::string("/")));
  return module;
}

Value MakeOsModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {{"listdir", ListDir}, {"getcwd", CurrentFolder}};
  Heap& heap = machine.heap();
  const Value module = NewModule(machine, "os", kFunctions);
  const Value environ = heap.New<lang::Dict>();
  ModuleOf(module).Add("environ", environ);
  ModuleOf(module).Add("getenv", heap.New<lang::NativeFunction>("getenv", GetEnv, environ));
  ModuleOf(module).Add("sep", lang::MakeStr(heap, std::string("/")));
  ModuleOf(module).Add("linesep", lang::MakeStr(heap, std::string("\n")));
  ModuleOf(module).Add("name", lang::MakeStr(heap, std::string("posix")));
  return module;
}

Value MakeGlobModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {{"glob", Glob}};
  return NewModule(machine, "glob", kFunctions);
}

}  // namespace espalier::script
