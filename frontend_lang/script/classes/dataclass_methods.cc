#include "frontend_lang/script/classes/dataclass_methods.h"

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/call_binding.h"
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/hash.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using Kind = BoundParameter::Kind;

// The fields of a class, held: what a method calls may decorate the class again.
class HeldFields {
 public:
  explicit HeldFields(const ClassObject& owner) : held_(owner.details) {}

  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }

 private:
  const std::vector<DataclassField>& all() const { return Exactly<DataclassFields>(held_)->fields; }

  Value held_;
};

Outcome<Value> DefaultOf(Host& host, const DataclassField& field) {
  if (field.factory.is_unset()) return field.default_value;
  return host.Call(Value(field.factory), {});
}

bool HasProperty(const ClassObject& cls, std::string_view name) {
  const Value* found = cls.Find(name);
  return found != nullptr && Exactly<Property>(*found) != nullptr;
}

Outcome<Value> Init(Host& host, ClassObject& owner, const Value& self, const Args& args) {
  const HeldFields fields(owner);
  auto& instance = *self.As<Instance>();
  std::vector<BoundParameter> parameters;
  for (const DataclassField& field : fields) {
    if (!field.in_init) continue;
    parameters.push_back({field.name, field.keyword_only ? Kind::kKeywordOnly : Kind::kPositional,
                          field.has_default()});
  }
  ESP_TRY_ASSIGN(auto bound,
                 BindParameters(owner.qualified_name() + ".__init__", parameters, args));
  std::vector<Value> init_only;
  std::size_t next = 0;
  for (const DataclassField& field : fields) {
    Value value = field.in_init ? bound[next++] : Value::Unset();
    if (value.is_unset()) {
      if (!field.has_default()) continue;  // not of __init__, and without a default
      ESP_TRY_ASSIGN(value, DefaultOf(host, field));
    }
    if (field.init_only) {
      init_only.push_back(std::move(value));
    } else if (HasProperty(instance.cls(), field.name)) {
      ESP_TRY_ASSIGN(const bool done, instance.SetAttr(host, field.name, std::move(value)));
      (void)done;
    } else {
      ESP_TRY(instance.PutOwn(host, field.name, std::move(value)));
    }
  }
  if (instance.cls().Find("__post_init__") == nullptr) return Value();
  ESP_TRY_ASSIGN(const Value post, lang::GetAttr(host, self, "__post_init__"));
  ESP_TRY_ASSIGN(const Value ignored, host.Call(post, Args{init_only, {}}));
  return ignored.is_unset() ? ignored : Value();
}

Outcome<Value> Repr(Host& host, ClassObject& owner, const Value& self, const Args&) {
  lang::NestedScope scope(host);
  ESP_TRY(scope.Check());
  const HeldFields fields(owner);
  std::string out = self.As<Instance>()->cls().qualified_name() + "(";
  bool first = true;
  for (const DataclassField& field : fields) {
    if (!field.in_repr || field.init_only) continue;
    ESP_TRY_ASSIGN(const Value value, lang::GetAttr(host, self, field.name));
    ESP_TRY_ASSIGN(const std::string text, lang::Repr(host, value));
    out += fmt::format("{}{}=", std::exchange(first, false) ? "" : ", ", field.name);
    out += text;
    ESP_TRY(host.Reserve(static_cast<std::int64_t>(out.size())));
  }
  return lang::MakeStr(host.heap(), out + ")");
}

// The fields that count in comparisons, as a tuple.
Outcome<Value> Comparable(Host& host, const ClassObject& owner, const Value& self) {
  const HeldFields fields(owner);
  std::vector<Value> values;
  for (const DataclassField& field : fields) {
    if (!field.in_compare || field.init_only) continue;
    ESP_TRY_ASSIGN(Value value, lang::GetAttr(host, self, field.name));
    values.push_back(std::move(value));
  }
  return host.heap().New<lang::Tuple>(std::move(values));
}

template <lang::CompareOp op>
Outcome<Value> Compare(Host& host, ClassObject& owner, const Value& self, const Args& args) {
  lang::NestedScope scope(host);
  ESP_TRY(scope.Check());
  ESP_TRY(CheckPositional("comparison", args, 1, 1));
  const auto* other = args.positional[0].If<Instance>();
  if (other == nullptr || &other->cls() != &self.As<Instance>()->cls()) {
    return static_cast<Machine&>(host).Builtin("NotImplemented");
  }
  ESP_TRY_ASSIGN(const Value left, Comparable(host, owner, self));
  ESP_TRY_ASSIGN(const Value right, Comparable(host, owner, args.positional[0]));
  ESP_TRY_ASSIGN(const bool holds, lang::Compare(host, op, left, right));
  return Value::Bool(holds);
}

