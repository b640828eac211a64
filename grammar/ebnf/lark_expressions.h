// LarkExpressions: what stands behind the colon of a Lark definition.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/ebnf/ebnf.h"
#include "grammar/ebnf/lark_cursor.h"
#include "grammar/ebnf/rule_set.h"
#include "grammar/ebnf/token_text.h"
#include "kernels/base/status.h"

namespace espalier {

bool IsLarkTerminal(std::string_view name);  // by its case

class LarkExpressions {
 public:
  // Tokens of a rule may have ignored text behind them; those of a terminal may not.
  enum class Level : std::uint8_t { kRule, kTerminal };

  // All must outlive the object. `ignored` is the rule of what stands between tokens.
  LarkExpressions(LarkCursor& cursor, TokenText& tokens, const SchemaSection& schema_section,
                  RuleSet& rules, RuleId ignored)
      : cursor_(cursor),
        tokens_(tokens),
        regexes_(tokens.text()),
        schema_section_(schema_section),
        rules_(rules),
        ignored_(ignored) {}

  Result<ExprId> ParseChoice(Level level);
  Result<ExprId> ParseLiteral();  // REQUIRES: a quote is next

  ExprId Token(ExprId token, Level level);
  Status Refuse(std::size_t begin, std::string_view what) const;
  std::vector<std::unique_ptr<Network>> TakeNetworks() { return std::move(networks_); }

 private:
  Result<ExprId> ParseConjunction(Level level);
  Result<ExprId> ParseSequence(Level level);
  Result<ExprId> ParseAtom(Level level);
  Result<ExprId> ParseComplement(Level level);
  Result<ExprId> ParseGroup(Level level, std::string_view close);
  Result<ExprId> ParseName(Level level);
  Result<ExprId> ParseTokens(Level level);
  Result<ExprId> ParseInline(Level level);
  Result<ExprId> ParseRange(std::string_view first, std::size_t begin);
  Result<ExprId> ParsePattern();
  Result<ExprId> ParseRepeat(ExprId atom, std::size_t begin);
  Result<ExprId> ParseTilde(ExprId atom, std::size_t begin);
  std::string_view TakeObject();
  bool AtTildeCount() const;

  LarkCursor& cursor_;
  TokenText& tokens_;
  TextRegex& regexes_;
  const SchemaSection& schema_section_;
  RuleSet& rules_;
  const RuleId ignored_;
  std::vector<std::unique_ptr<Network>> networks_;
  int depth_ = 0;
};

}  // namespace espalier
