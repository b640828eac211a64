#include "grammar/compiled_grammar.h"

#include <algorithm>
#include <span>
#include <utility>

#include "grammar/token_trie.h"
#include "kernels/base/check.h"

namespace espalier {

CompiledGrammar::CompiledGrammar(ByteTrie language, std::shared_ptr<const Vocabulary> vocabulary)
    : language_(std::move(language)),
      vocabulary_(std::move(vocabulary)),
      bytes_on_(language_.num_nodes(), kNever),
      reached_(language_.num_nodes(), 1) {
  if (HasAllBytes()) {
    for (std::size_t i = language_.num_nodes(); i-- > 0;) {
      const auto at = static_cast<Place>(i);
      for (std::size_t c = 0; c < language_.num_children(at); ++c) {
        const auto child = static_cast<Place>(language_.first_child(at) + c);
        const std::uint32_t on = language_.is_end(child) ? 0 : bytes_on_[child];
        bytes_on_[i] = std::min(bytes_on_[i], on + 1);
      }
    }
  } else {
    FindBytesOn();
    MarkReached();
  }
}

// Where every byte of the language is a token by itself, as in any byte-level or
// byte-fallback vocabulary, nothing is out of reach.
bool CompiledGrammar::HasAllBytes() const {
  for (std::size_t i = 1; i < language_.num_nodes(); ++i) {
    if (!vocabulary_->trie().has_byte(language_.byte(static_cast<Place>(i)))) return false;
  }
  return true;
}

template <typename Visit>
void CompiledGrammar::WalkTokens(Place from, Scratch* scratch, const Visit& visit) const {
  vocabulary_->trie().Walk(
      from, scratch,
      [this](Place place, std::uint8_t byte, Place* next) {
        return language_.Step(place, byte, next);
      },
      visit);
}

std::vector<std::uint32_t> CompiledGrammar::Depths() const {
  std::vector<std::uint32_t> depths(language_.num_nodes(), 0);
  for (std::size_t i = 0; i < language_.num_nodes(); ++i) {
    const auto at = static_cast<Place>(i);
    for (std::size_t c = 0; c < language_.num_children(at); ++c) {
      depths[language_.first_child(at) + c] = depths[i] + 1;
    }
  }
  return depths;
}

// Children come after their parents, so one pass from the end sees every place that a
// token leads to before the place where it starts.
void CompiledGrammar::FindBytesOn() {
  Scratch scratch;
  const std::vector<std::uint32_t> depths = Depths();
  for (std::size_t i = language_.num_nodes(); i-- > 0;) {
    if (language_.num_children(static_cast<Place>(i)) == 0) continue;
    WalkTokens(static_cast<Place>(i), &scratch, [&](std::span<const TokenId>, Place to) {
      if (!live(to)) return true;
      const std::uint32_t on = language_.is_end(to) ? 0 : bytes_on_[to];
      bytes_on_[i] = std::min(bytes_on_[i], depths[to] - depths[i] + on);
      return true;
    });
  }
}

void CompiledGrammar::MarkReached() {
  Scratch scratch;
  std::fill(reached_.begin() + 1, reached_.end(), 0);
  for (std::size_t i = 0; i < language_.num_nodes(); ++i) {
    if (reached_[i] == 0) continue;
    WalkTokens(static_cast<Place>(i), &scratch, [&](std::span<const TokenId>, Place to) {
      reached_[to] = 1;
      return true;
    });
  }
}

bool CompiledGrammar::CanSpell(std::string_view text) const {
  Place at = kStart;
  for (char byte : text) {
    if (!language_.Step(at, static_cast<std::uint8_t>(byte), &at)) return false;
  }
  return language_.is_end(at) && reached_[at] != 0;
}

bool CompiledGrammar::Step(Place place, TokenId token, Place* next) const {
  if (token < 0 || static_cast<std::size_t>(token) >= vocabulary_->size()) return false;
  if (vocabulary_->is_end_token(token)) {
    *next = kEnded;
    return may_end(place);
  }
  const std::string_view bytes = vocabulary_->bytes(token);
  if (place == kEnded || bytes.empty()) return false;
  Place at = place;
  for (char byte : bytes) {
    if (!language_.Step(at, static_cast<std::uint8_t>(byte), &at)) return false;
  }
  *next = at;
  return live(at);
}

void CompiledGrammar::FillMask(Place place, Scratch* scratch, TokenMask* mask) const {
  if (may_end(place)) {
    for (TokenId token : vocabulary_->end_tokens()) mask->Allow(token);
  }
  if (place == kEnded) return;
  WalkTokens(place, scratch, [&](std::span<const TokenId> tokens, Place to) {
    if (!live(to)) return true;
    for (TokenId token : tokens) mask->Allow(token);
    return true;
  });
}

std::string CompiledGrammar::ForcedBytes(Place place) const {
  std::string bytes;
  while (!may_end(place) && language_.num_children(place) == 1) {
    place = language_.first_child(place);
    bytes.push_back(static_cast<char>(language_.byte(place)));
  }
  return bytes;
}

}  // namespace espalier
