#include "frontend_lang/script/values/methods.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/special_attributes.h"
#include "frontend_lang/script/values/suggest.h"

namespace espalier::lang {
namespace {

constexpr int kMostArgs = 4;

std::string Arguments(int count) {
  return std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

// CPython words a wrong count in three ways, by how a method is declared.
Fault WrongCount(const Method& method, const Value& self, int given) {
  const std::string name(method.name);
  const std::string full = std::string(TypeName(self)) + "." + name;
  const std::string got = " (" + std::to_string(given) + " given)";
  if (method.max_args == 0) return TypeError(full + "() takes no arguments" + got);
  if (method.names.empty() && method.min_args == 1 && method.max_args == 1) {
    return TypeError(full + "() takes exactly one argument" + got);
  }
  const bool few = given < method.min_args;
  const int bound = few ? method.min_args : method.max_args;
  const std::string side = method.min_args == method.max_args ? "" : few ? "at least " : "at most ";
  if (method.names.empty() && method.wording == CountWording::kExpected) {
    return TypeError(name + " expected " + side + Arguments(bound) + ", got " +
                     std::to_string(given));
  }
  return TypeError(name + "() takes " + side + Arguments(bound) + got);
}

// The place of a named argument, or -1.
int PlaceOf(std::string_view names, std::string_view name) {
  for (int place = 0; !names.empty(); ++place) {
    const std::size_t blank = std::min(names.find(' '), names.size());
    if (names.substr(0, blank) == name) return place;
    names.remove_prefix(std::min(blank + 1, names.size()));
  }
  return -1;
}

Fault PlaceKeywords(const Method& method, const Value& self, const Args& args,
                    std::span<Value> places) {
  for (const Keyword& keyword : args.keywords) {
    if (method.names.empty()) {
      return TypeError(std::string(TypeName(self)) + "." + std::string(method.name) +
                       "() takes no keyword arguments");
    }
    const int place = PlaceOf(method.names, keyword.name);
    if (place < 0) {
      return TypeError("'" + std::string(keyword.name) + "' is an invalid keyword argument for " +
                       std::string(method.name) + "()");
    }
    Value& slot = places[static_cast<std::size_t>(place)];
    if (!slot.is_unset()) {
      return TypeError("argument for " + std::string(method.name) + "() given by name ('" +
                       std::string(keyword.name) + "') and position (" + std::to_string(place + 1) +
                       ")");
    }
    slot = keyword.value;
  }
  return Fault();
}

// A method of a built-in type bound to its object.
class BoundMethod final : public Extension {
 public:
  BoundMethod(Heap& heap, const Method& method, Value self)
      : Extension(heap, Type::kFunction), method_(method), self_(std::move(self)) {}

  std::string_view TypeName() const override { return "builtin_function_or_method"; }
  Outcome<Value> Call(Host& host, const Args& args) override {
    const Value self = self_;
    return CallMethod(host, method_, self, args);
  }
  Outcome<std::string> Repr(Host&) override {
    return "<built-in method " + std::string(method_.name) + " of " +
           std::string(lang::TypeName(self_)) + " object>";
  }

 private:
  void Clear() override { self_ = Value(); }

  const Method& method_;
  Value self_;
};

std::span<const Method> MethodsOf(Type type) {
  switch (type) {
    case Type::kStr: return StrMethods();
    case Type::kList: return ListMethods();
    case Type::kTuple: return TupleMethods();
    case Type::kDict: return DictMethods();
    case Type::kSet: return SetMethods();
    case Type::kRange: return RangeMethods();
    case Type::kSlice: return SliceMethods();
    case Type::kBool:
    case Type::kInt:
    case Type::kBigInt: return IntMethods();
    case Type::kFloat: return FloatMethods();
    default: return {};
  }
}

Fault NoAttribute(const Value& self, std::string_view name) {
  const std::vector<std::string> own = script::AttributeNames(self);
  std::vector<std::string_view> names(own.begin(), own.end());
  for (const Method& method : MethodsOf(self.type())) names.push_back(method.name);
  return RaiseWithHint(
      "AttributeError",
      "'" + std::string(TypeName(self)) + "' object has no attribute '" + std::string(name) + "'",
      DidYouMean(ClosestName(name, names)));
}

// As a str's method takes it: the value that it stands for, but for containers, which may
// have items of their own making.
Value AsArgument(const Value& given) {
  const Value& plain = PlainOf(given);
  return plain.If<Dict>() != nullptr || plain.If<List>() != nullptr ? given : plain;
}

bool ChangesSet(std::string_view method) {
  constexpr std::string_view kChanging[] = {"add", "clear", "discard", "pop", "remove", "update"};
  return method.ends_with("_update") || std::ranges::find(kChanging, method) != std::end(kChanging);
}

// The attributes that are no methods.
Outcome<Value> GetConstant(Host&, const Value& self, std::string_view name) {
  if (const Range* range = self.If<Range>()) {
    if (name == "start") return Value::Int(range->start());
    if (name == "stop") return Value::Int(range->stop());
    if (name == "step") return Value::Int(range->step());
  }
  if (const Slice* slice = self.If<Slice>()) {
    if (name == "start") return slice->start();
    if (name == "stop") return slice->stop();
    if (name == "step") return slice->step();
  }
  if (const Dict* dict = self.If<Dict>(); dict != nullptr && name == "default_factory") {
    if (dict->kind() != nullptr && dict->kind()->has_factory) return dict->default_factory();
  }
  const Value number = self.is_bool() ? Value::Int(self.as_int()) : self;
  if (self.is_number() && name == "real") return number;
  if (self.is_number() && name == "imag") return self.is_float() ? Value::Float(0) : Value::Int(0);
  if (self.is_integer() && name == "numerator") return number;
  if (self.is_integer() && name == "denominator") return Value::Int(1);
  return NoAttribute(self, name);
}

}  // namespace

const Method* FindMethod(Type type, std::string_view name) { return FindIn(MethodsOf(type), name); }

bool IsOfKind(const Value& self) {
  if (const Dict* dict = self.If<Dict>()) return dict->kind() != nullptr;
  const Set* set = self.If<Set>();
  return set != nullptr && set->frozen();
}

const Method* FindMethod(const Value& self, std::string_view name) {
  if (const Dict* dict = self.If<Dict>(); dict != nullptr && dict->kind() != nullptr) {
    const auto find = dict->kind()->find_method;
    const Method* own = find == nullptr ? nullptr : find(name);
    if (own != nullptr) return own;
  }
  const Method* method = FindMethod(self.type(), name);
  if (method == nullptr) return FindSpecialMethod(self, name);
  const Set* set = self.If<Set>();
  const bool hidden = set != nullptr && set->frozen() && ChangesSet(method->name);
  return hidden ? nullptr : method;
}

const Method* FindIn(std::span<const Method> methods, std::string_view name) {
  const auto at = std::ranges::lower_bound(methods, name, {}, &Method::name);
  return at != methods.end() && at->name == name ? &*at : nullptr;
}

Outcome<Value> CallMethod(Host& host, const Method& method, const Value& self, const Args& args) {
  ESP_TRY(host.Step());
  if (method.raw_code != nullptr) return method.raw_code(host, self, args);
  const int given = static_cast<int>(args.positional.size());
  if (given > method.max_args) return WrongCount(method, self, given);
  std::array<Value, kMostArgs> places;
  places.fill(Value::Unset());
  std::copy(args.positional.begin(), args.positional.end(), places.begin());
  ESP_TRY(PlaceKeywords(method, self, args, places));
  if (self.is_str()) {
    for (Value& place : places) place = AsArgument(place);
  }
  for (int i = 0; i < method.min_args; ++i) {
    if (places[static_cast<std::size_t>(i)].is_unset()) return WrongCount(method, self, given);
  }
  return method.code(host, self,
                     std::span(places).first(static_cast<std::size_t>(method.max_args)));
}

Outcome<Value> GetAttr(Host& host, const Value& self, std::string_view name) {
  if (self.is_extension()) {
    ESP_TRY_ASSIGN(Value attribute, ExtensionOf(self).GetAttr(host, name));
    if (!attribute.is_unset()) return attribute;
    const Method* special = FindSpecialMethod(self, name);
    if (special == nullptr) return NoAttribute(self, name);
    return host.heap().New<BoundMethod>(*special, self);
  }
  const Method* method = FindMethod(self, name);
  if (method == nullptr) return GetConstant(host, self, name);
  return host.heap().New<BoundMethod>(*method, self);
}

Outcome<Value> CallAttr(Host& host, const Value& self, std::string_view name, const Args& args) {
  if (!self.is_extension()) {
    const Method* method = FindMethod(self, name);
    if (method != nullptr) return CallMethod(host, *method, self, args);
  }
  ESP_TRY_ASSIGN(const Value callee, GetAttr(host, self, name));
  return host.Call(callee, args);
}

}  // namespace espalier::lang
