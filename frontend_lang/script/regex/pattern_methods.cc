#include "frontend_lang/script/regex/pattern_methods.h"

#include <algorithm>
#include <string>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/regex/match.h"
#include "frontend_lang/script/regex/replacement.h"
#include "frontend_lang/script/values/containers.h"

namespace espalier::script::regex {
namespace {

// Objects of str's subclasses (members of an Enum) are taken as the text they stand for.
Outcome<std::vector<Value>> BindPlain(std::string_view function, const Args& args,
                                      std::initializer_list<std::string_view> names,
                                      int num_required) {
  ESP_TRY_ASSIGN(auto bound, BindArguments(function, args, names, num_required));
  for (Value& value : bound) {
    const Value& plain = lang::PlainOf(value);
    if (plain.is_str()) value = Value(plain);
  }
  return bound;
}

using lang::TypeError;

Pattern& PatternOf(const Value& self) { return *static_cast<Pattern*>(self.object()); }

// The part that pos and endpos mean, clipped as CPython clips it.
Outcome<Part> PartOf(const lang::Str& subject, const Value& begin, const Value& end) {
  std::int64_t from = 0, to = subject.length();
  if (!begin.is_unset()) {
    ESP_TRY_ASSIGN(from, IndexArgument(begin));
  }
  if (!end.is_unset()) {
    ESP_TRY_ASSIGN(to, IndexArgument(end));
  }
  from = std::clamp<std::int64_t>(from, 0, subject.length());
  to = std::clamp<std::int64_t>(to, 0, subject.length());
  Part part{subject.OffsetOf(from), subject.OffsetOf(to)};
  return part;
}

// The matches of a subject one after another. An empty match may follow a match, but
// not another empty one at the same place.
class Scanner {
 public:
  Scanner() = default;  // of nothing; not to be used
  Scanner(Value pattern, Value subject, Part part)
      : pattern_(std::move(pattern)), subject_(std::move(subject)), part_(part), searched_(part) {}

  const lang::Str& subject() const { return *subject_.As<lang::Str>(); }
  Pattern& pattern() const { return PatternOf(pattern_); }

  Outcome<std::optional<Spans>> Next(Host& host) {
    ESP_TRY_ASSIGN(auto spans, pattern().Find(host, subject(), part_, Mode::kSearch, empty_));
    if (!spans) return spans;
    const ByteSpan whole = (*spans)[0];
    empty_ = whole.begin == whole.end ? Pattern::Empty::kNotAtBegin : Pattern::Empty::kAllowed;
    part_.begin = static_cast<std::size_t>(whole.end);
    return spans;
  }

  Value MatchObject(Heap& heap, Spans spans) const {
    return heap.New<Match>(pattern_, subject_, std::move(spans), searched_);
  }

  void Clear() { pattern_ = subject_ = Value(); }

 private:
  Value pattern_, subject_;
  Part part_;      // what is left
  Part searched_;  // what was asked for
  Pattern::Empty empty_ = Pattern::Empty::kAllowed;
};

class MatchIterator final : public lang::Iterator {
 public:
  MatchIterator(Heap& heap, Scanner scanner) : Iterator(heap), scanner_(std::move(scanner)) {}

  std::string_view TypeName() const override { return "callable_iterator"; }
  Outcome<bool> Next(Host& host, Value& value) override {
    if (ended_) return false;
    ESP_TRY_ASSIGN(auto spans, scanner_.Next(host));
    ended_ = !spans.has_value();
    if (ended_) return false;
    value = scanner_.MatchObject(host.heap(), *std::move(spans));
    return true;
  }

 private:
  void Clear() override {
    scanner_.Clear();
    ended_ = true;
  }

