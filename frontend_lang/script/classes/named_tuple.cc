#include "frontend_lang/script/classes/named_tuple.h"

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/build_class.h"
#include "frontend_lang/script/classes/call_binding.h"
#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

// The names of the places; the details of such a class.
class TupleFields final : public lang::Extension {
 public:
  explicit TupleFields(Heap& heap) : Extension(heap, lang::Type::kExtension) {}
  std::string_view TypeName() const override { return "fields"; }

  std::vector<std::string> names;
  std::vector<Value> defaults;  // of the last ones

 private:
  void Clear() override { defaults.clear(); }
};

const TupleFields* TupleFieldsOf(const ClassObject& cls) {
  for (const ClassObject* at : cls.mro()) {
    if (const auto* fields = Exactly<TupleFields>(at->details)) return fields;
  }
  return nullptr;
}

// The getter of one place, as a property's function.
class PlaceGetter final : public lang::Extension {
 public:
  PlaceGetter(Heap& heap, std::int64_t place)
      : Extension(heap, lang::Type::kExtension), place_(place) {}
  std::string_view TypeName() const override { return "itemgetter"; }
  Outcome<Value> Call(Host& host, const Args& args) override {
    return lang::GetItem(host, Value(lang::PlainOf(args.positional[0])), Value::Int(place_));
  }

 private:
  std::int64_t place_;
};

void SetFields(Heap& heap, ClassObject& cls, std::vector<std::string> names,
               std::vector<Value> defaults) {
  const Value held = heap.New<TupleFields>();
  auto& fields = *Exactly<TupleFields>(held);
  std::vector<Value> texts;
  for (std::size_t i = 0; i < names.size(); ++i) {
    texts.push_back(lang::MakeStr(heap, names[i]));
    cls.Put(names[i], heap.New<Property>(heap.New<PlaceGetter>(static_cast<std::int64_t>(i))));
  }
  const Value tuple = heap.New<lang::Tuple>(std::move(texts));
  cls.Put("_fields", tuple);
  cls.Put("__match_args__", tuple);
  fields.names = std::move(names);
  fields.defaults = std::move(defaults);
  cls.details = held;
}

class NamedTupleMetatype final : public Metatype {
 public:
  // class Point(NamedTuple): annotations are the places.
  Outcome<Value> Finish(Host& host, ClassObject& made, const Value&) const override {
    const auto& annotations = *made.annotations.As<lang::Dict>();
    if (annotations.size() == 0 && TupleFieldsOf(made) != nullptr) return Value(&made);
    std::vector<std::string> names;
    std::vector<Value> defaults;
    for (std::size_t at = 0; const auto* entry = annotations.EntryAt(at); ++at) {
      names.emplace_back(lang::TextOf(entry->key));
      const Value* given = made.FindOwn(names.back());
      if (given != nullptr) {
        defaults.push_back(*given);
      } else if (!defaults.empty()) {
        return TypeError(
            fmt::format("Non-default namedtuple field {} cannot follow default field {}",
                        names.back(), names[names.size() - 2]));
      }
    }
    SetFields(host.heap(), made, std::move(names), std::move(defaults));
    return Value(&made);
  }

  // NamedTuple("P", [("x", int), ...])
  Outcome<Value> FromPairs(Host& host, const Args& args) const {
    ESP_TRY_ASSIGN(const auto bound, BindArguments("NamedTuple", args, {"typename", "fields"}, 2));
    if (!bound[0].is_str()) return TypeError("Type names and field names must be strings");
    const Value annotations = host.heap().New<lang::Dict>();
    std::vector<std::string> names;
    ESP_TRY(lang::ForEach(host, bound[1], [&](const Value& pair) -> Fault {
      ESP_TRY_ASSIGN(const auto parts, lang::Collect(host, pair));
      if (parts.size() != 2 || !parts[0].is_str()) {
        return TypeError("NamedTuple() takes a list of (name, type) pairs");
      }
      names.emplace_back(lang::TextOf(parts[0]));
      annotations.As<lang::Dict>()->PutStr(names.back(), parts[1]);
      return Fault();
    }));
    const Value base = NamedTupleClass(static_cast<Machine&>(host));
    Value made = NativeClass(host.heap(), lang::TextOf(bound[0]), *this, {}, base);
    made.As<ClassObject>()->annotations = annotations;
    SetFields(host.heap(), *made.As<ClassObject>(), std::move(names), {});
    return made;
  }

  Outcome<Value> Call(Host& host, ClassObject& cls, const Args& args) const override {
    const TupleFields* fields = TupleFieldsOf(cls);
    if (fields == nullptr) return FromPairs(host, args);
    std::vector<BoundParameter> parameters;
    const std::size_t first_default = fields->names.size() - fields->defaults.size();
    for (std::size_t i = 0; i < fields->names.size(); ++i) {
      parameters.push_back(
          {fields->names[i], BoundParameter::Kind::kPositional, i >= first_default});
    }
    ESP_TRY_ASSIGN(auto values, BindParameters(cls.name() + ".__new__", parameters, args));
    for (std::size_t i = first_default; i < values.size(); ++i) {
      if (values[i].is_unset()) values[i] = fields->defaults[i - first_default];
    }
    return Make(host, cls, std::move(values));
  }

  static Value Make(Host& host, ClassObject& cls, std::vector<Value> values) {
    Value made = host.heap().New<Instance>(cls);
    made.As<Instance>()->payload = host.heap().New<lang::Tuple>(std::move(values));
    return made;
  }
};

const NamedTupleMetatype& NamedTupleClasses() {
  static const NamedTupleMetatype kNamedTuples;
  return kNamedTuples;
}

