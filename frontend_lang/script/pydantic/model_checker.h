// ModelChecker: validates input by the types of a model, and notes what does not fit.
//
// Conversions are pydantic's "lax mode": "3" is an int, 1 a bool. The options of a union
// are tried exactly first, then strictly, then laxly, so that a value that fits one as it
// is stays what it is. A union with a discriminator looks there instead.
//
// Functions around a type (validators) are called from the outside in; those that stand around
// it whole are given a Continuation, which has a checker of its own.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend_lang/script/pydantic/model.h"
#include "frontend_lang/script/pydantic/validation_error.h"
#include "frontend_lang/script/values/dict.h"

namespace espalier::script {

class ModelChecker {
 public:
  enum class Source { kPython, kJson };
  enum class Mode { kExact, kStrict, kLax };

  ModelChecker(Host& host, Source source, Mode mode = Mode::kLax)
      : host_(host), source_(source), mode_(mode) {}

  // The value as the type wants it; Unset where it does not fit: see problems().
  Outcome<Value> Check(const FieldType& type, const Value& input);

  // An object of the model, its validators run. Unset where `input` does not fit.
  Outcome<Value> CheckModel(ClassObject& cls, const Value& input);
  // The same into an object that exists (__init__). False where it does not fit.
  Outcome<bool> Fill(const Value& object, const Value& dict);
  // One field, its validators included. `known`: the fields before it, for them to see.
  Outcome<Value> CheckField(ClassObject& cls, const ModelField& field, const Value& input,
                            const Value& known);

  const std::vector<InputProblem>& problems() const { return problems_; }

  // Whether objects are taken for what their attributes say.
  void set_from_attributes() { from_attributes_ = true; }

 private:
  class Step;  // one key or index further in
  // The object of a model to be made, or to be filled.
  struct Target {
    ClassObject& cls;
    Value object = Value::Unset();  // Unset: a new one
  };

  // One for a Continuation: the same rules, no problems yet.
  ModelChecker Anew() const;

  // Notes a problem and gives Unset.
  Value Wrong(std::string_view type, std::string message, const Value& input,
              std::vector<std::pair<std::string_view, Value>> details = {});
  Value WrongShape(std::string_view type, std::string_view python, std::string_view json,
                   const Value& input);

  // model_checker.cc: models.
  Outcome<Value> CheckObject(const Target& target, const Value& input, std::size_t num_validators);
  Outcome<Value> RunAround(const Target& target, const Validator& validator, const Value& input,
                           std::size_t num_validators);
  Outcome<Value> MakeObject(const Target& target, const Value& input);
  Outcome<Value> Prepared(ClassObject& cls, const Value& input);
  Outcome<bool> FillRoot(const Value& object, const Value& input);
  Outcome<bool> FillFields(const Value& object, const lang::Dict& dict);
  Outcome<Value> Default(ClassObject& cls, const ModelField& field);
  Outcome<bool> TakeExtras(const Value& object, const lang::Dict& dict, const ModelFields& model);
  Fault SetPrivates(const Value& object);
  Outcome<Value> CheckRecord(const FieldType& type, const Value& input);

  // check_function.cc: functions around types.
  Outcome<Value> CheckWithin(const FieldType& type, const Value& input, std::size_t num_functions);
  Outcome<Value> CheckAround(const FieldType& type, const Value& input, std::size_t num_functions);
  Outcome<Value> CallFunction(const Value& function, std::vector<Value> args, const Value& input);
  Outcome<Value> Checked(Outcome<Value> outcome, const Value& input);

  // check_tagged.cc: unions with a discriminator.
  Outcome<Value> CheckTagged(const FieldType& type, const Value& input);
  Outcome<Value> TagOf(const FieldType& type, const Value& input);

  // check_scalar.cc
  Outcome<Value> CheckNone(const Value& input);
  Outcome<Value> CheckBool(const Value& input);
  Outcome<Value> CheckInt(const Value& input);
  Outcome<Value> CheckFloat(const Value& input);
  Outcome<Value> CheckStr(const FieldType& type, const Value& input);
  Outcome<Value> CheckLiteral(const FieldType& type, const Value& input);
  Outcome<Value> CheckEnum(const FieldType& type, const Value& input);
  Value AsEnumValue(const Value& member) const;  // where the model wants values
  Outcome<Value> MemberOfNumber(const FieldType& type, const Value& input);
  Outcome<Value> CheckBounds(const Constraints& limits, const Value& value, const Value& input);
  Outcome<Value> CheckText(const Constraints& limits, const Value& value, const Value& input);
  Outcome<Value> CheckMoment(const FieldType& type, const Value& input);

  // check_container.cc
  Outcome<Value> CheckPlain(const FieldType& type, const Value& input);
  Outcome<Value> CheckKind(const FieldType& type, const Value& input);
  Outcome<Value> CheckList(const FieldType& type, const Value& input);
  Outcome<Value> CheckTuple(const FieldType& type, const Value& input);
  Outcome<Value> CheckDict(const FieldType& type, const Value& input);
  Outcome<Value> CheckUnion(const FieldType& type, const Value& input);
  Outcome<Value> CheckOptions(const FieldType& type, const Value& input, Mode mode);
  Outcome<bool> CheckItems(const FieldType& item, const std::vector<Value>& from,
                           std::vector<Value>& to);
  Value CheckSize(std::string_view what, const Constraints& limits, std::int64_t size,
                  const Value& made, const Value& input);

  Host& host_;
  const Source source_;
  Mode mode_;
  int num_trials_ = 0;  // options of unions being tried, one in the other
  // Of the model here:
  Constraints texts_;
  bool numbers_to_str_ = false, from_attributes_ = false, enum_values_ = false;
  std::string field_name_;  // of the field here, and those before it, for validators to see
  Value known_;
  std::vector<Value> place_;
  std::vector<InputProblem> problems_;
};

class ModelChecker::Step {
 public:
  Step(ModelChecker& checker, Value key) : checker_(checker) {
    checker_.place_.push_back(std::move(key));
  }
  ~Step() { checker_.place_.pop_back(); }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

 private:
  ModelChecker& checker_;
};

}  // namespace espalier::script
