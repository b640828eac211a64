#include "grammar/regex/emptiness.h"

#include <algorithm>

#include "grammar/regex/emptiness_search.h"

namespace espalier {

bool Emptiness::IsAlive(RegexId id) {
  const Term term = store_[id];
  if (term.life != Life::kUnknown) return term.life == Life::kAlive;
  bool alive = false;
  switch (term.op) {
    case TermOp::kNothing:
    case TermOp::kEmpty:
    case TermOp::kMultiples: break;
    case TermOp::kStep:
    case TermOp::kConcat: return IsChainAlive(id);
    case TermOp::kRepeat: alive = IsAlive(term.a); break;
    case TermOp::kOr:
      for (std::uint32_t i = 0; i < term.b && !alive; ++i) {
        alive = IsAlive(store_.children(store_[id])[i]);
      }
      break;
    case TermOp::kAnd:
    case TermOp::kNot: return EmptinessSearch(*this, builder_, derivatives_).FindsString(id);
  }
  if (!store_.fuel().exhausted()) store_.set_life(id, alive ? Life::kAlive : Life::kDead);
  return alive;
}

// A chain lives if all its parts do; then so do all its tails.
bool Emptiness::IsChainAlive(RegexId id) {
  std::vector<RegexId> chain;
  bool alive = true;
  for (; alive; id = store_[id].b) {
    const TermOp op = store_[id].op;
    const bool known = store_[id].life != Life::kUnknown;
    if (known || (op != TermOp::kStep && op != TermOp::kConcat)) {
      alive = IsAlive(id);
      break;
    }
    chain.push_back(id);
    if (op == TermOp::kConcat) alive = IsAlive(store_[id].a);
  }
  if (store_.fuel().exhausted()) return false;
  for (const RegexId part : chain) store_.set_life(part, alive ? Life::kAlive : Life::kDead);
  return alive;
}

bool Emptiness::MayRelaxedBeAlive(RegexId relaxed) {
  constexpr int kMaxRelaxed = 4;
  if (num_relaxed_ == kMaxRelaxed) return true;
  ++num_relaxed_;
  const bool alive = IsAlive(relaxed) || store_.fuel().exhausted();
  --num_relaxed_;
  return alive;
}

RegexId Emptiness::DeriveAlive(RegexId id, std::uint8_t byte) {
  RegexId target = derivatives_.Derive(id, byte);
  target = IsAlive(target) ? Prune(target) : RegexSet::kNothing;
  if (store_.fuel().exhausted()) return RegexSet::kNothing;
  derivatives_.Settle(id, byte, target);
  return target;
}

// Alternatives that are dead would be carried along for ever.
RegexId Emptiness::Prune(RegexId id) {
  if (store_[id].op != TermOp::kOr || store_[id].plain) return id;
  std::vector<RegexId> kept;
  const std::uint32_t num_children = store_[id].b;
  for (std::uint32_t i = 0; i < num_children; ++i) {
    const RegexId child = store_.children(store_[id])[i];
    if (IsAlive(child)) kept.push_back(child);
  }
  return kept.size() == num_children ? id : builder_.Or(kept);
}

}  // namespace espalier