  Scanner scanner_;
  bool ended_ = false;
};

Value TextAt(Heap& heap, const lang::Str& subject, std::size_t begin, std::size_t end) {
  return lang::MakeValidStr(heap, subject.bytes().substr(begin, end - begin));
}

Value TextAt(Heap& heap, const lang::Str& subject, const ByteSpan& span, const Value& absent) {
  if (!span.matched()) return absent;
  return TextAt(heap, subject, static_cast<std::size_t>(span.begin),
                static_cast<std::size_t>(span.end));
}

template <Mode mode>
Outcome<Value> FindOne(Host& host, const Value& self, const Args& args) {
  constexpr std::string_view kNames[] = {"search", "match", "fullmatch"};
  ESP_TRY_ASSIGN(const auto bound,
                 BindPlain(kNames[static_cast<int>(mode)], args, {"string", "pos", "endpos"}, 1));
  ESP_TRY(CheckSubject(bound[0]));
  const auto& subject = *bound[0].As<lang::Str>();
  ESP_TRY_ASSIGN(const Part part, PartOf(subject, bound[1], bound[2]));
  ESP_TRY_ASSIGN(auto spans, PatternOf(self).Find(host, subject, part, mode));
  if (!spans) return Value();
  return host.heap().New<Match>(self, bound[0], *std::move(spans), part);
}

Outcome<Scanner> ScannerOf(const Value& self, std::string_view function, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindPlain(function, args, {"string", "pos", "endpos"}, 1));
  ESP_TRY(CheckSubject(bound[0]));
  ESP_TRY_ASSIGN(const Part part, PartOf(*bound[0].As<lang::Str>(), bound[1], bound[2]));
  return Scanner(self, bound[0], part);
}

Outcome<Value> FindIter(Host& host, const Value& self, const Args& args) {
  auto scanner = ScannerOf(self, "finditer", args);
  if (!scanner.ok()) return scanner.TakeFault();
  return host.heap().New<MatchIterator>(*std::move(scanner));
}

// What findall gives for a match: the whole, the only group, or a tuple of the groups.
Value Found(Heap& heap, const lang::Str& subject, const Spans& spans) {
  const Value none = heap.EmptyStr();
  if (spans.size() <= 2) return TextAt(heap, subject, spans.back(), none);
  std::vector<Value> groups;
  for (std::size_t i = 1; i < spans.size(); ++i) {
    groups.push_back(TextAt(heap, subject, spans[i], none));
  }
  return heap.New<lang::Tuple>(std::move(groups));
}

Outcome<Value> FindAll(Host& host, const Value& self, const Args& args) {
  auto scanner = ScannerOf(self, "findall", args);
  if (!scanner.ok()) return scanner.TakeFault();
  const Value made = host.heap().New<lang::List>();
  for (;;) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const auto spans, scanner->Next(host));
    if (!spans) return made;
    made.As<lang::List>()->Append(Found(host.heap(), scanner->subject(), *spans));
  }
}

Outcome<Value> Split(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindPlain("split", args, {"string", "maxsplit"}, 1));
  ESP_TRY(CheckSubject(bound[0]));
  std::int64_t most = 0;
  if (!bound[1].is_unset()) {
    ESP_TRY_ASSIGN(most, IndexArgument(bound[1]));
  }
  const auto& subject = *bound[0].As<lang::Str>();
  Scanner scanner(self, bound[0], {0, subject.bytes().size()});
  Heap& heap = host.heap();
  const Value made = heap.New<lang::List>();
  auto& parts = *made.As<lang::List>();
  std::size_t copied = 0;
  for (std::int64_t n = 0; most == 0 || n < most; ++n) {
    ESP_TRY(host.Step());
    ESP_TRY_ASSIGN(const auto spans, scanner.Next(host));
    if (!spans) break;
    parts.Append(TextAt(heap, subject, copied, static_cast<std::size_t>((*spans)[0].begin)));
    for (std::size_t i = 1; i < spans->size(); ++i) {
      parts.Append(TextAt(heap, subject, (*spans)[i], Value()));
    }
    copied = static_cast<std::size_t>((*spans)[0].end);
  }
  parts.Append(TextAt(heap, subject, copied, subject.bytes().size()));
  return made;
}

// ---- sub and subn.

struct Substitution {
  Value pattern, subject;
  Value function;  // called with each match, or Unset: the replacement
  Replacement replacement;
  std::int64_t most = 0;  // 0: all
};

