#include "runtime/tokenizer/added_tokens.h"

#include <algorithm>

#include <fmt/format.h>
#include "kernels/base/utf8.h"
#include "runtime/tokenizer/char_class.h"

namespace espalier {
namespace {

constexpr std::size_t kMaxTokenBytes = 1024;
constexpr std::size_t kMaxTotalBytes = std::size_t{4} << 20;

// Where the character before `pos` starts. REQUIRES: 0 < pos <= text.size()
std::size_t PreviousStart(std::string_view text, std::size_t pos) {
  for (std::size_t size = 2; size <= 4 && size <= pos; ++size) {
    const Utf8Char read = ReadUtf8(text.substr(0, pos), pos - size);
    if (read.kind == Utf8Kind::kValid && read.size == size) return pos - size;
  }
  return pos - 1;
}

// The start of the white space that ends at `end`, not before `from`.
std::size_t SpaceStart(std::string_view text, std::size_t from, std::size_t end) {
  while (end > from) {
    const std::size_t start = PreviousStart(text, end);
    if ((ClassifyAt(text, start).char_class & kSpace) == 0) break;
    end = start;
  }
  return end;
}

bool TouchesWord(std::string_view text, std::size_t start, std::size_t end) {
  const bool before = start > 0 && IsWordChar(ReadUtf8(text, PreviousStart(text, start)).code);
  const bool after = end < text.size() && IsWordChar(ReadUtf8(text, end).code);
  return before || after;
}

}  // namespace

Result<AddedTokenFinder> AddedTokenFinder::Create(std::vector<AddedToken> tokens) {
  std::erase_if(tokens, [](const AddedToken& token) { return token.text.empty(); });
  std::size_t num_bytes = 0;
  for (const AddedToken& token : tokens) {
    num_bytes += token.text.size();
    if (token.text.size() > kMaxTokenBytes || num_bytes > kMaxTotalBytes) {
      return Status(Code::kLimit,
                    fmt::format("tokenizer: added token {} is too long ({} bytes; limits: {} each, "
                                "{} together)",
                                token.token, token.text.size(), kMaxTokenBytes, kMaxTotalBytes));
    }
  }
  AddedTokenFinder finder(num_bytes);
  finder.tokens_ = std::move(tokens);
  finder.token_of_.push_back(-1);
  for (std::size_t i = 0; i < finder.tokens_.size(); ++i) finder.Insert(i);
  return finder;
}

void AddedTokenFinder::Insert(std::size_t index) {
  const std::string& text = tokens_[index].text;
  std::int32_t node = 0;
  for (const char c : text) {
    std::int32_t& child = children_(node, static_cast<std::uint8_t>(c));
    if (child == 0) {
      child = static_cast<std::int32_t>(token_of_.size());
      token_of_.push_back(-1);
    }
    node = child;
  }
  token_of_[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(index);
  can_start_[static_cast<std::uint8_t>(text.front())] = true;
}

const AddedToken* AddedTokenFinder::LongestAt(std::string_view text, std::size_t start,
                                              SpecialTokens special) const {
  const AddedToken* longest = nullptr;
  std::int32_t node = 0;
  for (std::size_t pos = start; pos < text.size(); ++pos) {
    const std::int32_t* child = children_.Find(node, static_cast<std::uint8_t>(text[pos]));
    if (child == nullptr) break;
    node = *child;
    const std::int32_t index = token_of_[static_cast<std::size_t>(node)];
    if (index < 0) continue;
    const AddedToken& token = tokens_[static_cast<std::size_t>(index)];
    if (special == SpecialTokens::kParse || !token.special) longest = &token;
  }
  return longest;
}

std::optional<AddedTokenFinder::Match> AddedTokenFinder::Find(std::string_view text,
                                                              std::size_t from,
                                                              SpecialTokens special) const {
  if (tokens_.empty()) return std::nullopt;
  std::size_t start = from;
  while (start < text.size()) {
    const AddedToken* token = nullptr;
    if (can_start_[static_cast<std::uint8_t>(text[start])]) token = LongestAt(text, start, special);
    if (token == nullptr) {
      ++start;
      continue;
    }
    const std::size_t end = start + token->text.size();
    if (token->single_word && TouchesWord(text, start, end)) {
      start = end;
      continue;
    }
    return Match{.start = token->strip_left ? SpaceStart(text, from, start) : start,
                 .end = token->strip_right ? SkipWhile(kSpace, text, end) : end,
                 .token = token->token};
  }
  return std::nullopt;
}

}  // namespace espalier
