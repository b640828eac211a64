// re: the functions compile their pattern, or find it among those that were compiled
// lately, and are then the pattern's methods.
#include <algorithm>
#include <list>
#include <string>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/regex/match.h"
#include "frontend_lang/script/regex/pattern_methods.h"
#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/unicode.h"

namespace espalier::script {
namespace {

using lang::TypeError;
using regex::Pattern;

// re.IGNORECASE and its like: ints that know their names.
class RegexFlag final : public lang::Extension {
 public:
  RegexFlag(Heap& heap, int bits) : Extension(heap, lang::Type::kExtension), bits_(bits) {}

  int bits() const { return bits_; }
  std::string_view TypeName() const override { return "RegexFlag"; }
  Outcome<bool> Truth(Host&) override { return bits_ != 0; }
  Outcome<std::uint64_t> Hash(Host&) override { return static_cast<std::uint64_t>(bits_); }
  Outcome<bool> Equals(Host&, const Value& other) override { return BitsOf(other) == bits_; }
  Outcome<std::string> Repr(Host&) override {
    if (bits_ == 0) return std::string("re.NOFLAG");
    const std::string ascii = (bits_ & regex::kAscii) != 0 ? "re.ASCII" : "";
    const std::string others = regex::FlagNames(bits_ & ~regex::kAscii);
    return ascii + (ascii.empty() || others.empty() ? "" : "|") + others;
  }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override {
    if (name == "value") return Value::Int(bits_);
    if (name == "name") {
      ESP_TRY_ASSIGN(const std::string text, Repr(host));
      return lang::MakeStr(host.heap(), text.substr(text.find('.') + 1));
    }
    return Value::Unset();
  }
  Outcome<Value> Binary(Host& host, lang::BinaryOp op, const Value& other, lang::Side) override {
    const int bits = BitsOf(other);
    if (bits < 0) return Value::Unset();
    switch (op) {
      case lang::BinaryOp::kOr: return host.heap().New<RegexFlag>(bits_ | bits);
      case lang::BinaryOp::kAnd: return host.heap().New<RegexFlag>(bits_ & bits);
      case lang::BinaryOp::kXor: return host.heap().New<RegexFlag>(bits_ ^ bits);
      case lang::BinaryOp::kAdd: return Value::Int(bits_ + bits);
      default: return Value::Unset();
    }
  }

  // -1: neither a flag nor a number of flags.
  static int BitsOf(const Value& value) {
    if (const auto* flag = Exactly<RegexFlag>(value)) return flag->bits_;
    constexpr std::int64_t kAll = 511;
    const bool bits = value.is_integral() && value.as_int() >= 0 && value.as_int() <= kAll;
    return bits ? static_cast<int>(value.as_int()) : -1;
  }

 private:
  int bits_;
};

// The patterns that were compiled lately, the last first.
class PatternCache final : public lang::Extension {
 public:
  explicit PatternCache(Heap& heap) : Extension(heap, lang::Type::kExtension) {}

  std::string_view TypeName() const override { return "re.cache"; }

  Outcome<Value> Compile(Host& host, const Value& text, int flags) {
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      if (entry->flags != flags || lang::TextOf(entry->text) != lang::TextOf(text)) continue;
      entries_.splice(entries_.begin(), entries_, entry);
      return entries_.front().pattern;
    }
    ESP_TRY_ASSIGN(const Value pattern, Pattern::Compile(host, text, flags));
    entries_.push_front({text, flags, pattern});
    if (entries_.size() > kMost) entries_.pop_back();
    return pattern;
  }
  void Purge() { entries_.clear(); }

 private:
  struct Entry {
    Value text;
    int flags;
    Value pattern;
  };
  static constexpr std::size_t kMost = 64;

  void Clear() override { entries_.clear(); }

  std::list<Entry> entries_;
};

Outcome<Value> CompilePattern(Host& host, const Value& cache, const Value& given,
                              const Value& flags) {
  const Value& text = lang::PlainOf(given);
  const int bits = flags.is_unset() ? 0 : RegexFlag::BitsOf(flags);
  if (Exactly<Pattern>(text) != nullptr) {
    if (bits == 0) return text;
    return lang::ValueError("cannot process flags argument with a compiled pattern");
  }
  if (!text.is_str()) return TypeError("first argument must be string or compiled pattern");
  if (bits < 0) return TypeError("the flags are not flags of re");
  return static_cast<PatternCache*>(cache.object())->Compile(host, text, bits);
}

Outcome<Value> Compile(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("compile", args, {"pattern", "flags"}, 1));
  return CompilePattern(host, self, bound[0], bound[1]);
}

// A function whose first argument is the pattern, whose last may be the flags, and whose
// others are the method's.
struct Function {
  std::string_view name;
  std::vector<std::string_view> parameters;  // without pattern and flags
  std::size_t num_required;
};

