// operator: the operators as functions, itemgetter, attrgetter, methodcaller.
#include <array>
#include <string>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/special_methods.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::BinaryOp;

using lang::TypeError;
using Values = std::vector<Value>;

Fault CheckCount(std::string_view function, const Args& args, std::size_t wanted) {
  if (args.keywords.empty() && args.positional.size() == wanted) return Fault();
  return TypeError(std::string(function) + " expected " + std::to_string(wanted) + " argument" +
                   (wanted == 1 ? "" : "s") + ", got " + std::to_string(args.positional.size()));
}

template <BinaryOp op>
Outcome<Value> Operate(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckCount(lang::Symbol(op), args, 2));
  return lang::Binary(host, op, args.positional[0], args.positional[1]);
}

template <lang::CompareOp op>
Outcome<Value> CompareTwo(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckCount(lang::Symbol(op), args, 2));
  return lang::CompareValue(host, op, args.positional[0], args.positional[1]);
}

template <lang::UnaryOp op>
Outcome<Value> OperateOne(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckCount(lang::Symbol(op), args, 1));
  return lang::Unary(host, op, args.positional[0]);
}

Outcome<Value> Not(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("_operator.not_", args, 1, 1));
  ESP_TRY_ASSIGN(const bool truth, lang::Truth(host, args.positional[0]));
  return Value::Bool(!truth);
}

Outcome<Value> TruthOf(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("_operator.truth", args, 1, 1));
  ESP_TRY_ASSIGN(const bool truth, lang::Truth(host, args.positional[0]));
  return Value::Bool(truth);
}

template <bool same>
Outcome<Value> Is(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckCount(same ? "is_" : "is_not", args, 2));
  return Value::Bool(args.positional[0].Is(args.positional[1]) == same);
}

Outcome<Value> ContainsItem(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckCount("contains", args, 2));
  ESP_TRY_ASSIGN(const bool found, lang::Contains(host, args.positional[0], args.positional[1]));
  return Value::Bool(found);
}

Outcome<Value> GetItemOf(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckCount("getitem", args, 2));
  return lang::GetItem(host, args.positional[0], args.positional[1]);
}

Outcome<Value> SetItemOf(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckCount("setitem", args, 3));
  ESP_TRY(lang::SetItem(host, args.positional[0], args.positional[1], args.positional[2]));
  return Value();
}

Outcome<Value> DelItemOf(Host& host, const Value&, const Args& args) {
  ESP_TRY(CheckCount("delitem", args, 2));
  ESP_TRY(lang::DelItem(host, args.positional[0], args.positional[1]));
  return Value();
}

// ---- Getters: their self is a tuple of what they get.

template <Outcome<Value> (*get)(Host&, const Value& object, const Value& what)>
Outcome<Value> GetEach(Host& host, const Value& wanted, const Args& args) {
  ESP_TRY(CheckCount("getter", args, 1));
  const Value held = wanted, object = args.positional[0];
  Values found;
  for (const Value& what : held.As<lang::Tuple>()->items()) {
    ESP_TRY_ASSIGN(Value value, get(host, object, what));
    found.push_back(std::move(value));
  }
  if (found.size() == 1) return found[0];
  return host.heap().New<lang::Tuple>(std::move(found));
}

Outcome<Value> ItemOf(Host& host, const Value& object, const Value& key) {
  return lang::GetItem(host, object, key);
}

// A name may be a path: "a.b".
Outcome<Value> AttributeOf(Host& host, const Value& object, const Value& path) {
  Value value = object;
  std::string_view rest = lang::TextOf(path);
  for (;;) {
    ESP_TRY(host.Step());
    const std::size_t dot = rest.find('.');
    const std::string_view name = rest.substr(0, dot);
    if (!IsAllowedAttribute(name)) {
      return lang::Raise("AttributeError",
                         "the attribute " + std::string(name) + " is not in the language");
    }
    ESP_TRY_ASSIGN(value, lang::GetAttr(host, Value(value), name));
    if (dot == std::string_view::npos) return value;
    rest.remove_prefix(dot + 1);
  }
}

