#include "frontend_lang/chat/jinja_tests.h"

#include <string>

#include "frontend_lang/chat/jinja_arguments.h"
#include "frontend_lang/chat/jinja_arithmetic.h"
#include "frontend_lang/chat/jinja_filters.h"
#include "frontend_lang/chat/jinja_objects.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/hash.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/str_methods.h"

namespace espalier::jinja {
namespace {

using lang::Type;

Outcome<Value> Defined(Host&, const Value& value, Arguments) {
  return Value::Bool(!IsUndefined(value));
}
Outcome<Value> UndefinedTest(Host&, const Value& value, Arguments) {
  return Value::Bool(IsUndefined(value));
}

template <Type type>
Outcome<Value> HasType(Host&, const Value& value, Arguments) {
  return Value::Bool(value.type() == type);
}
template <bool wanted>
Outcome<Value> IsBool(Host&, const Value& value, Arguments) {
  return Value::Bool(value.is_bool() && value.as_bool() == wanted);
}

Outcome<Value> Number(Host&, const Value& value, Arguments) {
  return Value::Bool(value.is_number());
}
Outcome<Value> Iterable(Host& host, const Value& value, Arguments) {
  const Outcome<Value> iterator = lang::Iterate(host, value);
  return Value::Bool(iterator.ok());
}
Outcome<Value> IsSequence(Host&, const Value& value, Arguments) {
  switch (value.type()) {
    case Type::kStr:
    case Type::kList:
    case Type::kTuple:
    case Type::kDict:
    case Type::kRange: return Value::Bool(true);
    default: return Value::Bool(IsUndefined(value));
  }
}
Outcome<Value> Callable(Host&, const Value& value, Arguments) {
  return Value::Bool(value.is_extension() && value.type() != Type::kIterator &&
                     lang::TypeName(value) != "Namespace");
}

template <lang::CompareOp op>
Outcome<Value> Compares(Host& host, const Value& value, Arguments args) {
  return lang::CompareValue(host, op, value, args[0]);
}
Outcome<Value> In(Host& host, const Value& value, Arguments args) {
  ESP_TRY_ASSIGN(const bool contains, lang::Contains(host, args[0], value));
  return Value::Bool(contains);
}
Outcome<Value> SameAs(Host&, const Value& value, Arguments args) {
  return Value::Bool(value.Is(args[0]));
}

Outcome<bool> HasRemainder(Host& host, const Value& value, const Value& divisor,
                           std::int64_t remainder) {
  ESP_TRY_ASSIGN(const Value rest, Arithmetic(host, lang::BinaryOp::kMod, value, divisor));
  return lang::Equals(host, rest, Value::Int(remainder));
}
template <int remainder>
Outcome<Value> Parity(Host& host, const Value& value, Arguments) {
  ESP_TRY_ASSIGN(const bool holds, HasRemainder(host, value, Value::Int(2), remainder));
  return Value::Bool(holds);
}
Outcome<Value> DivisibleBy(Host& host, const Value& value, Arguments args) {
  ESP_TRY_ASSIGN(const bool holds, HasRemainder(host, value, args[0], 0));
  return Value::Bool(holds);
}

template <auto method>
Outcome<Value> TextIs(Host& host, const Value& value, Arguments) {
  ESP_TRY_ASSIGN(std::string text, lang::Text(host, value));
  return method(host, lang::MakeStr(host.heap(), std::move(text)), {});
}

// Whether there is a filter, or a test, of that name.
template <auto find>
Outcome<Value> IsNameOf(Host& host, const Value& value, Arguments) {
  ESP_TRY_ASSIGN([[maybe_unused]] const auto hash, lang::Hash(host, value));
  return Value::Bool(value.is_str() && find(lang::TextOf(value)) != nullptr);
}

constexpr Test kTests[] = {
    {{"!=", 1, 1, Compares<lang::CompareOp::kNe>}},
    {{"<", 1, 1, Compares<lang::CompareOp::kLt>}},
    {{"<=", 1, 1, Compares<lang::CompareOp::kLe>}},
    {{"==", 1, 1, Compares<lang::CompareOp::kEq>}},
    {{">", 1, 1, Compares<lang::CompareOp::kGt>}},
    {{">=", 1, 1, Compares<lang::CompareOp::kGe>}},
    {{"boolean", 0, 0, HasType<Type::kBool>}},
    {{"callable", 0, 0, Callable}},
    {{"defined", 0, 0, Defined}},
    {{"divisibleby", 1, 1, DivisibleBy}},
    {{"eq", 1, 1, Compares<lang::CompareOp::kEq>}},
    {{"equalto", 1, 1, Compares<lang::CompareOp::kEq>}},
    {{"even", 0, 0, Parity<0>}},
    {{"false", 0, 0, IsBool<false>}},
    {{"filter", 0, 0, IsNameOf<FindFilter>}},
    {{"float", 0, 0, HasType<Type::kFloat>}},
    {{"ge", 1, 1, Compares<lang::CompareOp::kGe>}},
    {{"greaterthan", 1, 1, Compares<lang::CompareOp::kGt>}},
    {{"gt", 1, 1, Compares<lang::CompareOp::kGt>}},
    {{"in", 1, 1, In}},
    {{"integer", 0, 0, HasType<Type::kInt>}},
    {{"iterable", 0, 0, Iterable}},
    {{"le", 1, 1, Compares<lang::CompareOp::kLe>}},
    {{"lessthan", 1, 1, Compares<lang::CompareOp::kLt>}},
    {{"lower", 0, 0, TextIs<lang::str_methods::IsLower>}},
    {{"lt", 1, 1, Compares<lang::CompareOp::kLt>}},
    {{"mapping", 0, 0, HasType<Type::kDict>}},
    {{"ne", 1, 1, Compares<lang::CompareOp::kNe>}},
    {{"none", 0, 0, HasType<Type::kNone>}},
    {{"number", 0, 0, Number}},
    {{"odd", 0, 0, Parity<1>}},
    {{"sameas", 1, 1, SameAs}},
    {{"sequence", 0, 0, IsSequence}},
    {{"string", 0, 0, HasType<Type::kStr>}},
    {{"test", 0, 0, IsNameOf<FindTest>}},
    {{"true", 0, 0, IsBool<true>}},
    {{"undefined", 0, 0, UndefinedTest}},
    {{"upper", 0, 0, TextIs<lang::str_methods::IsUpper>}},
};

}  // namespace

const Test* FindTest(std::string_view name) {
  for (const Test& test : kTests) {
    if (test.method.name == name) return &test;
  }
  return nullptr;
}

}  // namespace espalier::jinja
