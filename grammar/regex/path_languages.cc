#include "grammar/regex/path_languages.h"

#include <map>

namespace espalier {
namespace {

// One equation: state = the sum of (earlier state, what leads on from it), where state 0
// begins with the empty text. Arden's rule solves a state that leads to itself.
using Row = std::map<std::uint32_t, RegexId>;

void AddTo(Row& row, std::uint32_t from, RegexId label, RegexSet& set) {
  const auto [at, is_new] = row.emplace(from, label);
  if (!is_new) at->second = set.Or(at->second, label);
}

// Takes the state's steps to itself out of its row.
void ApplyArden(std::uint32_t state, Row& row, RegexSet& set) {
  const auto self = row.find(state);
  if (self == row.end()) return;
  const RegexId star = set.Star(self->second);
  row.erase(self);
  for (auto& [from, label] : row) label = set.Concat(label, star);
}

}  // namespace

std::vector<RegexId> PathLanguages(std::uint32_t num_states, std::span<const PathStep> steps,
                                   RegexSet& set) {
  std::vector<Row> rows(num_states);
  for (const PathStep& step : steps) AddTo(rows[step.to], step.from, step.label, set);
  RegexId start_loop = RegexSet::kEmpty;
  for (std::uint32_t state = num_states; state-- > 1;) {
    ApplyArden(state, rows[state], set);
    for (std::uint32_t i = 0; i < state; ++i) {
      const auto use = rows[i].find(state);
      if (use == rows[i].end()) continue;
      const RegexId label = use->second;
      rows[i].erase(use);
      for (const auto& [from, before] : rows[state]) {
        AddTo(rows[i], from, set.Concat(before, label), set);
      }
    }
  }
  if (const auto self = rows[0].find(0); self != rows[0].end()) {
    start_loop = set.Star(self->second);
  }
  std::vector<RegexId> languages = {start_loop};
  for (std::uint32_t state = 1; state < num_states; ++state) {
    std::vector<RegexId> parts;
    for (const auto& [from, label] : rows[state]) {
      parts.push_back(set.Concat(languages[from], label));
    }
    languages.push_back(set.Or(parts));
  }
  return languages;
}

}  // namespace espalier