// The parts of one such tuple, for its methods.
struct Places {
  ClassObject* cls;
  std::vector<std::string> names;
  std::vector<Value> values;
};

Outcome<Places> PlacesOf(const Value& self) {
  const auto* instance = self.If<Instance>();
  const TupleFields* fields = instance == nullptr ? nullptr : TupleFieldsOf(instance->cls());
  if (fields == nullptr || instance->payload.If<lang::Tuple>() == nullptr) {
    return TypeError("this is no named tuple");
  }
  return Places{&instance->cls(), fields->names, instance->payload.As<lang::Tuple>()->items()};
}

Outcome<Value> Repr(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(const Places places, PlacesOf(self));
  std::string out = places.cls->name() + "(";
  for (std::size_t i = 0; i < places.names.size(); ++i) {
    ESP_TRY_ASSIGN(const std::string text, lang::Repr(host, places.values[i]));
    out += (i > 0 ? ", " : "") + places.names[i] + "=" + text;
  }
  return lang::MakeStr(host.heap(), out + ")");
}

Outcome<Value> AsDict(Host& host, const Value& self, const Args&) {
  ESP_TRY_ASSIGN(const Places places, PlacesOf(self));
  const Value made = host.heap().New<lang::Dict>();
  for (std::size_t i = 0; i < places.names.size(); ++i) {
    made.As<lang::Dict>()->PutStr(places.names[i], places.values[i]);
  }
  return made;
}

Outcome<Value> Replace(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(Places places, PlacesOf(self));
  std::string unknown;
  for (const lang::Keyword& keyword : args.keywords) {
    bool found = false;
    for (std::size_t i = 0; i < places.names.size(); ++i) {
      if (places.names[i] != keyword.name) continue;
      places.values[i] = keyword.value;
      found = true;
    }
    if (!found) unknown += fmt::format("{}'{}'", unknown.empty() ? "" : ", ", keyword.name);
  }
  if (!unknown.empty()) {
    return lang::ValueError(fmt::format("Got unexpected field names: [{}]", unknown));
  }
  return NamedTupleMetatype::Make(host, *places.cls, std::move(places.values));
}

Outcome<Value> MakeFromItems(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("_make", args, 1, 1));
  auto* cls = self.If<ClassObject>();
  const TupleFields* fields = cls == nullptr ? nullptr : TupleFieldsOf(*cls);
  if (fields == nullptr) return TypeError("_make() is a method of a named tuple class");
  ESP_TRY_ASSIGN(auto items, lang::Collect(host, args.positional[0]));
  if (items.size() != fields->names.size()) {
    return TypeError(
        fmt::format("Expected {} arguments, got {}", fields->names.size(), items.size()));
  }
  return NamedTupleMetatype::Make(host, *cls, std::move(items));
}

constexpr NativeMethod::Row kMethods[] = {
    {"__repr__", Repr},
    {"_asdict", AsDict},
    {"_replace", Replace},
    {"_make", MakeFromItems, NativeMethod::Binds::kClass},
};

Outcome<std::vector<std::string>> ReadNames(Host& host, Value given) {
  if (given.is_str()) {
    std::string text(lang::TextOf(given));
    for (char& c : text) c = c == ',' ? ' ' : c;
    ESP_TRY_ASSIGN(given,
                   lang::CallAttr(host, lang::MakeStr(host.heap(), std::move(text)), "split", {}));
  }
  ESP_TRY_ASSIGN(const auto items, lang::Collect(host, given));
  std::vector<std::string> names;
  for (const Value& item : items) {
    if (!item.is_str()) return TypeError("Type names and field names must be strings");
    names.emplace_back(lang::TextOf(item));
    if (names.back().starts_with('_')) {
      return lang::ValueError(
          fmt::format("Field names cannot start with an underscore: '{}'", names.back()));
    }
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
      if (names[i] != names.back()) continue;
      return lang::ValueError(fmt::format("Encountered duplicate field name: '{}'", names.back()));
    }
  }
  return names;
}

}  // namespace

Value NamedTupleClass(Machine& machine) {
  const Value known = machine.Builtin(".NamedTuple");
  if (!known.is_unset()) return known;
  ClassObject::Parts parts{"NamedTuple", "NamedTuple", "", {}, {}};
  parts.metatype = &NamedTupleClasses();
  parts.payload_type = machine.Builtin("tuple");
  Value made = machine.heap().New<ClassObject>(std::move(parts));
  for (const NativeMethod::Row& row : kMethods) {
    made.As<ClassObject>()->Put(row.name, machine.heap().New<NativeMethod>(row));
  }
  machine.AddBuiltin(".NamedTuple", made);
  return made;
}

Outcome<Value> NamedTupleFunction(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("namedtuple", args,
                               {"typename", "field_names", "rename", "defaults", "module"}, 2));
  if (!bound[0].is_str()) return TypeError("Type names and field names must be strings");
  ESP_TRY_ASSIGN(auto names, ReadNames(host, bound[1]));
  std::vector<Value> defaults;
  if (!bound[3].is_unset() && !bound[3].is_none()) {
    ESP_TRY_ASSIGN(defaults, lang::Collect(host, bound[3]));
  }
  if (defaults.size() > names.size()) return TypeError("Got more default values than field names");
  const Value base = NamedTupleClass(static_cast<Machine&>(host));
  Value made = NativeClass(host.heap(), lang::TextOf(bound[0]), NamedTupleClasses(), {}, base);
  SetFields(host.heap(), *made.As<ClassObject>(), std::move(names), std::move(defaults));
  return made;
}

}  // namespace espalier::script