// Appends what stands in the place of match number `place`.
Fault AppendReplacement(Host& host, const Substitution& work, const Scanner& scanner,
                        const Spans& spans, std::string& out) {
  if (work.function.is_unset()) {
    ESP_TRY(work.replacement.AppendTo(host, out, scanner.subject(), spans));
    return Fault();
  }
  const Value match = scanner.MatchObject(host.heap(), spans);
  ESP_TRY_ASSIGN(const Value given, host.Call(work.function, Args{{&match, 1}, {}}));
  const Value text = lang::PlainOf(given);
  if (text.is_none()) return Fault();
  if (!text.is_str()) {
    return TypeError("sequence item 0: expected str instance, " +
                     std::string(lang::TypeName(given)) + " found");
  }
  out += lang::TextOf(text);
  return Fault();
}

struct Substituted {
  Value text;
  std::int64_t count = 0;
};

Outcome<Substituted> Substitute(Host& host, const Substitution& work) {
  const auto& subject = *work.subject.As<lang::Str>();
  Scanner scanner(work.pattern, work.subject, {0, subject.bytes().size()});
  std::string out;
  std::size_t copied = 0;
  std::int64_t count = 0;
  for (; work.most == 0 || count < work.most; ++count) {
    ESP_TRY(host.Step());
    ESP_TRY(host.Reserve(static_cast<std::int64_t>(out.size())));
    ESP_TRY_ASSIGN(const auto spans, scanner.Next(host));
    if (!spans) break;
    const auto begin = static_cast<std::size_t>((*spans)[0].begin);
    out.append(subject.bytes(), copied, begin - copied);
    ESP_TRY(AppendReplacement(host, work, scanner, *spans, out));
    copied = static_cast<std::size_t>((*spans)[0].end);
  }
  if (count == 0) return Substituted{work.subject, 0};
  out.append(subject.bytes(), copied);
  return Substituted{lang::MakeValidStr(host.heap(), std::move(out)), count};
}

bool IsCallable(const Value& value) { return value.is_extension(); }

Outcome<Substituted> ReadAndSubstitute(Host& host, std::string_view function, const Value& self,
                                       const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindPlain(function, args, {"repl", "string", "count"}, 2));
  Substitution work{self, bound[1], Value::Unset(), {}, 0};
  if (!bound[0].is_str() && !IsCallable(bound[0])) {
    return TypeError("decoding to str: need a bytes-like object, " +
                     std::string(lang::TypeName(bound[0])) + " found");
  }
  if (bound[0].is_str()) {
    ESP_TRY_ASSIGN(work.replacement, Replacement::Parse(host, bound[0], PatternOf(self)));
  } else {
    work.function = bound[0];
  }
  ESP_TRY(CheckSubject(bound[1]));
  if (!bound[2].is_unset()) {
    ESP_TRY_ASSIGN(work.most, IndexArgument(bound[2]));
  }
  return Substitute(host, work);
}

Outcome<Value> Sub(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const Substituted done, ReadAndSubstitute(host, "sub", self, args));
  return done.text;
}

Outcome<Value> SubN(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const Substituted done, ReadAndSubstitute(host, "subn", self, args));
  return host.heap().New<lang::Tuple>(std::vector<Value>{done.text, Value::Int(done.count)});
}

constexpr lang::Method kMethods[] = {
    {.name = "findall", .raw_code = FindAll},
    {.name = "finditer", .raw_code = FindIter},
    {.name = "fullmatch", .raw_code = FindOne<Mode::kFullMatch>},
    {.name = "match", .raw_code = FindOne<Mode::kMatch>},
    {.name = "search", .raw_code = FindOne<Mode::kSearch>},
    {.name = "split", .raw_code = Split},
    {.name = "sub", .raw_code = Sub},
    {.name = "subn", .raw_code = SubN},
};

}  // namespace

const lang::Method* FindPatternMethod(std::string_view name) {
  return lang::FindIn(kMethods, name);
}

Fault CheckSubject(const Value& subject) {
  if (subject.is_str()) return Fault();
  return TypeError("expected string or bytes-like object, got '" +
                   std::string(lang::TypeName(subject)) + "'");
}

}  // namespace espalier::script::regex
