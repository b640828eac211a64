#include "grammar/schema/shape_book.h"

#include <algorithm>
#include <utility>

#include "grammar/schema/cost_round.h"
#include "grammar/schema/number_regex.h"

namespace espalier {
namespace {

constexpr std::size_t kMaxSteps = 50'000;  // of the tableau of one goal
constexpr std::size_t kMaxQuerySteps = 500;
constexpr std::size_t kMaxQueryDepth = 16;

}  // namespace

ShapeBook::ShapeBook(const SchemaDocument& document, const SchemaNetworkSettings& settings,
                     TextRegex& text, Fuel& fuel)
    : goals_(document),
      set_(text.set()),
      fuel_(fuel),
      forms_(settings.forms),
      split_steps_(settings.split_steps),
      punctuation_(settings.whitespace, text.set()),
      index_(document),
      discriminators_(document, index_, goals_),
      scalars_(document, goals_, text, settings.format, fuel),
      tableau_(document, index_, goals_, *this, fuel),
      object_maker_(index_, goals_, scalars_, settings.forms, *this, fuel),
      array_maker_(document, goals_, fuel),
      object_walk_(goals_, scalars_, settings.order,
                   punctuation_.comma_bytes + punctuation_.colon_bytes, fuel),
      array_walk_(goals_, punctuation_.comma_bytes, fuel) {}

RegexId ShapeBook::ScalarTexts(GoalId goal) {
  return TryScalarTexts(goal).value_or(RegexSet::kNothing);
}

// Empty: not known.
std::optional<RegexId> ShapeBook::TryScalarTexts(GoalId goal) {
  const auto known = scalar_texts_.find(goal);
  if (known != scalar_texts_.end()) return known->second;
  const Scalars scalars = scalars_.Of(goal);
  std::vector<RegexId> texts;
  if ((scalars.plain & Scalars::kNull) != 0) texts.push_back(set_.Literal("null"));
  if ((scalars.plain & Scalars::kFalse) != 0) texts.push_back(set_.Literal("false"));
  if ((scalars.plain & Scalars::kTrue) != 0) texts.push_back(set_.Literal("true"));
  if (scalars.strings != RegexSet::kNothing && !set_.IsNothing(scalars.strings)) {
    const RegexId quote = set_.Literal("\"");
    const RegexId quoted[] = {quote, scalars.strings, quote};
    texts.push_back(set_.Concat(quoted));
  }
  const std::optional<RegexId> numbers = NumberTexts(goal);
  if (!numbers.has_value()) return std::nullopt;
  texts.push_back(*numbers);
  const RegexId all = set_.Or(texts);
  NoteExhausted(goal);
  if (fuel_.exhausted()) return std::nullopt;
  scalar_texts_.emplace(goal, all);
  return all;
}

std::optional<RegexId> ShapeBook::NumberTexts(GoalId goal) {
  const auto branches = Expand(goal, SchemaType::kNumber);
  if (!branches.has_value()) return std::nullopt;
  std::vector<RegexId> texts;
  for (const Branch& branch : *branches) {
    RegexId numbers = TextsOf(branch.number).value_or(RegexSet::kNothing);
    numbers = WrittenAs(branch.number.constraint.writing, numbers, set_);
    if (forms_ == JsonForms::kPlain && numbers != RegexSet::kNothing) {
      numbers = PlainNumbers(numbers, branch.number.constraint.integrality, set_);
    }
    texts.push_back(numbers);
  }
  const RegexId all = set_.Or(texts);
  return set_.IsNothing(all) ? RegexSet::kNothing : all;
}

// Empty: such numbers cannot be enforced.
std::optional<RegexId> ShapeBook::TextsOf(const NumberPart& part) {
  const auto is_forbidden = [&part](ConstantId id) {
    return std::find(part.forbidden.begin(), part.forbidden.end(), id) != part.forbidden.end();
  };
  std::vector<RegexId> literals;
  if (part.allowed.has_value()) {
    for (const ConstantId id : *part.allowed) {
      const Decimal& value = goals_.constant(id).number;
      if (is_forbidden(id) || !Satisfies(value, part.constraint)) continue;
      literals.push_back(NumberLiteral(value, set_));
    }
    return set_.Or(literals);
  }
  const std::optional<RegexId> texts = TextsOf(part.constraint);
  if (!texts.has_value()) return std::nullopt;
  for (const ConstantId id : part.forbidden) {
    literals.push_back(NumberLiteral(goals_.constant(id).number, set_));
  }
  if (literals.empty()) return texts;
  return set_.And(*texts, set_.Not(set_.Or(literals)));
}

std::optional<RegexId> ShapeBook::TextsOf(const NumberConstraint& number) {
  using Integrality = NumberConstraint::Integrality;
  const bool is_common = !number.lower.has_value() && !number.upper.has_value() &&
                         number.multiple_of.empty() && number.not_multiple_of.empty() &&
                         number.integrality != Integrality::kNotInteger;
  std::optional<RegexId>& common =
      number.integrality == Integrality::kInteger ? integers_ : numbers_;
  if (is_common && common.has_value()) return common;
  const Result<RegexId> texts = NumberRegex(number, set_);
  if (!texts.ok()) return std::nullopt;
  if (is_common && !fuel_.exhausted()) common = texts.value();
  return texts.value();
}

std::optional<std::vector<Branch>> ShapeBook::Expand(GoalId goal, SchemaType type) {
  if (!in_progress_.emplace(goal, type).second) return std::nullopt;
  const std::size_t max_steps = query_depth_ == 0 ? kMaxSteps : kMaxQuerySteps;
  const bool may_keep = type == SchemaType::kObject && query_depth_ == 0;
  const std::size_t few = may_keep ? std::min(max_steps, split_steps_) : max_steps;
  auto branches = tableau_.Expand(goal, type, SplitUse::kBranches, few);
  if (!branches.has_value() && may_keep && !fuel_.exhausted()) {
    branches = tableau_.Expand(goal, type, SplitUse::kClauses, max_steps);
  }
  in_progress_.erase({goal, type});
  if (!branches.has_value() && query_depth_ == 0) fuel_.Exhaust();
  NoteExhausted(goal);
  return branches;
}

std::optional<std::span<const std::uint32_t>> ShapeBook::Shapes(GoalId goal, SchemaType type) {
  const auto known = shapes_.find({goal, type});
  if (known != shapes_.end()) return known->second;
  const auto branches = Expand(goal, type);
  if (!branches.has_value()) return std::nullopt;
  std::vector<std::uint32_t> ids;
  AddShapes(*branches, type, ids);
  NoteExhausted(goal);
  if (fuel_.exhausted()) return std::nullopt;
  return shapes_.emplace(TypedGoal{goal, type}, std::move(ids)).first->second;
}

void ShapeBook::NoteExhausted(GoalId goal) {
  if (!fuel_.exhausted() || exhausted_at_.has_value()) return;
  for (const Literal& literal : goals_.literals(goal)) {
    if (literal.claim == Claim::kSchema) exhausted_at_ = literal.id;
  }
}

void ShapeBook::AddShapes(const std::vector<Branch>& branches, SchemaType type,
                          std::vector<std::uint32_t>& ids) {
  for (const Branch& branch : branches) {
    if (type == SchemaType::kObject) {
      std::optional<ObjectShape> shape = object_maker_.Make(branch);
      if (!shape.has_value()) continue;
      ids.push_back(static_cast<std::uint32_t>(objects_.size()));
      objects_.push_back(std::move(*shape));
    } else {
      std::optional<ArrayShape> shape = array_maker_.Make(branch);
      if (!shape.has_value()) continue;
      ids.push_back(static_cast<std::uint32_t>(arrays_.size()));
      arrays_.push_back(std::move(*shape));
    }
  }
}

// Empty: not known.
std::optional<std::uint64_t> ShapeBook::ScalarCost(GoalId goal) {
  const std::optional<RegexId> texts = TryScalarTexts(goal);
  if (!texts.has_value()) return std::nullopt;
  return *texts == RegexSet::kNothing ? kNoCost : set_.MinBytes(*texts);
}

std::uint64_t ShapeBook::Cost(GoalId goal) {
  const std::uint64_t scalar = ScalarCost(goal).value_or(kNoCost);
  if (scalar != kNoCost) return scalar;
  for (const SchemaType type : {SchemaType::kObject, SchemaType::kArray}) {
    const auto settled = costs_.find({goal, type});
    const std::uint64_t cost =
        settled != costs_.end() ? settled->second : CostRound(*this).Solve(goal, type);
    if (cost != kNoCost) return cost;
  }
  return kNoCost;
}

std::optional<ConstantId> ShapeBook::ShortestScalar(GoalId goal) {
  const RegexId texts = ScalarTexts(goal);
  if (texts == RegexSet::kNothing) return std::nullopt;
  const Result<Json> value = ParseJson(ShortestString(set_, texts), 1);
  if (!value.ok()) return std::nullopt;
  return goals_.Constant(*value);
}

// Values are taken out one by one. Objects and arrays count as plenty, and so do many.
bool ShapeBook::HasValues(GoalId goal, std::uint64_t num_values) {
  constexpr std::uint64_t kMany = 256;
  std::vector<Literal> taken;
  for (std::uint64_t n = 0; n < std::min(num_values, kMany); ++n) {
    const GoalId left = goals_.With(goal, taken);
    if (ScalarTexts(left) == RegexSet::kNothing) return Cost(left) != kNoCost;
    const std::optional<ConstantId> value = ShortestScalar(left);
    if (!value.has_value()) return true;
    taken.push_back({Claim::kEquals, Truth::kFails, *value, 0});
  }
  return true;
}

bool ShapeBook::SurelyDisjoint(const Literal& a, const Literal& b, SchemaType type) {
  const bool both_hold =
      a.claim == Claim::kSchema && b.claim == Claim::kSchema && a.holds() && b.holds();
  if (both_hold && type == SchemaType::kObject && discriminators_.TellApart(a.id, b.id)) {
    return true;
  }
  const GoalId goal = goals_.Intern({a, b});
  const auto known = disjoint_.find({goal, type});
  if (known != disjoint_.end()) return known->second;
  if (query_depth_ == kMaxQueryDepth || !fuel_.Spend(4)) return false;
  ++query_depth_;
  bool disjoint = false;
  if (type == SchemaType::kNumber) {
    const auto branches = Expand(goal, type);
    disjoint = branches.has_value() &&
               std::all_of(branches->begin(), branches->end(), [this](const Branch& branch) {
                 const std::optional<RegexId> texts = TextsOf(branch.number);
                 return texts.has_value() &&
                        set_.IsNothing(WrittenAs(branch.number.constraint.writing, *texts, set_));
               });
  } else {
    CostRound round(*this);
    disjoint = round.Solve(goal, type) == kNoCost && round.is_complete();
  }
  --query_depth_;
  if (fuel_.exhausted()) return false;
  disjoint_.emplace(TypedGoal{goal, type}, disjoint);
  return disjoint;
}

bool ShapeBook::SurelyEmpty(GoalId goal) {
  constexpr SchemaTypes kCompound = TypeBit(SchemaType::kObject) | TypeBit(SchemaType::kArray);
  if (goal == GoalTable::kAnyValue) return false;
  if ((tableau_.PossibleTypesOfGoal(goal) & kCompound) != 0) return false;
  return TryScalarTexts(goal) == RegexSet::kNothing && !fuel_.exhausted();
}

bool ShapeBook::SurelyHasValue(GoalId goal) {
  return TryScalarTexts(goal).value_or(RegexSet::kNothing) != RegexSet::kNothing;
}

}  // namespace espalier
