#include "frontend_lang/script/regex/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>

#include <fmt/format.h>

#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/regex/pattern_methods.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/hash.h"
#include "frontend_lang/script/values/repr.h"

namespace espalier::script::regex {
namespace {

constexpr std::uint32_t kMatchLimit = 5'000'000;   // of backtracks at one place
constexpr std::uint32_t kHeapLimitKib = 64 << 10;  // for them
constexpr std::int64_t kStepsAPlace = 4;           // where a match may begin
constexpr std::int64_t kOverheadBytes = 2048;      // of a compiled pattern

// What a match in progress reports to.
struct Progress {
  Host* host;
  Fault fault;
};

int CountStep(pcre2_callout_block*, void* data) {
  auto* progress = static_cast<Progress*>(data);
  progress->fault = progress->host->Step(kStepsAPlace);
  return progress->fault.ok() ? 0 : PCRE2_ERROR_CALLOUT;
}

struct MatchContextDeleter {
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};
using MatchContext = std::unique_ptr<pcre2_match_context, MatchContextDeleter>;

Fault RunAway() {
  return lang::LimitError(
      "a regular expression takes too many steps on this text; it backtracks without bound");
}

constexpr std::pair<int, std::string_view> kFlagNames[] = {
    {kIgnoreCase, "re.IGNORECASE"}, {kLocale, "re.LOCALE"},   {kMultiline, "re.MULTILINE"},
    {kDotAll, "re.DOTALL"},         {kUnicode, "re.UNICODE"}, {kVerbose, "re.VERBOSE"},
    {kDebug, "re.DEBUG"},           {kAscii, "re.ASCII"},
};

}  // namespace

std::string FlagNames(int flags) {
  std::string names;
  for (const auto& [flag, name] : kFlagNames) {
    if ((flags & flag) != 0) names += (names.empty() ? "" : "|") + std::string(name);
  }
  return names;
}

Fault Raise(Host& host, const Problem& problem, const Value& pattern) {
  switch (problem.kind) {
    case Problem::Kind::kIndex: return lang::Raise("IndexError", problem.message);
    case Problem::Kind::kOverflow: return lang::Raise("OverflowError", problem.message);
    case Problem::Kind::kValue: return lang::ValueError(problem.message);
    case Problem::Kind::kError: break;
  }
  Heap& heap = host.heap();
  std::string message = problem.message;
  Value position, line, column;
  if (problem.at) {
    const auto& str = *pattern.As<lang::Str>();
    const auto at = std::min(static_cast<std::int64_t>(*problem.at), str.length());
    const std::string_view before = str.Slice(0, at);
    const std::size_t newline = before.rfind('\n');
    const std::string_view last = newline == before.npos ? before : before.substr(newline + 1);
    position = Value::Int(at);
    line = Value::Int(1 + std::count(before.begin(), before.end(), '\n'));
    column = Value::Int(lang::MakeStr(heap, last).As<lang::Str>()->length() + 1);
    message += fmt::format(" at position {}", at);
    if (str.bytes().find('\n') != std::string::npos) {
      message += fmt::format(" (line {}, column {})", line.as_int(), column.as_int());
    }
  }
  Fault fault = RaiseStatus(heap, "error", Status(Code::kInvalidArgument, ""), message);
  auto* object = Exactly<ErrorObject>(fault.error().object);
  object->attributes = heap.New<lang::Dict>();
  auto& attributes = *object->attributes.As<lang::Dict>();
  attributes.PutStr("msg", lang::MakeStr(heap, problem.message));
  attributes.PutStr("pattern", pattern);
  attributes.PutStr("pos", position);
  attributes.PutStr("lineno", line);
  attributes.PutStr("colno", column);
  return fault;
}

Pattern::Pattern(Heap& heap, Value text, Translation translation)
    : Extension(heap, lang::Type::kExtension),
      text_(std::move(text)),
      translation_(std::move(translation)) {}

Pattern::~Pattern() {
  pcre2_match_data_free(match_data_);
  pcre2_code_free(code_);
}

std::string Pattern::CompileCode() {
  int error = 0;
  PCRE2_SIZE error_at = 0;
  code_ = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translation_.pattern.data()),
                        translation_.pattern.size(),
                        PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_DOTALL | PCRE2_NEVER_BACKSLASH_C,
                        &error, &error_at, nullptr);
  if (code_ == nullptr) {
    PCRE2_UCHAR message[160];
    pcre2_get_error_message(error, message, std::size(message));
    return reinterpret_cast<const char*>(message);
  }
  match_data_ = pcre2_match_data_create_from_pattern(code_, nullptr);
  std::size_t size_bytes = 0;
  pcre2_pattern_info(code_, PCRE2_INFO_SIZE, &size_bytes);
  Charge(static_cast<std::int64_t>(size_bytes) + kOverheadBytes);
  return "";
}

