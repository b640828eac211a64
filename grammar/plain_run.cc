#include "grammar/plain_run.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace espalier {
namespace {

// One step of UTF-8 inside a code point: bytes first .. last, then `more` continuations.
struct Utf8Step {
  std::uint8_t first, last;
  int more;
};
constexpr Utf8Step kLeads[] = {
    {0xC3, 0xDF, 1},
    {0xE4, 0xEC, 2},
    {0xEE, 0xEE, 2},
    {0xF1, 0xF3, 3},
};
// Leads behind which not all continuations are plain: the bytes that come first, and what
// may come behind them. Unicode spaces are left out.
struct SpecialLead {
  std::string_view bytes;
  Utf8Step then;
};
constexpr SpecialLead kSpecialLeads[] = {
    {"\xC2", {0x80, 0x9F, 0}},     {"\xC2", {0xA1, 0xBF, 0}},     {"\xE0", {0xA0, 0xBF, 1}},
    {"\xE1", {0x80, 0x99, 1}},     {"\xE1\x9A", {0x81, 0xBF, 0}}, {"\xE1", {0x9B, 0xBF, 1}},
    {"\xE2\x80", {0x8B, 0xA7, 0}}, {"\xE2\x80", {0xAA, 0xAE, 0}}, {"\xE2\x80", {0xB0, 0xBF, 0}},
    {"\xE2\x81", {0x80, 0x9E, 0}}, {"\xE2\x81", {0xA0, 0xBF, 0}}, {"\xE2", {0x82, 0xBF, 1}},
    {"\xE3\x80", {0x81, 0xBF, 0}}, {"\xE3", {0x81, 0xBF, 1}},     {"\xED", {0x80, 0x9F, 1}},
    {"\xEF", {0x80, 0xBA, 1}},     {"\xEF\xBB", {0x80, 0xBE, 0}}, {"\xEF", {0xBC, 0xBF, 1}},
    {"\xF0", {0x90, 0xBF, 2}},     {"\xF4", {0x80, 0x8F, 2}},
};
constexpr Utf8Step kContinuation = {0x80, 0xBF, 0};

// Steps over all plain code points at once, through one regex after another.
class PlainStep {
 public:
  explicit PlainStep(RegexSet& set) : set_(set) {}

  // Adds to `next` what is left of `regex` behind one code point of any of `kinds`. Returns
  // the kinds of which it refuses some.
  ByteSet Run(RegexId regex, const ByteSet& kinds, std::vector<RegexId>* next) {
    next_ = next;
    refused_ = {};
    RunAscii(regex, kinds & ByteSet::Range(0, 0x7F));
    if (kinds.contains(VocabularySlices::kBeyondAscii)) RunBeyond(regex);
    return refused_;
  }
  std::size_t work() const { return work_; }

 private:
  void RunAscii(RegexId regex, const ByteSet& kinds) {
    for (const ByteSet& same : ClassesOf(regex)) {
      const ByteSet bytes = same & kinds;
      if (bytes.empty()) continue;
      const RegexId behind = Derive(regex, bytes.first());
      if (behind == RegexSet::kNothing) {
        refused_ |= bytes;
      } else {
        next_->push_back(behind);
      }
    }
  }

  void RunBeyond(RegexId regex) {
    bool lives =
        std::ranges::all_of(kLeads, [&](const Utf8Step& lead) { return Take(regex, lead); });
    for (const SpecialLead& special : kSpecialLeads) {
      RegexId behind = regex;
      for (const char byte : special.bytes)
        behind = Derive(behind, static_cast<std::uint8_t>(byte));
      lives = lives && behind != RegexSet::kNothing && Take(behind, special.then);
    }
    if (!lives) refused_ |= ByteSet::Of(VocabularySlices::kBeyondAscii);
  }

  // False if something of the step is refused.
  bool Take(RegexId regex, const Utf8Step& step) {
    const ByteSet range = ByteSet::Range(step.first, step.last);
    RegexId before = RegexSet::kNothing;
    for (const ByteSet& same : ClassesOf(regex)) {
      const ByteSet bytes = same & range;
      if (bytes.empty()) continue;
      const RegexId behind = Derive(regex, bytes.first());
      if (behind == RegexSet::kNothing) return false;
      if (behind == before) continue;
      before = behind;
      if (step.more == 0) {
        next_->push_back(behind);
      } else if (!Take(behind, {kContinuation.first, kContinuation.last, step.more - 1})) {
        return false;
      }
    }
    return true;
  }

