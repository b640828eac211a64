#include "grammar/ebnf/token_reference.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/ascii.h"
#include "grammar/ebnf/free_text.h"
#include "grammar/ebnf/notation.h"

namespace espalier {
namespace {

constexpr std::uint32_t kMaxTokens = 1024;  // that one reference names

struct Named {
  std::vector<std::string> literals;
  bool others = false;  // all but these
};

Status NoSuchToken(const SourceCursor& cursor, std::size_t begin) {
  return cursor.ErrorAt(begin,
                        "this is no token of this vocabulary that may stand in an output; one that "
                        "ends outputs is left out, since an output may end where the grammar does");
}

// <name>, without the !
Result<std::string> TakeNamed(SourceCursor& cursor, const TokenText& tokens) {
  const std::size_t begin = cursor.at();
  cursor.TakeWhile([](char c) { return c != '>' && c != '\n' && c != '\r'; });
  if (!cursor.Take(">")) return cursor.ErrorAt(begin, "this token is not closed; end it with >");
  const std::optional<TokenId> token = tokens.Find(cursor.Since(begin));
  std::optional<std::string> literal = token ? tokens.LiteralOf(*token) : std::nullopt;
  if (!literal) return NoSuchToken(cursor, begin);
  return *std::move(literal);
}

// n or n-m. Of a range, the tokens that no output may hold are left out.
Status TakeIds(SourceCursor& cursor, const TokenText& tokens, std::vector<std::string>& literals) {
  const std::size_t begin = cursor.at();
  ESP_ASSIGN_OR_RETURN(const std::uint32_t first, TakeCount(cursor));
  std::uint32_t last = first;
  if (cursor.Take("-")) {
    ESP_ASSIGN_OR_RETURN(last, TakeCount(cursor));
  }
  if (last < first) return cursor.ErrorAt(begin, "this range ends before it begins");
  if (last - first >= kMaxTokens) {
    return cursor.ErrorAt(
        begin, "a reference is to " + std::to_string(kMaxTokens) + " tokens at most", Code::kLimit);
  }
  if (last >= tokens.vocabulary().size()) return NoSuchToken(cursor, begin);
  for (std::uint32_t id = first; id <= last; ++id) {
    std::optional<std::string> literal = tokens.LiteralOf(static_cast<TokenId>(id));
    if (literal) literals.push_back(*std::move(literal));
    if (!literal && first == last) return NoSuchToken(cursor, begin);
  }
  return Status();
}

// Behind "<[".
Result<Named> TakeIdList(SourceCursor& cursor, const TokenText& tokens) {
  const std::size_t begin = cursor.at();
  Named named;
  if (cursor.Take("*")) {
    named.others = true;
  } else {
    named.others = cursor.Take("^");
    do {
      cursor.TakeWhile([](char c) { return c == ' '; });
      ESP_RETURN_IF_ERROR(TakeIds(cursor, tokens, named.literals));
      if (named.literals.size() > kMaxTokens) {
        return cursor.ErrorAt(begin,
                              "a reference is to " + std::to_string(kMaxTokens) + " tokens at most",
                              Code::kLimit);
      }
    } while (cursor.Take(","));
  }
  if (!cursor.Take("]>")) return cursor.Error("tokens are written <[1000]>; ]> is missing here");
  if (!named.others && named.literals.empty()) return NoSuchToken(cursor, begin);
  return named;
}

// Runs of text and tokens in which none of the named ones is.
Result<RegexId> TakeOthers(SourceCursor& cursor, std::size_t begin, Named named,
                           TokenText& tokens) {
  RegexSet& set = tokens.text().set();
  const RegexId run = FreeText(tokens, Filling::kTokens, {{}, std::move(named.literals)}).Open();
  cursor.TakeWhile([](char c) { return c == ' ' || c == '\t'; });
  if (cursor.Take("*")) return run;
  if (cursor.Take("+")) return set.And(run, set.Not(RegexSet::kEmpty));
  return cursor.ErrorAt(begin,
                        "counts of other tokens are not supported, since a token may be any text: "
                        "write * or + behind this",
                        Code::kUnsupported);
}

}  // namespace

bool AtTokenReference(const SourceCursor& cursor) {
  return cursor.Peek() == '<' || cursor.StartsWith("!<");
}

Result<RegexId> TakeTokenReference(SourceCursor& cursor, TokenText& tokens) {
  const std::size_t begin = cursor.at();
  const bool negated = cursor.Take("!");
  Named named;
  if (cursor.Take("<[")) {
    ESP_ASSIGN_OR_RETURN(named, TakeIdList(cursor, tokens));
  } else {
    ESP_ASSIGN_OR_RETURN(named.literals.emplace_back(), TakeNamed(cursor, tokens));
  }
  if (negated && named.others) {
    return cursor.ErrorAt(begin, "this is negated twice; write the tokens that are meant");
  }
  if (negated || named.others) return TakeOthers(cursor, begin, std::move(named), tokens);
  const RegexId any = tokens.text().set().Literals(std::move(named.literals));
  if (any == RegexSet::kNothing) {
    return cursor.ErrorAt(begin, "the grammar names more tokens than its limits allow",
                          Code::kLimit);
  }
  return any;
}

}  // namespace espalier
