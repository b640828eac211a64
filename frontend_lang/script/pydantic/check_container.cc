// The part of ModelChecker that checks containers and unions.
#include <fmt/format.h>

#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/pydantic/model_checker.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {

using Kind = FieldType::Kind;

Outcome<Value> ModelChecker::CheckPlain(const FieldType& type, const Value& input) {
  lang::NestedScope scope(host_);
  ESP_TRY(scope.Check());
  ESP_TRY(host_.Step());
  const Mode outer = mode_;
  if (type.constraints.strict && mode_ == Mode::kLax) mode_ = Mode::kStrict;
  auto made = CheckKind(type, input);
  mode_ = outer;
  return made;
}

Outcome<Value> ModelChecker::CheckKind(const FieldType& type, const Value& input) {
  const auto bounded = [&](Outcome<Value> made) -> Outcome<Value> {
    if (!made.ok() || made->is_unset() || !type.constraints.any()) return made;
    return CheckBounds(type.constraints, Value(*made), input);
  };
  switch (type.kind) {
    case Kind::kAny: return input;
    case Kind::kNone: return CheckNone(input);
    case Kind::kBool: return CheckBool(input);
    case Kind::kInt: return bounded(CheckInt(input));
    case Kind::kFloat: return bounded(CheckFloat(input));
    case Kind::kStr: return CheckStr(type, input);
    case Kind::kList:
    case Kind::kSet: return CheckList(type, input);
    case Kind::kTuple: return CheckTuple(type, input);
    case Kind::kDict: return CheckDict(type, input);
    case Kind::kUnion: return CheckUnion(type, input);
    case Kind::kTagged: return CheckTagged(type, input);
    case Kind::kLiteral: return CheckLiteral(type, input);
    case Kind::kEnum: return CheckEnum(type, input);
    case Kind::kModel: return CheckModel(*type.cls.As<ClassObject>(), input);
    case Kind::kRecord: return CheckRecord(type, input);
    case Kind::kText: return bounded(CheckMoment(type, input));
    case Kind::kInstance: break;
  }
  const auto* instance = input.If<Instance>();
  const auto& cls = *type.cls.As<ClassObject>();
  if (instance != nullptr && instance->cls().DerivesFrom(cls)) return input;
  return Wrong("is_instance_of", "Input should be an instance of " + cls.name(), input,
               {{"class", lang::MakeStr(host_.heap(), cls.name())}});
}

// False where one of them does not fit; all are checked.
Outcome<bool> ModelChecker::CheckItems(const FieldType& item, const std::vector<Value>& from,
                                       std::vector<Value>& to) {
  bool all = true;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Step step(*this, Value::Int(static_cast<std::int64_t>(i)));
    ESP_TRY_ASSIGN(Value made, Check(item, from[i]));
    all &= !made.is_unset();
    to.push_back(std::move(made));
  }
  return all;
}

Value ModelChecker::CheckSize(std::string_view what, const Constraints& limits, std::int64_t size,
                              const Value& made, const Value& input) {
  const auto complain = [&](std::string_view type, std::string_view how, std::int64_t limit) {
    return Wrong(type,
                 fmt::format("{} should have at {} {} item{} after validation, not {}", what, how,
                             limit, limit == 1 ? "" : "s", size),
                 input,
                 {{"field_type", lang::MakeStr(host_.heap(), what)},
                  {how == "least" ? "min_length" : "max_length", Value::Int(limit)},
                  {"actual_length", Value::Int(size)}});
  };
  if (limits.min_length && size < *limits.min_length) {
    return complain("too_short", "least", *limits.min_length);
  }
  if (limits.max_length && size > *limits.max_length) {
    return complain("too_long", "most", *limits.max_length);
  }
  return made;
}

Outcome<Value> ModelChecker::CheckList(const FieldType& type, const Value& input) {
  const bool set = type.kind == Kind::kSet;
  const Value plain = lang::PlainOf(input);
  const lang::Type given = plain.type();
  if (type.sequence && given == lang::Type::kStr) {
    return Wrong("sequence_str", "'str' instances are not allowed as a Sequence value", input,
                 {{"type_name", lang::MakeStr(host_.heap(), std::string("str"))}});
  }
  const bool exact = given == (set ? lang::Type::kSet : lang::Type::kList) ||
                     (type.sequence && given == lang::Type::kTuple) ||
                     (source_ == Source::kJson && given == lang::Type::kList);
  const bool lax = given == lang::Type::kList || given == lang::Type::kTuple ||
                   given == lang::Type::kSet || given == lang::Type::kRange ||
                   given == lang::Type::kIterator;
  if (!exact && (mode_ != Mode::kLax || !lax)) {
    return WrongShape(type.frozen ? "frozen_set_type"
                      : set       ? "set_type"
                                  : "list_type",
                      type.frozen ? "Input should be a valid frozenset"
                      : set       ? "Input should be a valid set"
                                  : "Input should be a valid list",
                      "Input should be a valid array", input);
  }
  ESP_TRY_ASSIGN(const auto items, lang::Collect(host_, plain));
  std::vector<Value> made;
  ESP_TRY_ASSIGN(const bool all, CheckItems(type.parts[0], items, made));
  if (!all) return Value::Unset();
  Value result;
  if (set) {
    result =
        host_.heap().New<lang::Set>(type.frozen ? lang::Set::Kind::kFrozen : lang::Set::Kind::kSet);
    for (const Value& item : made) ESP_TRY(result.As<lang::Set>()->Add(host_, item));
  } else if (type.sequence && given == lang::Type::kTuple) {
    result = host_.heap().New<lang::Tuple>(std::move(made));
  } else {
    result = host_.heap().New<lang::List>(std::move(made));
  }
  ESP_TRY_ASSIGN(const std::int64_t size, lang::Length(host_, result));
  return CheckSize(type.frozen ? "Frozenset"
                   : set       ? "Set"
                               : "List",
                   type.constraints, size, result, input);
}

