#include "grammar/regex/text_regex.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "kernels/base/utf8.h"

namespace espalier {
namespace {

// A place of the trie whose texts are not all seen yet.
struct OpenNode {
  bool text_ends = false;
  std::vector<CharBranch> branches;
};

RegexId Close(const OpenNode& node, TextRegex& text) {
  if (node.branches.empty()) return RegexSet::kEmpty;
  RegexSet& set = text.set();
  const RegexId first_rest = node.branches.front().rest;
  const bool one_rest = std::all_of(node.branches.begin(), node.branches.end(),
                                    [&](const CharBranch& b) { return b.rest == first_rest; });
  RegexId regex;
  if (one_rest) {
    // The spelling of a set stays one term, shared with all other places that use it.
    std::vector<CodePointSet::Range> ranges;
    for (const CharBranch& branch : node.branches) ranges.push_back({branch.first, branch.last});
    regex = set.Concat(text.Char(CodePointSet::FromRanges(std::move(ranges))), first_rest);
  } else {
    regex = SpellBranches(node.branches, text.spelling(), set);
  }
  return node.text_ends ? set.Optional(regex) : regex;
}

std::size_t CommonPrefix(const std::u32string& a, const std::u32string& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}

}  // namespace

RegexId TextRegex::Char(const CodePointSet& chars) {
  const std::vector<CodePointSet::Range> key(chars.ranges().begin(), chars.ranges().end());
  if (const auto known = chars_.find(key); known != chars_.end()) return known->second;
  std::vector<CharBranch> branches;
  for (const CodePointSet::Range& range : key) {
    branches.push_back({range.first, range.last, RegexSet::kEmpty});
  }
  const RegexId regex = SpellBranches(branches, spelling_, set_);
  // Nothing may mean that the fuel has run out, which is not for ever.
  if (regex != RegexSet::kNothing) chars_.emplace(key, regex);
  return regex;
}

RegexId TextRegex::AnyChar() {
  if (any_char_ == RegexSet::kNothing) any_char_ = Char(CodePointSet::All());
  return any_char_;
}

RegexId TextRegex::AnyText() {
  if (any_text_ == RegexSet::kNothing && AnyChar() != RegexSet::kNothing) {
    any_text_ = set_.Star(AnyChar());
  }
  return any_text_;
}

RegexId TextRegex::Length(std::uint32_t min, std::uint32_t max) {
  return set_.Repeat(AnyChar(), min, max);
}

RegexId TextRegex::Literal(std::string_view utf8) {
  if (spelling_ == Spelling::kUtf8) return set_.Literal(utf8);
  std::vector<RegexId> parts;
  for (const char32_t c : DecodeUtf8(utf8)) parts.push_back(Char(CodePointSet::Of(c)));
  return set_.Concat(parts);
}

RegexId TextRegex::Literals(const std::vector<std::string>& utf8) {
  if (spelling_ == Spelling::kUtf8) return set_.Literals(utf8);
  std::vector<std::u32string> texts;
  for (const std::string& text : utf8) texts.push_back(DecodeUtf8(text));
  return LiteralTrie(std::move(texts));
}

// Sorted texts visit the trie depth first, so a node is complete when the next text leaves
// it; complete nodes become regexes and only the open path is kept.
RegexId TextRegex::LiteralTrie(std::vector<std::u32string> texts) {
  if (texts.empty()) return RegexSet::kNothing;
  std::sort(texts.begin(), texts.end());
  std::vector<OpenNode> path(1);
  const std::u32string* open = nullptr;  // the text that `path` follows
  const auto close_to = [&](std::size_t depth) {
    while (path.size() > depth + 1) {
      const RegexId rest = Close(path.back(), *this);
      path.pop_back();
      const char32_t c = (*open)[path.size() - 1];
      path.back().branches.push_back({c, c, rest});
    }
  };
  for (const std::u32string& text : texts) {
    if (open != nullptr) close_to(CommonPrefix(*open, text));
    path.resize(text.size() + 1);
    path.back().text_ends = true;
    open = &text;
  }
  close_to(0);
  return Close(path.front(), *this);
}

RegexId TextRegex::Not(RegexId regex) { return set_.And(AnyText(), set_.Not(regex)); }

RegexId TextRegex::Derive(RegexId regex, char32_t code_point) {
  for (const char byte : SpellShortest(code_point, spelling_)) {
    regex = set_.Derive(regex, static_cast<std::uint8_t>(byte));
  }
  return regex;
}

}  // namespace espalier
