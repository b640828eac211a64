// FormatReader: a tree of formats, from JSON to rules.
//
// A format is read together with the literals that follow it, if they are known: the
// `end` of a tag is what ends the free text before it. What is read holds these literals
// (grammar/ebnf/token_text.h): texts, or special tokens.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/ebnf/free_text.h"
#include "grammar/ebnf/rule_set.h"
#include "grammar/ebnf/token_text.h"
#include "grammar/fuel.h"
#include "grammar/network.h"
#include "grammar/regex/text_regex.h"
#include "grammar/schema/json.h"
#include "grammar/tags/json_fields.h"
#include "grammar/tags/structural_tags.h"
#include "kernels/base/status.h"

namespace espalier {

class FormatReader {
 public:
  FormatReader(const GrammarSources& sources, RegexSet& set, Fuel& fuel)
      : sources_(sources),
        set_(set),
        fuel_(fuel),
        text_(set, Spelling::kUtf8),
        token_text_(text_, sources.vocabulary) {}
  FormatReader(const FormatReader&) = delete;
  FormatReader& operator=(const FormatReader&) = delete;

  Result<ExprId> Read(const Json& format, const std::string& pointer) {
    return Read(format, pointer, {});
  }
  // {"structures": [...], "triggers": [...]}
  Result<ExprId> ReadStructures(const JsonFields& fields);

  RuleSet& rules() { return rules_; }
  // The networks that the rules call.
  std::vector<std::unique_ptr<Network>>& sections() { return sections_; }

 private:
  using Ends = std::vector<std::string>;  // the alternatives; none: nothing literal follows

  // What stands behind a trigger, once for each way to go on.
  struct Trigger {
    std::string text;
    std::vector<ExprId> rests;
  };
  struct Dispatch {
    Filling filling = Filling::kText;
    std::vector<Trigger> triggers;
    Ends excludes;
    bool at_least_one = false;
    bool leading_text = true;  // before the first section
    bool stop_after_first = false;
  };

  Result<ExprId> Read(const Json& format, const std::string& pointer, const Ends& ends);
  Result<ExprId> ReadNested(const JsonFields& fields, std::string_view name, const Ends& ends);

  Result<ExprId> ReadConstString(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadSchema(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadRegex(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadGrammar(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadAnyText(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadSequence(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadOr(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadOptional(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadStar(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadPlus(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadRepeat(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadTag(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadTriggeredTags(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadTagsWithSeparator(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadDispatch(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadToken(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadAnyTokens(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadTokenTriggeredTags(const JsonFields& fields, const Ends& ends);
  Result<ExprId> ReadTokenDispatch(const JsonFields& fields, const Ends& ends);

  Result<ExprId> AddSchema(const Json& schema, PropertyOrder order, const std::string& pointer);
  Result<ExprId> ReadInside(const JsonFields& fields, const Ends& ends);
  Result<std::string> ReadLiteral(const JsonFields& fields, std::string_view name);
  Result<Ends> ReadEnds(const JsonFields& fields);
  std::optional<TokenId> FindToken(const Json& token) const;
  Result<std::string> TokenLiteral(const Json& token, const std::string& pointer);
  Result<Ends> Tokens(const JsonFields& fields, std::string_view name);
  Result<std::uint32_t> ReadCount(const JsonFields& fields, std::string_view name);
  Status SetTriggers(const JsonFields& fields, std::string_view name, const Ends& triggers,
                     Dispatch& dispatch);
  Result<ExprId> ReadTags(const JsonFields& fields, Dispatch dispatch, const Ends& ends);
  Result<ExprId> ReadRules(const JsonFields& fields, Dispatch dispatch, const Ends& ends);
  Status AddTag(const JsonFields& tag, std::string_view begin, ExprId inside, Dispatch& dispatch);

  RuleId NewRule();
  ExprId Literal(std::string_view literal) {
    return rules_.Regex(token_text_.Literal(literal), literal.size());
  }
  ExprId Before(ExprId expr, const Ends& ends);  // with one of `ends` behind it
  ExprId Free(Filling filling, const FreeText::Literals& literals, const Ends& ends);
  ExprId Dispatched(Dispatch dispatch, const Ends& ends);

  const GrammarSources& sources_;
  RegexSet& set_;
  Fuel& fuel_;
  TextRegex text_;
  TokenText token_text_;
  RuleSet rules_;
  std::vector<std::unique_ptr<Network>> sections_;
};

}  // namespace espalier
