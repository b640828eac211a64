#include "runtime/cli/mask_walk.h"

#include <time.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "grammar/split_cache.h"
#include "runtime/cli/json_spelling.h"
#include "runtime/engine/forced_tokens.h"

namespace espalier {
namespace {

double CpuMicroseconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

std::string TextOf(const SchemaTest& test) {
  return Respell(test.instance, {.whitespace = JsonSpelling::Whitespace::kAfterSeparators});
}

// How many of `tokens` are forced where they stand; nothing if not all are accepted.
std::optional<std::int64_t> NumForced(std::span<const TokenId> tokens, const ForcedTokens& forced,
                                      GrammarMatcher matcher) {
  std::int64_t num_forced = 0;
  std::size_t forced_until = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i >= forced_until) {
      const std::vector<TokenId> next = forced.After(tokens.first(i), matcher);
      const auto rest = tokens.subspan(i);
      const auto same = std::mismatch(next.begin(), next.end(), rest.begin(), rest.end());
      forced_until = i + static_cast<std::size_t>(same.first - next.begin());
    }
    if (i < forced_until) ++num_forced;
    if (!matcher.Accept(tokens[i])) return std::nullopt;
  }
  return matcher.done() ? std::optional(num_forced) : std::nullopt;
}

}  // namespace

MaskWalk::MaskWalk(std::shared_ptr<const Tokenizer> tokenizer)
    : tokenizer_(std::move(tokenizer)),
      vocabulary_(tokenizer_->vocabulary()),
      speller_(std::make_unique<const Speller>(tokenizer_)),
      mask_(vocabulary_->size()) {}

Result<MaskWalk> MaskWalk::Make(std::shared_ptr<const Tokenizer> tokenizer) {
  MaskWalk walk(std::move(tokenizer));
  ConstraintSpec any;
  any.kind = ConstraintKind::kRegex;
  any.text = "(?s).*";
  ESP_ASSIGN_OR_RETURN(auto grammar, CompileGrammar(any, walk.vocabulary_));
  ESP_RETURN_IF_ERROR(GrammarMatcher(std::move(grammar)).FillMask(walk.mask_));
  return walk;
}

WalkReport MaskWalk::Run(const ConstraintSpec& spec, const SchemaCase& of) {
  WalkReport report;
  vocabulary_->splits().Clear();
  const double begin = CpuMicroseconds();
  auto grammar = CompileGrammar(spec, vocabulary_);
  report.compile_us = CpuMicroseconds() - begin;
  report.compiled = grammar.status();
  if (!grammar.ok()) return report;
  report.limit = GrammarMatcher(*grammar).FillMask(mask_);
  report.first_mask_us = CpuMicroseconds() - begin;
  for (const SchemaTest& test : of.tests) {
    report.verdicts.push_back(Walk(*grammar, TextOf(test), report));
  }
  return report;
}

ForcedShare MaskWalk::CountForced(const ConstraintSpec& spec, const SchemaCase& of) const {
  ForcedShare share;
  const auto grammar = CompileGrammar(spec, vocabulary_);
  if (!grammar.ok()) return share;
  const ForcedTokens forced(*speller_);
  for (const SchemaTest& test : of.tests) {
    if (!test.valid) continue;
    const std::vector<TokenId> tokens = tokenizer_->Encode(TextOf(test), SpecialTokens::kAsText);
    const std::optional<std::int64_t> num_forced =
        NumForced(tokens, forced, GrammarMatcher(*grammar));
    if (!num_forced) continue;
    share.num_tokens += std::ssize(tokens);
    share.num_forced += *num_forced;
  }
  return share;
}

Verdict MaskWalk::Walk(const std::shared_ptr<const CompiledGrammar>& grammar,
                       const std::string& text, WalkReport& report) {
  GrammarMatcher matcher(grammar);
  for (const TokenId token : tokenizer_->Encode(text, SpecialTokens::kAsText)) {
    const double begin = CpuMicroseconds();
    const Status filled = matcher.FillMask(mask_);
    const bool accepted = matcher.Accept(token);
    report.mask_us.push_back(CpuMicroseconds() - begin);
    if (!filled.ok()) {
      if (report.limit.ok()) report.limit = filled;
      return Verdict::kUndecided;
    }
    if (mask_.Allows(token) != accepted) ++report.num_mismatches;
    if (!accepted) return Verdict::kStopped;
  }
  return matcher.done() ? Verdict::kAccepted : Verdict::kStopped;
}

}  // namespace espalier