Outcome<Value> ModelChecker::CheckTuple(const FieldType& type, const Value& input) {
  const Value plain = lang::PlainOf(input);
  const lang::Type given = plain.type();
  const bool exact =
      given == lang::Type::kTuple || (source_ == Source::kJson && given == lang::Type::kList);
  const bool lax = given == lang::Type::kList || given == lang::Type::kSet ||
                   given == lang::Type::kRange || given == lang::Type::kIterator;
  if (!exact && (mode_ != Mode::kLax || !lax)) {
    return WrongShape("tuple_type", "Input should be a valid tuple",
                      "Input should be a valid array", input);
  }
  ESP_TRY_ASSIGN(const auto items, lang::Collect(host_, plain));
  const auto size = static_cast<std::int64_t>(items.size());
  std::vector<Value> made;
  if (type.variadic) {
    ESP_TRY_ASSIGN(const bool all, CheckItems(type.parts[0], items, made));
    if (!all) return Value::Unset();
    return CheckSize("Tuple", type.constraints, size,
                     host_.heap().New<lang::Tuple>(std::move(made)), input);
  }
  if (items.size() > type.parts.size()) {
    Constraints limits;
    limits.max_length = static_cast<std::int64_t>(type.parts.size());
    return CheckSize("Tuple", limits, size, Value(), input);
  }
  bool all = true;
  for (std::size_t i = 0; i < type.parts.size(); ++i) {
    const Step step(*this, Value::Int(static_cast<std::int64_t>(i)));
    Value item = Value::Unset();
    if (i >= items.size()) {
      Wrong("missing", "Field required", input);
    } else {
      ESP_TRY_ASSIGN(item, Check(type.parts[i], items[i]));
    }
    all &= !item.is_unset();
    made.push_back(std::move(item));
  }
  return all ? host_.heap().New<lang::Tuple>(std::move(made)) : Value::Unset();
}

Outcome<Value> ModelChecker::CheckDict(const FieldType& type, const Value& input) {
  const Value plain = lang::PlainOf(input);
  const auto* dict = plain.If<lang::Dict>();
  if (dict == nullptr) {
    return WrongShape("dict_type", "Input should be a valid dictionary",
                      "Input should be an object", input);
  }
  const Value made = host_.heap().New<lang::Dict>();
  bool all = true;
  for (std::size_t at = 0; const auto* entry = dict->EntryAt(at); ++at) {
    const Value given_key = entry->key, given_value = entry->value;
    const Step step(*this, given_key);
    Value key;
    {
      const Step to_key(*this, lang::MakeStr(host_.heap(), std::string("[key]")));
      ESP_TRY_ASSIGN(key, Check(type.parts[0], given_key));
    }
    ESP_TRY_ASSIGN(Value value, Check(type.parts[1], given_value));
    all &= !key.is_unset() && !value.is_unset();
    if (all) ESP_TRY(made.As<lang::Dict>()->Put(host_, key, std::move(value)));
  }
  if (!all) return Value::Unset();
  return CheckSize("Dictionary", type.constraints, made.As<lang::Dict>()->size(), made, input);
}

// The first option that fits in this mode; of models, the one with the most fields given.
Outcome<Value> ModelChecker::CheckOptions(const FieldType& type, const Value& input, Mode mode) {
  Value best = Value::Unset();
  std::int64_t most = -1;
  for (const FieldType& option : type.parts) {
    const Mode outer = std::exchange(mode_, mode);
    const std::size_t num_problems = problems_.size();
    ++num_trials_;
    auto made = Check(option, input);
    --num_trials_;
    mode_ = outer;
    problems_.resize(num_problems);
    if (!made.ok()) return made.TakeFault();
    if (made->is_unset()) continue;
    const auto* instance = made->If<Instance>();
    const Value* given = instance == nullptr ? nullptr : instance->FindOwn(kFieldsSet);
    if (given == nullptr) return best.is_unset() ? *made : best;
    if (given->As<lang::Set>()->size() <= most) continue;
    most = given->As<lang::Set>()->size();
    best = *made;
  }
  return best;
}

Outcome<Value> ModelChecker::CheckUnion(const FieldType& type, const Value& input) {
  if (type.nullable()) {
    if (input.is_none()) return input;
    FieldType rest = type;
    std::erase_if(rest.parts, [](const FieldType& part) { return part.kind == Kind::kNone; });
    if (rest.parts.size() == 1) return Check(rest.parts[0], input);
    return CheckUnion(rest, input);
  }
  // Unions within unions within unions are tried in one mode only: trying all in each
  // would take time exponential in the depth.
  constexpr int kMaxTrials = 2;
  for (const Mode mode : {Mode::kExact, Mode::kStrict, Mode::kLax}) {
    if (mode > mode_ || (num_trials_ >= kMaxTrials && mode != mode_)) continue;
    ESP_TRY_ASSIGN(Value made, CheckOptions(type, input, mode));
    if (!made.is_unset()) return made;
  }
  if (num_trials_ > 0) return Value::Unset();
  for (const FieldType& option : type.parts) {  // once more, for what they say
    const Step step(*this, lang::MakeStr(host_.heap(), LabelOf(host_, option)));
    ESP_TRY_ASSIGN(const Value ignored, Check(option, input));
    (void)ignored;
  }
  return Value::Unset();
}

}  // namespace espalier::script