Value AllOf(Host& host, const Args& args) {
  return host.heap().New<lang::Tuple>(Values(args.positional.begin(), args.positional.end()));
}

Outcome<Value> ItemGetter(Host& host, const Value&, const Args& args) {
  if (args.positional.empty()) return TypeError("itemgetter expected 1 argument, got 0");
  return host.heap().New<lang::NativeFunction>("itemgetter", GetEach<ItemOf>, AllOf(host, args));
}

Outcome<Value> AttrGetter(Host& host, const Value&, const Args& args) {
  if (args.positional.empty()) return TypeError("attrgetter expected 1 argument, got 0");
  for (const Value& name : args.positional) {
    if (!name.is_str()) return TypeError("attribute name must be a string");
  }
  return host.heap().New<lang::NativeFunction>("attrgetter", GetEach<AttributeOf>,
                                               AllOf(host, args));
}

// self: the name, then the arguments.
Outcome<Value> CallNamed(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckCount("methodcaller", args, 1));
  const Value held = self;
  const auto& parts = held.As<lang::Tuple>()->items();
  if (!IsAllowedAttribute(lang::TextOf(parts[0]))) {
    return lang::Raise("AttributeError", "this attribute is not in the language");
  }
  return lang::CallAttr(host, args.positional[0], lang::TextOf(parts[0]),
                        Args{std::span(parts).subspan(1), {}});
}

Outcome<Value> MethodCaller(Host& host, const Value&, const Args& args) {
  if (args.positional.empty() || !args.positional[0].is_str()) {
    return TypeError("method name must be a string");
  }
  if (!args.keywords.empty()) return TypeError("methodcaller() takes no keyword arguments here");
  return host.heap().New<lang::NativeFunction>("methodcaller", CallNamed, AllOf(host, args));
}

}  // namespace

Value MakeOperatorModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {
      {"add", Operate<BinaryOp::kAdd>},
      {"concat", Operate<BinaryOp::kAdd>},
      {"sub", Operate<BinaryOp::kSub>},
      {"mul", Operate<BinaryOp::kMul>},
      {"truediv", Operate<BinaryOp::kDiv>},
      {"floordiv", Operate<BinaryOp::kFloorDiv>},
      {"mod", Operate<BinaryOp::kMod>},
      {"pow", Operate<BinaryOp::kPow>},
      {"lshift", Operate<BinaryOp::kLeftShift>},
      {"rshift", Operate<BinaryOp::kRightShift>},
      {"and_", Operate<BinaryOp::kAnd>},
      {"or_", Operate<BinaryOp::kOr>},
      {"xor", Operate<BinaryOp::kXor>},
      {"eq", CompareTwo<lang::CompareOp::kEq>},
      {"ne", CompareTwo<lang::CompareOp::kNe>},
      {"lt", CompareTwo<lang::CompareOp::kLt>},
      {"le", CompareTwo<lang::CompareOp::kLe>},
      {"gt", CompareTwo<lang::CompareOp::kGt>},
      {"ge", CompareTwo<lang::CompareOp::kGe>},
      {"neg", OperateOne<lang::UnaryOp::kMinus>},
      {"pos", OperateOne<lang::UnaryOp::kPlus>},
      {"inv", OperateOne<lang::UnaryOp::kInvert>},
      {"invert", OperateOne<lang::UnaryOp::kInvert>},
      {"not_", Not},
      {"truth", TruthOf},
      {"is_", Is<true>},
      {"is_not", Is<false>},
      {"contains", ContainsItem},
      {"getitem", GetItemOf},
      {"setitem", SetItemOf},
      {"delitem", DelItemOf},
      {"itemgetter", ItemGetter},
      {"attrgetter", AttrGetter},
      {"methodcaller", MethodCaller},
  };
  const Value module = NewModule(machine, "_operator", kFunctions);
  ModuleOf(module).Add("abs", machine.Builtin("abs"));
  return module;
}

}  // namespace espalier::script
