#include "grammar/vocabulary_slices.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

#include "grammar/utf8.h"
#include "grammar/vocabulary.h"

namespace espalier {
namespace {

bool IsPlainByte(char c) { return static_cast<std::uint8_t>(c) >= 0x20 && c != '"' && c != '\\'; }

// U+2028 and U+2029, which `.` of ECMA-262 does not match.
bool HasLineSeparator(std::string_view text) {
  return text.find("\xE2\x80\xA8") != text.npos || text.find("\xE2\x80\xA9") != text.npos;
}

// The number of code points of plain text; empty if `text` is not plain.
std::optional<std::size_t> PlainChars(std::string_view text) {
  if (!std::ranges::all_of(text, IsPlainByte) || HasLineSeparator(text)) return std::nullopt;
  if (ValidUtf8Prefix(text) != text.size()) return std::nullopt;
  return NumCodePoints(text);
}

bool IsShort(std::string_view bytes) { return bytes.size() <= VocabularySlices::kMaxShortBytes; }

template <typename Predicate>
std::vector<TokenId> TokensThat(const Vocabulary& vocabulary, Predicate predicate) {
  std::vector<TokenId> tokens;
  for (TokenId token : vocabulary.trie().tokens()) {
    if (predicate(vocabulary.bytes(token))) tokens.push_back(token);
  }
  return tokens;
}

// One step of UTF-8 inside a code point: bytes first .. last, then `more` continuations.
struct Utf8Step {
  std::uint8_t first, last;
  int more;
};
constexpr Utf8Step kPlainLeads[] = {
    {0x20, 0x21, 0}, {0x23, 0x5B, 0}, {0x5D, 0x7F, 0}, {0xC2, 0xDF, 1},
    {0xE1, 0xE1, 2}, {0xE3, 0xEC, 2}, {0xEE, 0xEF, 2}, {0xF1, 0xF3, 3},
};
// Leads behind which not all continuations are plain: the bytes that come first, and what
// may come behind them.
struct SpecialLead {
  std::string_view bytes;
  Utf8Step then;
};
constexpr SpecialLead kSpecialLeads[] = {
    {"\xE0", {0xA0, 0xBF, 1}},     {"\xE2", {0x81, 0xBF, 1}}, {"\xE2\x80", {0x80, 0xA7, 0}},
    {"\xE2\x80", {0xAA, 0xBF, 0}}, {"\xED", {0x80, 0x9F, 1}}, {"\xF0", {0x90, 0xBF, 2}},
    {"\xF4", {0x80, 0x8F, 2}},
};
constexpr Utf8Step kContinuation = {0x80, 0xBF, 0};

// Steps over all plain code points at once, through one regex after another.
class PlainStep {
 public:
  explicit PlainStep(RegexSet& set) : set_(set) {}

  // Adds to `next` what is left of `regex` behind one plain code point of any kind.
  void Run(RegexId regex, std::vector<RegexId>* next) {
    next_ = next;
    for (const Utf8Step& lead : kPlainLeads) Take(regex, lead);
    for (const SpecialLead& special : kSpecialLeads) {
      RegexId behind = regex;
      for (const char byte : special.bytes) {
        ++work_;
        behind = set_.Derive(behind, static_cast<std::uint8_t>(byte));
      }
      if (behind == RegexSet::kNothing) {
        some_die_ = true;
      } else {
        Take(behind, special.then);
      }
    }
  }
  bool some_die() const { return some_die_; }
  std::size_t work() const { return work_; }

 private:
  void Take(RegexId regex, const Utf8Step& step) {
    const ByteSet range = ByteSet::Range(step.first, step.last);
    // The list may move while terms are made, so the classes are copied.
    const std::span<const ByteSet> classes = set_.ByteClasses(regex);
    const std::vector<ByteSet> copy(classes.begin(), classes.end());
    RegexId before = RegexSet::kNothing;
    for (const ByteSet& same : copy) {
      const ByteSet bytes = same & range;
      if (bytes.empty()) continue;
      ++work_;
      const RegexId behind = set_.Derive(regex, bytes.first());
      if (behind == RegexSet::kNothing) {
        some_die_ = true;
      } else if (behind != before) {
        before = behind;
        step.more == 0 ? next_->push_back(behind)
                       : Take(behind, {kContinuation.first, kContinuation.last, step.more - 1});
      }
    }
  }

  RegexSet& set_;
  std::vector<RegexId>* next_ = nullptr;
  bool some_die_ = false;
  std::size_t work_ = 0;
};

void SortUnique(std::vector<RegexId>* ids) {
  std::ranges::sort(*ids);
  ids->erase(std::ranges::unique(*ids).begin(), ids->end());
}

}  // namespace

VocabularySlices::VocabularySlices(const Vocabulary& vocabulary)
    : plain_(kMaxChars + 1, std::vector<std::uint32_t>((vocabulary.size() + 31) / 32)),
      rest_(vocabulary, TokensThat(vocabulary,
                                   [](std::string_view bytes) {
                                     return IsShort(bytes) && !PlainChars(bytes).has_value();
                                   })),
      long_tokens_(vocabulary, TokensThat(vocabulary, std::not_fn(IsShort))) {
  static_assert(kMaxShortBytes <= kMaxChars);
  for (TokenId token : vocabulary.trie().tokens()) {
    const std::optional<std::size_t> chars = PlainChars(vocabulary.bytes(token));
    if (!chars.has_value() || !IsShort(vocabulary.bytes(token))) continue;
    for (std::size_t n = *chars; n <= kMaxChars; ++n) {
      plain_[n][static_cast<std::size_t>(token) / 32] |= 1u << (token % 32);
    }
  }
}

namespace {

PlainRun Explore(RegexSet& set, RegexId regex) {
  // Beyond this a look at every token is cheaper.
  constexpr std::size_t kMaxWork = 20'000;
  std::vector<RegexId> seen = {regex};
  std::vector<RegexId> level = {regex};
  PlainStep step(set);
  bool may_go_on = set.nullable(regex);  // behind plain text of the lengths seen so far
  for (std::size_t chars = 0; chars < VocabularySlices::kMaxChars; ++chars) {
    std::vector<RegexId> next;
    for (RegexId id : level) {
      if (step.work() > kMaxWork) return {.num_chars = chars, .refuses_more = false};
      step.Run(id, &next);
    }
    SortUnique(&next);
    if (step.some_die()) {
      return {.num_chars = chars, .refuses_more = next.empty() && !may_go_on};
    }
    const auto num_known =
        std::erase_if(next, [&](RegexId id) { return std::ranges::binary_search(seen, id); });
    if (next.empty()) break;
    may_go_on = may_go_on || num_known > 0 ||
                std::ranges::any_of(next, [&](RegexId id) { return set.nullable(id); });
    seen.insert(seen.end(), next.begin(), next.end());
    SortUnique(&seen);
    level = std::move(next);
  }
  return {.num_chars = VocabularySlices::kMaxChars, .refuses_more = false};
}

}  // namespace

PlainRun MeasurePlainRun(RegexSet& set, RegexId regex) {
  // Exceptions, such as the names that an object has already, have many derivatives.
  const RegexId simple = set.WithoutExceptions(regex);
  if (simple != regex) {
    const PlainRun run = Explore(set, simple);
    if (run.num_chars == VocabularySlices::kMaxChars) return run;
  }
  return Explore(set, regex);
}

}  // namespace espalier
