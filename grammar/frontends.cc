#include "grammar/frontends.h"

#include <string>
#include <string_view>
#include <utility>

#include "grammar/matcher.h"
#include "kernels/base/check.h"

namespace espalier {
namespace {

struct Row {
  ConstraintKind kind;
  std::string_view name;
  FrontEnd compile;  // nullptr: this build has none, and refuses the kind
};

constexpr Row kFrontEnds[] = {
    {ConstraintKind::kChoice, "choice", CompileChoice},
    {ConstraintKind::kRegex, "regex", nullptr},
    {ConstraintKind::kJsonSchema, "json_schema", nullptr},
    {ConstraintKind::kEbnf, "ebnf", nullptr},
};

Status CheckVocabulary(const Vocabulary& vocabulary) {
  for (TokenId token : vocabulary.end_tokens()) {
    if (token < 0 || static_cast<std::size_t>(token) >= vocabulary.size()) {
      return Status(Code::kInvalidArgument, "end token " + std::to_string(token) +
                                                " is outside the vocabulary of " +
                                                std::to_string(vocabulary.size()) + " tokens");
    }
  }
  return Status();
}

}  // namespace

Result<std::shared_ptr<const CompiledGrammar>> CompileGrammar(
    const ConstraintSpec& spec, std::shared_ptr<const Vocabulary> vocabulary) {
  ESP_RETURN_IF_ERROR(CheckVocabulary(*vocabulary));
  for (const Row& row : kFrontEnds) {
    if (row.kind != spec.kind) continue;
    if (row.compile != nullptr) return row.compile(spec, std::move(vocabulary), GrammarLimits());
    return Status(Code::kUnsupported,
                  std::string(row.name) + " constraints are not supported by this build");
  }
  ESP_CHECK(false) << "a constraint of kind kNone";
  return Status(Code::kInternal, "a constraint of no kind");
}

}  // namespace espalier
