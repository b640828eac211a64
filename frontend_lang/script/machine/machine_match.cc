// The part of Machine that matches patterns.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/modules/deque.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

bool IsSequence(const Value& value) {
  switch (value.type()) {
    case lang::Type::kList:
    case lang::Type::kTuple:
    case lang::Type::kRange: return true;
    default: return value.is_extension() && Exactly<Deque>(value) != nullptr;
  }
}

// Built-in types whose one positional pattern is the value itself.
bool MatchesItself(std::string_view type) {
  constexpr std::string_view kTypes[] = {"bool", "bytearray", "bytes", "dict", "float", "frozenset",
                                         "int",  "list",      "set",   "str",  "tuple"};
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

}  // namespace

Fault Machine::ExecuteMatch(Instruction instruction) {
  const int arg = instruction.arg;
  switch (instruction.op) {
    case Op::kMatchSequence: PushBool(IsSequence(Top())); return Fault();
    case Op::kMatchLength: {
      ESP_TRY_ASSIGN(const std::int64_t length, lang::Length(*this, Value(Top())));
      PushBool((arg & 1) != 0 ? length >= arg >> 1 : length == arg >> 1);
      return Fault();
    }
    case Op::kMatchMapping: return MatchMapping(arg);
    case Op::kMatchKeys: return MatchKeys();
    case Op::kMatchRest: return MatchRest();
    case Op::kMatchClass:
      return MatchClass(frame().file->program->call_shapes[static_cast<std::size_t>(arg)]);
    case Op::kCapture: {
      Value value = Pop();
      Top(static_cast<std::size_t>(arg & 0xFFFF))
          .As<lang::List>()
          ->Put(arg >> 16, std::move(value));
      return Fault();
    }
    default: ESP_CHECK(false) << "no such instruction"; return Fault();
  }
}

Fault Machine::MatchMapping(int least) {
  const Value subject = Top();
  const bool mapping = subject.type() == lang::Type::kDict ||
                       (HasSpecial(subject, "keys") && HasSpecial(subject, "get"));
  std::int64_t length = 0;
  if (mapping) {
    ESP_TRY_ASSIGN(length, lang::Length(*this, subject));
  }
  PushBool(mapping && length >= least);
  return Fault();
}

// x keys -> x keys values bool
Fault Machine::MatchKeys() {
  const Value keys = Top();
  const Value subject = Top(1);
  std::vector<Value> values;
  for (const Value& key : keys.As<lang::Tuple>()->items()) {
    ESP_TRY_ASSIGN(const bool found, lang::Contains(*this, subject, key));
    if (!found) {
      Push(Value());
      PushBool(false);
      return Fault();
    }
    ESP_TRY_ASSIGN(Value value, lang::GetItem(*this, subject, key));
    values.push_back(std::move(value));
  }
  Push(heap().New<lang::Tuple>(std::move(values)));
  PushBool(true);
  return Fault();
}

// x keys -> dict
Fault Machine::MatchRest() {
  const Value keys = Pop();
  const Value subject = Pop();
  Value rest = heap().New<lang::Dict>();
  lang::Dict& dict = *rest.As<lang::Dict>();
  ESP_TRY(lang::ForEach(*this, subject, [&](const Value& key) -> Fault {
    ESP_TRY_ASSIGN(Value value, lang::GetItem(*this, subject, key));
    return dict.Put(*this, key, std::move(value));
  }));
  for (const Value& key : keys.As<lang::Tuple>()->items()) {
    ESP_TRY_ASSIGN([[maybe_unused]] const bool erased, dict.Erase(*this, key));
  }
  Push(std::move(rest));
  return Fault();
}

// Names of the attributes behind a class pattern's positional parts.
Outcome<std::vector<std::string>> Machine::MatchArguments(const Value& type, int count) {
  std::vector<std::string> names;
  if (count == 0) return names;
  ESP_TRY_ASSIGN(const std::string class_name, TypeNameOf(type));
  auto declared = lang::GetAttr(*this, type, "__match_args__");
  const auto* tuple = declared.ok() ? declared->If<lang::Tuple>() : nullptr;
  if (declared.ok() && tuple == nullptr) {
    return lang::TypeError(fmt::format("{}.__match_args__ must be a tuple (got {})", class_name,
                                       lang::TypeName(*declared)));
  }
  const std::int64_t most = tuple == nullptr ? 0 : tuple->size();
  if (count > most) {
    return lang::TypeError(fmt::format("{}() accepts {} positional sub-pattern{} ({} given)",
                                       class_name, most, most == 1 ? "" : "s", count));
  }
  for (int i = 0; i < count; ++i) {
    if (!(*tuple)[i].is_str()) {
      return lang::TypeError(fmt::format("__match_args__ elements must be strings (got {})",
                                         lang::TypeName((*tuple)[i])));
    }
    names.emplace_back(lang::TextOf((*tuple)[i]));
  }
  return names;
}

Outcome<std::string> Machine::TypeNameOf(const Value& type) {
  ESP_TRY_ASSIGN(const Value name, lang::GetAttr(*this, type, "__name__"));
  return std::string(name.is_str() ? lang::TextOf(name) : "?");
}

// x type -> parts bool
Fault Machine::MatchClass(const CallShape& shape) {
  const Value type = Pop();
  const Value subject = Top();
  const Value asked[] = {subject, type};
  auto is = Call(Builtin("isinstance"), Args{asked, {}});
  if (!is.ok()) {
    if (is.error().type != "TypeError") return is.TakeFault();
    return lang::TypeError("called match pattern must be a type");
  }
  Top() = Value();
  if (!is->as_bool()) {
    PushBool(false);
    return Fault();
  }
  std::vector<Value> parts;
  std::vector<std::string> names;
  const auto* built_in = Exactly<TypeObject>(type);
  if (built_in != nullptr && shape.num_positional > 0 && MatchesItself(built_in->name())) {
    if (shape.num_positional > 1) {
      return lang::TypeError(fmt::format("{}() accepts 1 positional sub-pattern ({} given)",
                                         built_in->name(), shape.num_positional));
    }
    parts.push_back(subject);
  } else {
    ESP_TRY_ASSIGN(names, MatchArguments(type, shape.num_positional));
  }
  for (const std::string& keyword : shape.keywords) {
    if (std::find(names.begin(), names.end(), keyword) != names.end()) {
      ESP_TRY_ASSIGN(const std::string class_name, TypeNameOf(type));
      return lang::TypeError(
          fmt::format("{}() got multiple sub-patterns for attribute '{}'", class_name, keyword));
    }
    names.push_back(keyword);
  }
  for (const std::string& name : names) {
    auto part = lang::GetAttr(*this, subject, name);
    if (!part.ok()) {
      if (!IsA(part.error(), "AttributeError")) return part.TakeFault();
      PushBool(false);
      return Fault();
    }
    parts.push_back(std::move(*part));
  }
  Top() = heap().New<lang::Tuple>(std::move(parts));
  PushBool(true);
  return Fault();
}

}  // namespace espalier::script
