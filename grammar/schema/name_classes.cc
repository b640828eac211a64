// Which names that are no keys are told apart. Telling them apart by n patterns in full would
// make 2^n classes, so they are told apart only as far as it matters before a name is known:
// where a rest rule covers them, where a clause asks, and where what is asked together has no
// value. What else is asked of a member is looked up when its name has been read.
#include <algorithm>
#include <map>
#include <utility>

#include "grammar/schema/object_shape.h"

namespace espalier {
namespace {

// What names are asked that match a pattern.
struct Effect {
  std::vector<Literal> rules;
  std::vector<std::size_t> covers;
  RegexId apart = 0;  // of clauses: the pattern itself
  friend auto operator<=>(const Effect&, const Effect&) = default;
};

template <typename T>
void SortUnique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

// All patterns by which names are told apart, grouped by what they do.
void ObjectShapeMaker::AddPatterns(Draft& draft) {
  std::map<RegexId, Effect> effects;
  const ObjectPart& object = draft.branch.object;
  const auto each = [&](SchemaId schema, const auto& note) {
    for (const auto& [pattern, child] : document_.node(schema).pattern_properties) {
      note(effects[scalars_.Pattern(pattern)], child);
    }
  };
  for (const ScopedSchema& members : object.members) {
    each(members.schema, [&](Effect& effect, SchemaId child) {
      effect.rules.push_back(goals_.Schema(child, members.scope));
    });
  }
  for (std::size_t i = 0; i < object.rest.size(); ++i) {
    for (const SchemaId schema : object.rest[i].over) {
      each(schema, [i](Effect& effect, SchemaId) { effect.covers.push_back(i); });
    }
  }
  const auto keep_apart = [](Effect& effect, SchemaId) { effect.apart = 1; };
  for (const RestRule& rest : object.broken_rests) {
    for (const SchemaId schema : rest.over) each(schema, keep_apart);
  }
  for (const ScopedSchema& broken : object.broken) {
    each(broken.schema, keep_apart);
    const auto& names = document_.node(broken.schema).property_names;
    if (!names.has_value()) continue;
    const Literal literal = goals_.Schema(*names, broken.scope);
    effects[scalars_.Of(goals_.Intern({literal})).possible].apart = 1;
  }
  const bool has_clauses = !object.broken.empty() || !object.broken_rests.empty();
  std::map<Effect, std::vector<RegexId>> groups;
  for (auto& [pattern, effect] : effects) {
    draft.patterns.push_back(pattern);
    SortUnique(effect.rules);
    SortUnique(effect.covers);
    if (effect.apart != 0) effect.apart = pattern;
    groups[std::move(effect)].push_back(pattern);
  }
  for (const auto& [effect, patterns] : groups) {
    const RegexId any = scalars_.text().set().Or(patterns);
    draft.groups.push_back({patterns, any, effect.rules, effect.covers, has_clauses});
  }
}

void ObjectShapeMaker::AddClasses(Draft& draft) {
  if (draft.patterns.empty() && draft.branch.object.names.empty()) {
    return AddClass(draft, std::nullopt, View{nullptr, {}, {}}, {});
  }
  RegexSet& set = scalars_.text().set();
  OpenClass all{
      NamesBesideKeys(draft.shape, goals_, scalars_.text()), View{nullptr, {}, {}}, {}, false};
  if (!draft.branch.object.names.empty()) {
    all.names = set.And(all.names, AllowedNames(draft.branch));
  }
  for (std::uint32_t i = 0; i < draft.groups.size(); ++i) all.open.push_back(i);
  std::vector<OpenClass> classes = {std::move(all)};
  while (!classes.empty() && fuel_.Spend(4 + classes.back().open.size())) {
    OpenClass next = std::move(classes.back());
    classes.pop_back();
    if (set.IsNothing(next.names)) continue;
    std::erase_if(next.open, [&](std::uint32_t group) {
      return set.IsNothing(set.And(next.names, draft.groups[group].any));
    });
    const std::vector<std::uint32_t> cut = NextCut(draft, next);
    if (cut.empty()) {
      AddClass(draft, next.names, std::move(next.view), next.open);
    } else {
      Cut(draft, std::move(next), cut, classes);
    }
  }
}

// The groups by which names must still be told apart: those that match one of them, and the
// others. Empty: they need not be.
std::vector<std::uint32_t> ObjectShapeMaker::NextCut(const Draft& draft, const OpenClass& names) {
  if (names.open.empty()) return {};
  for (const std::uint32_t group : names.open) {
    if (draft.groups[group].is_exact) return {group};
  }
  const std::vector<RestRule>& rests = draft.branch.object.rest;
  for (std::size_t i = 0; i < rests.size(); ++i) {
    if (std::ranges::binary_search(names.view.covered, i) || Covers(rests[i], names.view)) continue;
    std::vector<std::uint32_t> covering;
    std::ranges::copy_if(names.open, std::back_inserter(covering), [&](std::uint32_t group) {
      return std::ranges::binary_search(draft.groups[group].covers, i);
    });
    if (!covering.empty()) return covering;
  }
  std::vector<Literal> together = Rules(draft.branch, names.view);
  if (together.empty() && !names.is_described) return names.open;
  for (const std::uint32_t group : names.open) {
    const std::vector<Literal>& rules = draft.groups[group].rules;
    together.insert(together.end(), rules.begin(), rules.end());
    // This one is at odds with others, so the others need not be told apart before it.
    if (!oracle_.SurelyHasValue(goals_.Intern(together))) return {group};
  }
  return {};
}

// Whatever the open groups match: one that does may cover a rest rule.
bool ObjectShapeMaker::IsEmpty(const Draft& draft, const OpenClass& names) {
  View view = names.view;
  for (const std::uint32_t group : names.open) {
    const std::vector<std::size_t>& covers = draft.groups[group].covers;
    view.covered.insert(view.covered.end(), covers.begin(), covers.end());
  }
  SortUnique(view.covered);
  return oracle_.SurelyEmpty(goals_.Intern(Rules(draft.branch, view)));
}

void ObjectShapeMaker::Cut(const Draft& draft, OpenClass names,
                           const std::vector<std::uint32_t>& groups, std::vector<OpenClass>& out) {
  RegexSet& set = scalars_.text().set();
  std::vector<RegexId> any;
  for (const std::uint32_t group : groups) any.push_back(draft.groups[group].any);
  const RegexId cut = set.Or(any);
  OpenClass inside = names;
  inside.names = set.And(names.names, cut);
  inside.is_described = true;
  if (groups.size() == 1) {
    const PatternGroup& group = draft.groups[groups.front()];
    std::erase(inside.open, groups.front());
    inside.view.matched.insert(inside.view.matched.end(), group.patterns.begin(),
                               group.patterns.end());
    SortUnique(inside.view.matched);
  } else {
    std::vector<std::size_t> shared = draft.groups[groups.front()].covers;
    for (const std::uint32_t group : groups) {
      const std::vector<std::size_t>& covers = draft.groups[group].covers;
      std::erase_if(shared, [&](std::size_t i) { return !std::ranges::binary_search(covers, i); });
    }
    inside.view.covered.insert(inside.view.covered.end(), shared.begin(), shared.end());
    SortUnique(inside.view.covered);
  }
  if (groups.size() > 1 || !IsEmpty(draft, inside)) out.push_back(std::move(inside));
  std::erase_if(names.open, [&](std::uint32_t group) {
    return std::find(groups.begin(), groups.end(), group) != groups.end();
  });
  names.names = set.And(names.names, scalars_.text().Not(cut));
  out.push_back(std::move(names));
}

void ObjectShapeMaker::AddClass(Draft& draft, std::optional<RegexId> names, View view,
                                const std::vector<std::uint32_t>& open) {
  NameClass added{.names = names, .goal = GoalTable::kAnyValue};
  std::vector<Literal> rules = Rules(draft.branch, view);
  bool is_free = rules.empty();
  added.goal = goals_.Intern(std::move(rules));
  added.strictest = added.goal;
  if (HasFalse(added.goal)) return;
  for (const std::uint32_t group : open) {
    if (draft.groups[group].rules.empty()) continue;
    added.extras.push_back({draft.groups[group].any, draft.groups[group].rules});
    added.strictest = goals_.With(added.strictest, draft.groups[group].rules);
  }
  is_free = is_free && added.extras.empty();
  draft.describes |= !is_free;
  draft.shape.classes.push_back(std::move(added));
  draft.classes.push_back(std::move(view));
  draft.is_free.push_back(is_free ? 1 : 0);
}

}  // namespace espalier