Outcome<Value> Hash(Host& host, ClassObject& owner, const Value& self, const Args&) {
  lang::NestedScope scope(host);
  ESP_TRY(scope.Check());
  ESP_TRY_ASSIGN(const Value values, Comparable(host, owner, self));
  ESP_TRY_ASSIGN(const std::uint64_t hash, lang::Hash(host, values));
  return Value::Int(static_cast<std::int64_t>(hash));
}

bool IsField(const ClassObject& owner, std::string_view name) {
  for (const DataclassField& field : HeldFields(owner)) {
    if (field.name == name) return true;
  }
  return false;
}

Fault CheckFrozen(const ClassObject& owner, const Value& self, const Value& name,
                  std::string_view verb) {
  const std::string_view text = lang::TextOf(name);
  if (&self.As<Instance>()->cls() != &owner && !IsField(owner, text)) return Fault();
  return lang::Raise("FrozenInstanceError", fmt::format("cannot {} field '{}'", verb, text));
}

Fault CheckName(const Value& name) {
  if (name.is_str()) return Fault();
  return lang::TypeError("attribute name must be string, not '" +
                         std::string(lang::TypeName(name)) + "'");
}

Outcome<Value> SetAttr(Host& host, ClassObject& owner, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__setattr__", args, 2, 2));
  ESP_TRY(CheckName(args.positional[0]));
  ESP_TRY(CheckFrozen(owner, self, args.positional[0], "assign to"));
  ESP_TRY_ASSIGN(const bool done, self.As<Instance>()->DefaultSetAttr(
                                      host, lang::TextOf(args.positional[0]), args.positional[1]));
  return done ? Value() : Value::Unset();
}

Outcome<Value> DelAttr(Host& host, ClassObject& owner, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("__delattr__", args, 1, 1));
  ESP_TRY(CheckName(args.positional[0]));
  ESP_TRY(CheckFrozen(owner, self, args.positional[0], "delete"));
  ESP_TRY(self.As<Instance>()->DefaultDelAttr(host, lang::TextOf(args.positional[0])));
  return Value();
}

}  // namespace

Fault AddDataclassMethods(Host& host, ClassObject& cls, const DataclassFields& fields) {
  const DataclassOptions& options = fields.options;
  const auto add = [&](std::string_view name, OwnedMethod::Code code) {
    cls.Put(name, host.heap().New<OwnedMethod>(name, code, cls));
  };
  const auto add_missing = [&](bool wanted, std::string_view name, OwnedMethod::Code code) {
    if (wanted && cls.FindOwn(name) == nullptr) add(name, code);
  };
  const Value* own_hash = cls.FindOwn("__hash__");
  const bool has_hash = own_hash != nullptr && !own_hash->is_none();
  if (options.order && !options.eq) {
    return lang::ValueError("eq must be true if order is true");
  }
  add_missing(options.init, "__init__", Init);
  add_missing(options.repr, "__repr__", Repr);
  add_missing(options.eq, "__eq__", Compare<lang::CompareOp::kEq>);
  if (options.order) {
    for (const std::string_view name : {"__lt__", "__le__", "__gt__", "__ge__"}) {
      if (cls.FindOwn(name) == nullptr) continue;
      return lang::TypeError(
          fmt::format("Cannot overwrite attribute {} in class {}. Consider using "
                      "functools.total_ordering",
                      name, cls.name()));
    }
  }
  add_missing(options.order, "__lt__", Compare<lang::CompareOp::kLt>);
  add_missing(options.order, "__le__", Compare<lang::CompareOp::kLe>);
  add_missing(options.order, "__gt__", Compare<lang::CompareOp::kGt>);
  add_missing(options.order, "__ge__", Compare<lang::CompareOp::kGe>);
  if (options.unsafe_hash || (options.eq && options.frozen && !has_hash)) {
    add("__hash__", Hash);
  } else if (options.eq && !has_hash) {
    cls.Put("__hash__", Value());
  }
  if (options.frozen) {
    add("__setattr__", SetAttr);
    add("__delattr__", DelAttr);
  }
  if (options.slots) {
    cls.slots.emplace();
    for (const DataclassField& field : fields.fields) cls.slots->insert(field.name);
  }
  return Fault();
}

}  // namespace espalier::script
