#include "grammar/token_split.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "grammar/plain_run.h"
#include "grammar/token_trie.h"
#include "grammar/vocabulary_slices.h"

namespace espalier {

TokenSplit::TokenSplit(RegexSet& set, RegexId regex, const Vocabulary& vocabulary,
                       TokenLength length) {
  Part part;
  if (length == TokenLength::kLong) {
    trie_ = &vocabulary.slices().long_tokens();
    part.max_depth = trie_->max_depth();
  } else {
    part = TakeSlice(set, regex, vocabulary);
  }
  std::vector<Exit> exits = Walk(set, regex, vocabulary, part);
  if (words_.empty() && tokens_.size() > vocabulary.size() / 64) {
    words_.resize((vocabulary.size() + 31) / 32);
  }
  if (!words_.empty()) {
    for (TokenId token : tokens_) {
      words_[static_cast<std::size_t>(token) / 32] |= 1u << (token % 32);
    }
    tokens_ = {};
  }
  Pack(std::move(exits));
}

// Takes the plain tokens that need no look, and returns what does.
TokenSplit::Part TokenSplit::TakeSlice(RegexSet& set, RegexId regex, const Vocabulary& vocabulary) {
  Part part = {.max_depth = VocabularySlices::kMaxShortBytes, .kinds = {}};
  trie_ = &vocabulary.trie();
  const PlainRun run = MeasurePlainRun(set, regex);
  if (!run.is_whole()) return part;
  const VocabularySlices& slices = vocabulary.slices();
  const auto plain = slices.Plain(run.num_chars);
  words_.assign(plain.begin(), plain.end());
  if (run.without.empty()) {
    trie_ = &slices.rest();
  } else {
    slices.Remove(run.without, words_);
    part.kinds = run.without;
  }
  return part;
}

// Runs the regex over the trie. `ends` are the depths on the path to the node at hand
// behind which the regex may be complete.
std::vector<TokenSplit::Exit> TokenSplit::Walk(RegexSet& set, RegexId regex,
                                               const Vocabulary& vocabulary, const Part& part) {
  std::vector<Exit> exits;
  std::vector<RegexId> at(trie_->max_depth() + 1);
  std::vector<std::uint32_t> ends;
  at[0] = regex;
  const auto nodes = trie_->nodes();
  for (std::size_t i = 0; i < nodes.size();) {
    const TokenTrie::Node& node = nodes[i];
    const bool is_taken = part.kinds.has_value() && !vocabulary.slices().HasBelow(i, *part.kinds);
    if (is_taken || node.depth > part.max_depth) {
      i = node.subtree_end;
      continue;
    }
    while (!ends.empty() && ends.back() >= node.depth) ends.pop_back();
    const RegexId behind = set.Derive(at[node.depth - 1], node.byte);
    if (behind == RegexSet::kNothing) {
      Leave(i, ends, vocabulary, &exits);
      i = node.subtree_end;
      continue;
    }
    at[node.depth] = behind;
    if (set.nullable(behind)) ends.push_back(node.depth);
    const auto tokens = trie_->TokensAt(i);
    tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
    ++i;
  }
  return exits;
}

// The regex refuses `node`, but may have ended before it.
void TokenSplit::Leave(std::size_t node, std::span<const std::uint32_t> ends,
                       const Vocabulary& vocabulary, std::vector<Exit>* exits) {
  if (ends.empty()) return;
  const auto tokens = trie_->TokensBelow(node);
  for (const std::uint32_t end : ends) {
    if (tokens.size() >= kMinBranchTokens) {
      branches_.push_back({.node = static_cast<std::uint32_t>(node), .tail_start = end});
      continue;
    }
    for (TokenId token : tokens) exits->push_back({vocabulary.spelling(token).substr(end), token});
  }
}

void TokenSplit::Pack(std::vector<Exit> exits) {
  std::ranges::sort(exits, [](const Exit& a, const Exit& b) {
    return a.tail != b.tail ? a.tail < b.tail : a.token < b.token;
  });
  tail_tokens_.reserve(exits.size());
  for (const Exit& exit : exits) {
    if (tails_.empty() || tails_.back().bytes != exit.tail) {
      tails_.push_back({.bytes = exit.tail,
                        .first_token = static_cast<std::uint32_t>(tail_tokens_.size()),
                        .num_tokens = 0});
    }
    ++tails_.back().num_tokens;
    tail_tokens_.push_back(exit.token);
  }
}

std::size_t TokenSplit::size_bytes() const {
  return sizeof(*this) + words_.capacity() * sizeof(words_[0]) +
         tokens_.capacity() * sizeof(TokenId) + tails_.capacity() * sizeof(Tail) +
         tail_tokens_.capacity() * sizeof(TokenId) + branches_.capacity() * sizeof(Branch);
}

}  // namespace espalier
