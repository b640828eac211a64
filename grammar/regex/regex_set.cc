#include "grammar/regex/regex_set.h"

#include <algorithm>

#include "grammar/regex/count_clamp.h"
#include "grammar/regex/derivatives.h"
#include "grammar/regex/emptiness.h"
#include "grammar/regex/shortest.h"
#include "grammar/regex/term_builder.h"
#include "grammar/regex/term_store.h"

namespace espalier {

struct RegexSet::Tables {
  explicit Tables(Fuel& fuel) : store(fuel) {}

  TermStore store;
  TermBuilder builder{store};
  Derivatives derivatives{builder};
  Emptiness emptiness{builder, derivatives};
  Shortest shortest{derivatives, emptiness, store};
  ClampProof proof{builder, derivatives, emptiness};
  CountClamp clamp{builder, proof};
};

RegexSet::RegexSet(Fuel& fuel) : RegexSet(std::make_unique<Tables>(fuel)) {}
RegexSet::RegexSet(std::unique_ptr<Tables> tables)
    : tables_(std::move(tables)), rows_(tables_->store.rows()) {}
RegexSet::~RegexSet() = default;

RegexId RegexSet::Bytes(const ByteSet& set) { return tables_->builder.Step(set, kEmpty); }

RegexId RegexSet::Literal(std::string_view text) {
  RegexId all = kEmpty;
  for (auto it = text.rbegin(); it != text.rend(); ++it) {
    all = tables_->builder.Step(ByteSet::Of(static_cast<std::uint8_t>(*it)), all);
  }
  return all;
}

RegexId RegexSet::Concat(RegexId first, RegexId second) {
  return tables_->builder.Concat(first, second);
}

RegexId RegexSet::Concat(std::span<const RegexId> parts) {
  RegexId all = kEmpty;
  for (std::size_t i = parts.size(); i > 0; --i) all = tables_->builder.Concat(parts[i - 1], all);
  return all;
}

RegexId RegexSet::Or(RegexId a, RegexId b) {
  const RegexId parts[] = {a, b};
  return tables_->builder.Or(parts);
}
RegexId RegexSet::Or(std::span<const RegexId> parts) { return tables_->builder.Or(parts); }

RegexId RegexSet::And(RegexId a, RegexId b) {
  const RegexId parts[] = {a, b};
  return tables_->builder.And(parts);
}
RegexId RegexSet::And(std::span<const RegexId> parts) { return tables_->builder.And(parts); }

RegexId RegexSet::Not(RegexId regex) { return tables_->builder.Not(regex); }

RegexId RegexSet::Repeat(RegexId regex, std::uint32_t min, std::uint32_t max) {
  return tables_->builder.Repeat(regex, min, max);
}

RegexId RegexSet::Multiples(const DecimalMultiples& place) {
  return tables_->store.Multiples(place);
}

bool RegexSet::nullable(RegexId regex) const { return tables_->store[regex].nullable; }

RegexId RegexSet::DeriveFirst(RegexId regex, std::uint8_t byte) {
  return tables_->emptiness.DeriveAlive(regex, byte);
}

ByteSet RegexSet::FirstBytes(RegexId regex) {
  ByteSet first;
  for (std::size_t i = 0; i < ByteClasses(regex).size(); ++i) {
    const ByteSet bytes = ByteClasses(regex)[i];
    if (Derive(regex, bytes.first()) != kNothing) first |= bytes;
  }
  return first;
}

std::span<const ByteSet> RegexSet::ByteClasses(RegexId regex) {
  return tables_->derivatives.ByteClasses(regex);
}

bool RegexSet::IsNothing(RegexId regex) { return !tables_->emptiness.IsAlive(regex); }

bool RegexSet::Matches(RegexId regex, std::string_view text) {
  for (const char byte : text) {
    regex = Derive(regex, static_cast<std::uint8_t>(byte));
    if (regex == kNothing) return false;
  }
  return nullable(regex);
}

std::uint64_t RegexSet::MinBytes(RegexId regex) { return tables_->shortest.MinBytes(regex); }

bool RegexSet::IsInfiniteEverywhere(RegexId regex) {
  return tables_->store[regex].infinite_everywhere;
}

RegexId RegexSet::WithoutExceptions(RegexId regex) {
  const TermStore& store = tables_->store;
  const bool chain = store[regex].op == TermOp::kConcat;
  if (chain && store[store[regex].b].life != Life::kAlive) return regex;
  const RegexId head = chain ? store[regex].a : regex;
  if (store[head].op != TermOp::kAnd || store[head].b != 2) return regex;
  const auto children = store.children(store[head]);
  for (const std::size_t i : {0, 1}) {
    const Term& excluded = store[children[1 - i]];
    const bool finite = excluded.op == TermOp::kNot && store[excluded.a].max_bytes != kNoBound;
    if (finite && store[children[i]].endless) return children[i];
  }
  return regex;
}

RegexId RegexSet::Clamp(RegexId regex, std::uint32_t num_bytes) {
  return tables_->clamp.Apply(regex, num_bytes);
}

RegexSet::Hash RegexSet::hash(RegexId regex) const { return tables_->store[regex].hash; }
std::size_t RegexSet::num_terms() const { return tables_->store.size(); }

std::size_t RegexSet::size_bytes() const {
  return sizeof(Tables) + tables_->store.size_bytes() + tables_->derivatives.size_bytes() +
         tables_->shortest.size_bytes() + tables_->clamp.size_bytes() + tables_->proof.size_bytes();
}

}  // namespace espalier
