#include "grammar/ebnf/token_text.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "grammar/schema/json.h"
#include "grammar/token_trie.h"
#include "kernels/base/utf8.h"

namespace espalier {

RegexId TokenText::Literal(std::string_view literal) {
  const NamedTokens& special = vocabulary_.special();
  std::vector<RegexId> parts;
  std::size_t start = 0;  // of the text that no part holds yet
  for (std::size_t at = 0; at < literal.size();) {
    const std::string_view name = special.LongestNameAt(literal.substr(at));
    if (name.empty()) {
      ++at;
      continue;
    }
    RegexSet& set = text_.set();
    parts.push_back(set.Literal(literal.substr(start, at - start)));
    parts.push_back(set.Or(set.Literal(name), set.Literal(special.CodeOf(name))));
    at += name.size();
    start = at;
  }
  parts.push_back(text_.set().Literal(literal.substr(start)));
  return text_.set().Concat(parts);
}

RegexId TokenText::Literals(const std::vector<std::string>& literals) {
  RegexSet& set = text_.set();
  std::vector<RegexId> regexes;
  std::vector<std::string> plain;  // without names: they share a trie
  for (const std::string& literal : literals) {
    const RegexId regex = Literal(literal);
    if (regex == set.Literal(literal)) {
      plain.push_back(literal);
    } else {
      regexes.push_back(regex);
    }
  }
  regexes.push_back(set.Literals(std::move(plain)));
  return set.Or(regexes);
}

RegexId TokenText::One(Filling filling) {
  const RegexId any_char = text_.AnyChar();
  if (filling == Filling::kText) return any_char;
  std::vector<std::string> codes;
  const NamedTokens& special = vocabulary_.special();
  for (std::size_t i = 0; i < special.tokens().size(); ++i) codes.emplace_back(special.code(i));
  return text_.set().Or(any_char, text_.set().Literals(std::move(codes)));
}

RegexId TokenText::Many(Filling filling) {
  return filling == Filling::kText ? text_.AnyText() : text_.set().Star(One(filling));
}

std::optional<TokenId> TokenText::Find(std::string_view name) const {
  if (const std::string_view code = vocabulary_.special().CodeOf(name); !code.empty()) {
    return vocabulary_.special().FirstIn(code)->token;
  }
  const TokenTrie& trie = vocabulary_.trie();
  const std::optional<std::size_t> node = trie.Find(name);
  if (!node || trie.TokensAt(*node).empty()) return std::nullopt;
  return trie.TokensAt(*node).front();
}

std::optional<std::string> TokenText::LiteralOf(TokenId token) const {
  if (vocabulary_.is_end_token(token)) return std::nullopt;
  const std::string_view spelling = vocabulary_.spelling(token);
  const bool is_special = vocabulary_.special().FirstIn(spelling) != nullptr;
  if (spelling.empty() || (!is_special && ValidUtf8Prefix(spelling) < spelling.size())) {
    return std::nullopt;
  }
  return std::string(spelling);
}

std::string TokenText::Shown(std::string_view literal) const {
  const NamedToken* named = vocabulary_.special().FirstIn(literal);
  return QuotedText(named == nullptr ? literal : std::string_view(named->name));
}

}  // namespace espalier
