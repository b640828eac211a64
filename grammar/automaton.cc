#include "grammar/automaton.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "grammar/token_trie.h"

namespace espalier {
namespace {

// Clamping counts to what tokens can tell apart keeps their regexes few.
std::uint32_t MaxBytes(const Vocabulary& vocabulary, TokenLength length) {
  return static_cast<std::uint32_t>(length == TokenLength::kShort ? VocabularySlices::kMaxShortBytes
                                                                  : vocabulary.trie().max_depth());
}

}  // namespace

Automaton::Automaton(std::shared_ptr<const Vocabulary> vocabulary, const GrammarLimits& limits,
                     Splits splits)
    : vocabulary_(std::move(vocabulary)),
      limits_(limits),
      use_(splits),
      fuel_(limits.compile_steps),
      regexes_(fuel_) {}

Result<std::shared_ptr<Automaton>> Automaton::Make(const NetworkMaker& make,
                                                   std::shared_ptr<const Vocabulary> vocabulary,
                                                   const GrammarLimits& limits, Splits splits,
                                                   const std::atomic<bool>* stop) {
  std::shared_ptr<Automaton> made(new Automaton(std::move(vocabulary), limits, splits));
  const MutexLock lock(made->mutex_);
  made->fuel_.StopOn(stop);
  const Status compiled = made->Compile(make);
  if (made->fuel_.stopped()) return Status(Code::kCancelled, "the compile was stopped");
  ESP_RETURN_IF_ERROR(compiled);
  made->fuel_.StopOn(nullptr);
  made->fuel_.Refill(0);
  return made;
}

void Automaton::Refuel(std::uint64_t steps) {
  num_steps_ += refueled_ - fuel_.left();
  refueled_ = steps;
  fuel_.Refill(steps);
}

Status Automaton::Compile(const NetworkMaker& make) {
  ESP_ASSIGN_OR_RETURN(network_, make(regexes_, fuel_));
  places_ = std::make_unique<PlaceSet>(*network_, regexes_, fuel_);
  if (fuel_.exhausted()) {
    return Status(Code::kLimit, "the constraint is too complex: it takes more than " +
                                    std::to_string(limits_.compile_steps) + " steps to compile");
  }
  start_ = places_->start();
  if (start_ == PlaceSet::kDead) {
    return Status(Code::kInvalidArgument, "no text satisfies the constraint");
  }
  return Status();
}

PlaceId Automaton::Walk(PlaceId place, std::string_view bytes) {
  for (const char byte : bytes) {
    place = places_->Step(place, static_cast<std::uint8_t>(byte));
    if (place == PlaceSet::kDead) break;
  }
  return place;
}

PlaceId Automaton::Step(PlaceId place, TokenId token) {
  if (token < 0 || static_cast<std::size_t>(token) >= vocabulary_->size()) return PlaceSet::kDead;
  const MutexLock lock(mutex_);
  if (vocabulary_->is_end_token(token)) {
    return place == kEnded || places_->can_end(place) ? kEnded : PlaceSet::kDead;
  }
  const std::string_view bytes = vocabulary_->spelling(token);
  if (place == kEnded || bytes.empty()) return PlaceSet::kDead;
  Refuel(limits_.mask_steps);
  return Walk(place, bytes);
}

Status Automaton::FillMask(PlaceId place, std::uint64_t max_steps, TokenMask* mask) {
  const MutexLock lock(mutex_);
  const bool ended = place == kEnded;
  if (!ended) {
    Refuel(max_steps);
    const PlaceMask& known = MaskOf(place);
    if (fuel_.exhausted()) {
      masks_.erase(place);
      return Status(Code::kLimit, "a mask of the constraint takes more than " +
                                      std::to_string(max_steps) + " steps");
    }
    for (const auto& split : known.splits) mask->Allow(split->words());
    for (const TokenId token : known.tokens) mask->Allow(token);
  }
  if (ended || places_->can_end(place)) {
    for (const TokenId token : vocabulary_->end_tokens()) mask->Allow(token);
  }
  return Status();
}

const Automaton::PlaceMask& Automaton::MaskOf(PlaceId place) {
  const auto [entry, is_new] = masks_.try_emplace(place);
  PlaceMask& mask = entry->second;
  if (!is_new) return mask;
  const auto items = places_->items(place);
  for (const PlaceSet::Item& item : std::vector(items.begin(), items.end())) {
    for (const TokenLength length : {TokenLength::kShort, TokenLength::kLong}) {
      std::shared_ptr<const TokenSplit> split = SplitOf(item.regex, length);
      AddTails(place, item, *split, &mask.tokens);
      const auto inside = split->inside();
      mask.tokens.insert(mask.tokens.end(), inside.begin(), inside.end());
      if (split->is_dense()) mask.splits.push_back(std::move(split));
    }
  }
  mask.tokens.shrink_to_fit();
  mask_bytes_ += 64 + mask.tokens.size() * sizeof(TokenId) + mask.splits.size() * 16;
  return mask;
}

std::shared_ptr<const TokenSplit> Automaton::SplitOf(RegexId regex, TokenLength length) {
  auto& splits = splits_[static_cast<std::size_t>(length)];
  const RegexId clamped = regexes_.Clamp(regex, MaxBytes(*vocabulary_, length));
  if (const auto known = splits.find(clamped); known != splits.end()) return known->second;
  std::shared_ptr<const TokenSplit> split = MakeSplit(clamped, length);
  if (fuel_.exhausted()) return split;
  splits.emplace(clamped, split);
  mask_bytes_ += split->size_bytes();
  return split;
}

// One that is shared is charged what it took where it was made.
std::shared_ptr<const TokenSplit> Automaton::MakeSplit(RegexId clamped, TokenLength length) {
  const SplitCache::Key key = {regexes_.hash(clamped), length};
  if (use_ == Splits::kShared) {
    const auto [split, num_steps] = vocabulary_->splits().Find(key);
    if (split != nullptr) {
      fuel_.Spend(num_steps);
      return split;
    }
  }
  const std::uint64_t before = fuel_.left();
  auto made = std::make_shared<const TokenSplit>(regexes_, clamped, *vocabulary_, length);
  if (use_ == Splits::kShared && !fuel_.exhausted()) {
    vocabulary_->splits().Insert(key, {.split = made, .num_steps = before - fuel_.left()});
  }
  return made;
}

// Adds the tokens that complete the regex of `item` and go on behind it.
void Automaton::AddTails(PlaceId place, const PlaceSet::Item& item, const TokenSplit& split,
                         std::vector<TokenId>* tokens) {
  if (split.tails().empty() && split.branches().empty()) return;
  const PlaceId behind = places_->Behind(item);
  if (behind == PlaceSet::kDead) return;
  const ByteSet first_bytes = places_->FirstBytes(behind);
  for (const TokenSplit::Tail& tail : split.tails()) {
    if (!first_bytes.contains(static_cast<std::uint8_t>(tail.bytes[0]))) continue;
    AddReached(place, Walk(behind, tail.bytes), split.tokens(tail), tokens);
  }
  for (const TokenSplit::Branch& branch : split.branches()) {
    AddBranch(place, behind, split.trie(), branch, tokens);
  }
}

void Automaton::AddBranch(PlaceId place, PlaceId behind, const TokenTrie& trie,
                          const TokenSplit::Branch& branch, std::vector<TokenId>* tokens) {
  const auto nodes = trie.nodes();
  const TokenTrie::Node& top = nodes[branch.node];
  const std::string_view path = vocabulary_->spelling(trie.TokensBelow(branch.node).front());
  const std::size_t above = top.depth - 1;  // bytes of `path` that lead to the top
  path_.resize(std::max<std::size_t>(path_.size(), trie.max_depth() + 1));
  path_[above] = Walk(behind, path.substr(branch.tail_start, above - branch.tail_start));
  if (path_[above] == PlaceSet::kDead) return;
  for (std::size_t i = branch.node; i < top.subtree_end;) {
    const PlaceId next = places_->Step(path_[nodes[i].depth - 1], nodes[i].byte);
    path_[nodes[i].depth] = next;
    if (next == PlaceSet::kDead) {
      i = nodes[i].subtree_end;
    } else {
      AddReached(place, next, trie.TokensAt(i), tokens);
      ++i;
    }
  }
}

// Adds `reached`, which lead from `place` to `end`; where what goes on depended on a text
// that was not known, each token is tried by itself.
void Automaton::AddReached(PlaceId place, PlaceId end, std::span<const TokenId> reached,
                           std::vector<TokenId>* tokens) {
  if (end == PlaceSet::kDead) return;
  for (const TokenId token : reached) {
    if (!places_->tentative(end) || Walk(place, vocabulary_->spelling(token)) != PlaceSet::kDead) {
      tokens->push_back(token);
    }
  }
}

bool Automaton::may_end(PlaceId place) {
  const MutexLock lock(mutex_);
  return place == kEnded || places_->can_end(place);
}

bool Automaton::must_end(PlaceId place) {
  const MutexLock lock(mutex_);
  if (place == kEnded) return true;
  Refuel(limits_.mask_steps);
  return places_->can_end(place) && places_->FirstBytes(place).empty();
}

std::string Automaton::ForcedBytes(PlaceId place) {
  const MutexLock lock(mutex_);
  std::string forced;
  if (place == kEnded) return forced;
  Refuel(limits_.mask_steps);
  while (!places_->can_end(place) && forced.size() < kMaxForcedBytes) {
    const ByteSet bytes = places_->FirstBytes(place);
    if (bytes.size() != 1) break;
    place = places_->Step(place, bytes.first());
    if (place == PlaceSet::kDead) break;
    forced.push_back(static_cast<char>(bytes.first()));
  }
  return forced;
}

std::uint64_t Automaton::MinBytesToEnd(PlaceId place) {
  const MutexLock lock(mutex_);
  if (place == kEnded) return 0;
  Refuel(limits_.mask_steps);
  const std::uint64_t num_bytes = places_->MinBytesToEnd(place);
  // Not known: as if it were far away, so that whoever wants to end in time begins to.
  return fuel_.exhausted() ? std::numeric_limits<std::uint64_t>::max() : num_bytes;
}

bool Automaton::full() { return size_bytes() > limits_.max_table_bytes; }

std::uint64_t Automaton::num_steps() {
  const MutexLock lock(mutex_);
  return num_steps_ + refueled_ - fuel_.left();
}

std::size_t Automaton::size_bytes() {
  const MutexLock lock(mutex_);
  return mask_bytes_ + places_->size_bytes() + regexes_.size_bytes();
}

}  // namespace espalier