  RegexId Derive(RegexId regex, std::uint8_t byte) {
    ++work_;
    return set_.Derive(regex, byte);
  }

  // The list may move while terms are made, so the classes are copied.
  std::vector<ByteSet> ClassesOf(RegexId regex) {
    const std::span<const ByteSet> classes = set_.ByteClasses(regex);
    return {classes.begin(), classes.end()};
  }

  RegexSet& set_;
  std::vector<RegexId>* next_ = nullptr;
  ByteSet refused_;
  std::size_t work_ = 0;
};

void SortUnique(std::vector<RegexId>* ids) {
  std::ranges::sort(*ids);
  ids->erase(std::ranges::unique(*ids).begin(), ids->end());
}

// Explores what is behind plain text of 0, 1, 2, ... code points, and leaves out a kind of
// characters where some of it is refused.
class Exploration {
 public:
  Exploration(RegexSet& set, RegexId regex)
      : set_(set), step_(set), level_{regex}, seen_{regex}, may_go_on_(set.nullable(regex)) {}

  PlainRun Run() {
    for (std::size_t chars = 0; chars < VocabularySlices::kMaxChars; ++chars) {
      const Verdict verdict = StepAll();
      if (verdict != Verdict::kGoesOn) {
        const bool refuses_more = verdict == Verdict::kAllRefused && !may_go_on_;
        return {.without = without_, .num_chars = chars, .refuses_more = refuses_more};
      }
      if (!Advance()) break;
    }
    return {.without = without_, .num_chars = VocabularySlices::kMaxChars, .refuses_more = false};
  }

 private:
  enum class Verdict { kGoesOn, kSomeRefused, kAllRefused };
  // With fewer kinds a slice has hardly any tokens.
  static constexpr std::size_t kMinKinds = 32;
  // Beyond this a look at every token is cheaper.
  static constexpr std::size_t kMaxWork = 20'000;
  static constexpr std::size_t kMaxWorkWithout = 4'000;

  // One more code point behind all of level_, into next_.
  Verdict StepAll() {
    while (true) {
      next_.clear();
      const ByteSet kinds = VocabularySlices::PlainKinds() & ~without_;
      ByteSet refused;
      for (const RegexId id : level_) {
        if (step_.work() > (without_.empty() ? kMaxWork : kMaxWorkWithout)) {
          return Verdict::kSomeRefused;
        }
        refused |= step_.Run(id, kinds, &next_);
      }
      SortUnique(&next_);
      if (refused.empty()) return Verdict::kGoesOn;
      if ((kinds & ~refused).size() < kMinKinds) {
        return next_.empty() ? Verdict::kAllRefused : Verdict::kSomeRefused;
      }
      without_ |= refused;
    }
  }

  // Goes on to what is new in next_. Returns false if nothing is.
  bool Advance() {
    const auto num_known =
        std::erase_if(next_, [this](RegexId id) { return std::ranges::binary_search(seen_, id); });
    if (next_.empty()) return false;
    may_go_on_ = may_go_on_ || num_known > 0 ||
                 std::ranges::any_of(next_, [this](RegexId id) { return set_.nullable(id); });
    seen_.insert(seen_.end(), next_.begin(), next_.end());
    SortUnique(&seen_);
    level_.swap(next_);
    return true;
  }

  RegexSet& set_;
  PlainStep step_;
  ByteSet without_;
  std::vector<RegexId> level_, next_;
  std::vector<RegexId> seen_;  // sorted
  bool may_go_on_;             // behind plain text of the lengths seen so far
};

}  // namespace

PlainRun MeasurePlainRun(RegexSet& set, RegexId regex) {
  // Exceptions, such as the names that an object has already, have many derivatives.
  const RegexId simple = set.WithoutExceptions(regex);
  if (simple != regex) {
    const PlainRun run = Exploration(set, simple).Run();
    if (run.num_chars == VocabularySlices::kMaxChars) return run;
  }
  return Exploration(set, regex).Run();
}

}  // namespace espalier