Outcome<Value> Pattern::Compile(Host& host, const Value& text, int flags) {
  const std::string_view bytes = lang::TextOf(text);
  ESP_TRY(host.Step(16 + static_cast<std::int64_t>(bytes.size()) / 16));
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(bytes.size()), 64));
  auto translated = Translate(bytes, flags);
  if (const auto* problem = std::get_if<Problem>(&translated)) return Raise(host, *problem, text);
  Value made = host.heap().New<Pattern>(text, std::get<Translation>(std::move(translated)));
  const std::string complaint = static_cast<Pattern*>(made.object())->CompileCode();
  if (!complaint.empty()) return Raise(host, {complaint + " (not in this language)", {}}, text);
  return made;
}

Outcome<std::optional<Spans>> Pattern::Find(Host& host, const lang::Str& subject, const Part& part,
                                            Mode mode, Empty empty) {
  if (part.begin > part.end) return std::optional<Spans>();
  Progress progress{&host, Fault()};
  const MatchContext context(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(context.get(), kMatchLimit);
  pcre2_set_heap_limit(context.get(), kHeapLimitKib);
  pcre2_set_callout(context.get(), CountStep, &progress);
  std::uint32_t options = PCRE2_NO_UTF_CHECK;
  if (mode != Mode::kSearch) options |= PCRE2_ANCHORED;
  if (mode == Mode::kFullMatch) options |= PCRE2_ENDANCHORED;
  if (empty == Empty::kNotAtBegin) options |= PCRE2_NOTEMPTY_ATSTART;
  ESP_TRY(host.Step());
  const int found = pcre2_match(code_, reinterpret_cast<PCRE2_SPTR>(subject.bytes().data()),
                                part.end, part.begin, options, match_data_, context.get());
  if (found == PCRE2_ERROR_NOMATCH) {
    ESP_TRY(host.Step(static_cast<std::int64_t>(part.end - part.begin) / 256));
    return std::optional<Spans>();
  }
  if (found == PCRE2_ERROR_CALLOUT) return std::move(progress.fault);
  if (found < 0) return RunAway();
  const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(match_data_);
  Spans spans(static_cast<std::size_t>(num_groups()) + 1);
  for (std::size_t i = 0; i < spans.size() && i < static_cast<std::size_t>(found); ++i) {
    if (offsets[2 * i] == PCRE2_UNSET) continue;
    spans[i] = {static_cast<std::int64_t>(offsets[2 * i]),
                static_cast<std::int64_t>(offsets[2 * i + 1])};
  }
  return std::optional<Spans>(std::move(spans));
}

int Pattern::FindGroup(const Value& group) const {
  if (group.is_integral()) {
    const std::int64_t number = group.as_int();
    return number >= 0 && number <= num_groups() ? static_cast<int>(number) : -1;
  }
  if (!group.is_str()) return -1;
  for (const auto& [name, number] : names()) {
    if (name == lang::TextOf(group)) return number;
  }
  return -1;
}

Outcome<std::string> Pattern::Repr(Host&) {
  const auto& str = *text_.As<lang::Str>();
  constexpr std::int64_t kShown = 200;
  std::string text = lang::ReprStr(str.bytes());
  const Value quoted = lang::MakeStr(heap(), text);
  if (quoted.As<lang::Str>()->length() > kShown) text = quoted.As<lang::Str>()->Slice(0, kShown);
  const std::string names = FlagNames(flags() & ~kUnicode);
  return "re.compile(" + text + (names.empty() ? "" : ", " + names) + ")";
}

Outcome<bool> Pattern::Equals(Host&, const Value& other) {
  const auto* pattern = Exactly<Pattern>(other);
  return pattern != nullptr && pattern->flags() == flags() &&
         lang::TextOf(pattern->text_) == lang::TextOf(text_);
}

Outcome<std::uint64_t> Pattern::Hash(Host& host) { return lang::Hash(host, text_); }

Outcome<Value> Pattern::GetAttr(Host& host, std::string_view name) {
  if (name == "pattern") return text_;
  if (name == "flags") return Value::Int(flags());
  if (name == "groups") return Value::Int(num_groups());
  if (name == "groupindex") {
    const Value made = host.heap().New<lang::Dict>();
    for (const auto& [group, number] : names()) {
      made.As<lang::Dict>()->PutStr(group, Value::Int(number));
    }
    return made;
  }
  const lang::Method* method = FindPatternMethod(name);
  if (method == nullptr) return Value::Unset();
  return host.heap().New<lang::NativeFunction>(method->name, method->raw_code, Value(this));
}

}  // namespace espalier::script::regex