Outcome<Value> CallMethod(Host& host, const Value& self, const Args& args,
                          const Function& function) {
  std::vector<std::string_view> names{"pattern"};
  names.insert(names.end(), function.parameters.begin(), function.parameters.end());
  names.push_back("flags");
  const std::string name(function.name);
  if (args.positional.size() > names.size()) {
    return TypeError(name + "() takes from " + std::to_string(function.num_required + 1) + " to " +
                     std::to_string(names.size()) + " positional arguments but " +
                     std::to_string(args.positional.size()) + " were given");
  }
  std::vector<Value> bound(args.positional.begin(), args.positional.end());
  bound.resize(names.size(), Value::Unset());
  for (const lang::Keyword& keyword : args.keywords) {
    const auto at = std::ranges::find(names, keyword.name);
    if (at == names.end()) {
      return TypeError(name + "() got an unexpected keyword argument '" +
                       std::string(keyword.name) + "'");
    }
    Value& slot = bound[static_cast<std::size_t>(at - names.begin())];
    if (!slot.is_unset()) {
      return TypeError(name + "() got multiple values for argument '" + std::string(keyword.name) +
                       "'");
    }
    slot = keyword.value;
  }
  std::vector<std::string> missing;
  for (std::size_t i = 0; i <= function.num_required; ++i) {
    if (bound[i].is_unset()) missing.push_back("'" + std::string(names[i]) + "'");
  }
  if (!missing.empty()) {
    std::string list;
    for (std::size_t i = 0; i < missing.size(); ++i) {
      const bool last = i + 1 == missing.size();
      list += (i == 0 ? "" : missing.size() == 2 ? " and " : last ? ", and " : ", ") + missing[i];
    }
    return TypeError(name + "() missing " + std::to_string(missing.size()) +
                     " required positional argument" + (missing.size() == 1 ? "" : "s") + ": " +
                     list);
  }
  ESP_TRY_ASSIGN(const Value pattern, CompilePattern(host, self, bound[0], bound.back()));
  std::vector<Value> rest(bound.begin() + 1, bound.end() - 1);
  while (!rest.empty() && rest.back().is_unset()) rest.pop_back();
  return regex::FindPatternMethod(function.name)->raw_code(host, pattern, Args{rest, {}});
}

Outcome<Value> Search(Host& host, const Value& self, const Args& args) {
  return CallMethod(host, self, args, {"search", {"string"}, 1});
}
Outcome<Value> MatchFunction(Host& host, const Value& self, const Args& args) {
  return CallMethod(host, self, args, {"match", {"string"}, 1});
}
Outcome<Value> FullMatch(Host& host, const Value& self, const Args& args) {
  return CallMethod(host, self, args, {"fullmatch", {"string"}, 1});
}
Outcome<Value> FindAll(Host& host, const Value& self, const Args& args) {
  return CallMethod(host, self, args, {"findall", {"string"}, 1});
}
Outcome<Value> FindIter(Host& host, const Value& self, const Args& args) {
  return CallMethod(host, self, args, {"finditer", {"string"}, 1});
}
Outcome<Value> Split(Host& host, const Value& self, const Args& args) {
  return CallMethod(host, self, args, {"split", {"string", "maxsplit"}, 1});
}
Outcome<Value> Sub(Host& host, const Value& self, const Args& args) {
  return CallMethod(host, self, args, {"sub", {"repl", "string", "count"}, 2});
}
Outcome<Value> SubN(Host& host, const Value& self, const Args& args) {
  return CallMethod(host, self, args, {"subn", {"repl", "string", "count"}, 2});
}

Outcome<Value> Escape(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("escape", args, 1, 1));
  const Value& given = lang::PlainOf(args.positional[0]);
  ESP_TRY(regex::CheckSubject(given));
  const std::string_view text = lang::TextOf(given);
  ESP_TRY(host.Step(static_cast<std::int64_t>(text.size()) / 64));
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(text.size()), 2));
  std::string out;
  for (const char c : text) {
    constexpr std::string_view kSpecial = "()[]{}?*+-|^$\\.&~# \t\n\r\v\f";
    if (kSpecial.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return lang::MakeValidStr(host.heap(), std::move(out));
}

Outcome<Value> Purge(Host&, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("purge", args, 0, 0));
  static_cast<PatternCache*>(self.object())->Purge();
  return Value();
}

Outcome<Value> NoMaking(Host&, const Value& type, const Args&) {
  return TypeError("cannot create '" +
                   std::string(static_cast<TypeObject*>(type.object())->name()) + "' instances");
}

constexpr std::pair<std::string_view, int> kFlags[] = {
    {"NOFLAG", 0},
    {"A", regex::kAscii},
    {"ASCII", regex::kAscii},
    {"I", regex::kIgnoreCase},
    {"IGNORECASE", regex::kIgnoreCase},
    {"M", regex::kMultiline},
    {"MULTILINE", regex::kMultiline},
    {"S", regex::kDotAll},
    {"DOTALL", regex::kDotAll},
    {"U", regex::kUnicode},
    {"UNICODE", regex::kUnicode},
    {"X", regex::kVerbose},
    {"VERBOSE", regex::kVerbose},
    {"L", regex::kLocale},
    {"LOCALE", regex::kLocale},
};

}  // namespace

Value MakeReModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {
      {"compile", Compile},     {"search", Search},   {"match", MatchFunction},
      {"fullmatch", FullMatch}, {"findall", FindAll}, {"finditer", FindIter},
      {"split", Split},         {"sub", Sub},         {"subn", SubN},
      {"escape", Escape},       {"purge", Purge},
  };
  Heap& heap = machine.heap();
  const Value value = NewModule(machine, "re", {});
  Module& module = ModuleOf(value);
  const Value cache = heap.New<PatternCache>();
  for (const ModuleFunction& row : kFunctions) {
    module.Add(row.name, heap.New<lang::NativeFunction>(row.name, row.code, cache));
  }
  for (const auto& [name, bits] : kFlags) module.Add(name, heap.New<RegexFlag>(bits));
  module.Add("error", NewErrorType(machine, "error"));
  module.Add("Pattern", NewType(machine, "re.Pattern", NoMaking,
                                [](const Value& v) { return Exactly<Pattern>(v) != nullptr; }));
  module.Add("Match", NewType(machine, "re.Match", NoMaking,
                              [](const Value& v) { return Exactly<regex::Match>(v) != nullptr; }));
  return value;
}

}  // namespace espalier::script
