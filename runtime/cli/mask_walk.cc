#include "runtime/cli/mask_walk.h"

#include <time.h>

#include <utility>

#include "grammar/split_cache.h"
#include "runtime/cli/json_spelling.h"

namespace espalier {
namespace {

double CpuMicroseconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

}  // namespace

MaskWalk::MaskWalk(std::shared_ptr<const Tokenizer> tokenizer)
    : tokenizer_(std::move(tokenizer)),
      vocabulary_(tokenizer_->vocabulary()),
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
    const std::string text =
        Respell(test.instance, {.whitespace = JsonSpelling::Whitespace::kAfterSeparators});
    report.verdicts.push_back(Walk(*grammar, text, report));
  }
  return report;
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
