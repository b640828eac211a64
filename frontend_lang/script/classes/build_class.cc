#include "frontend_lang/script/classes/build_class.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/classes/metaclass.h"
#include "frontend_lang/script/classes/payload.h"
#include "frontend_lang/script/classes/protocol.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/classes/type_relations.h"
#include "frontend_lang/script/machine/error_object.h"
#include "frontend_lang/script/machine/machine.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

constexpr std::size_t kMaxAncestors = 100;

// The order in which ancestors are asked: each class before its bases, and bases in the
// order of the class statement (C3; Barrett et al., 1996).
Outcome<std::vector<ClassObject*>> Linearize(const std::vector<Value>& bases) {
  std::vector<std::vector<ClassObject*>> lists;
  std::vector<ClassObject*> direct, mro;
  for (const Value& base : bases) {
    lists.push_back(base.As<ClassObject>()->mro());
    direct.push_back(base.As<ClassObject>());
  }
  lists.push_back(direct);
  const auto in_tail = [&](const ClassObject* cls) {
    return std::ranges::any_of(lists, [cls](const auto& list) {
      return !list.empty() && std::find(list.begin() + 1, list.end(), cls) != list.end();
    });
  };
  while (true) {
    std::erase_if(lists, [](const auto& list) { return list.empty(); });
    if (lists.empty()) return mro;
    const auto next =
        std::ranges::find_if(lists, [&](const auto& list) { return !in_tail(list[0]); });
    if (next == lists.end()) {
      std::string names;
      for (const ClassObject* cls : direct) names += (names.empty() ? "" : ", ") + cls->name();
      return TypeError("Cannot create a consistent method resolution\norder (MRO) for bases " +
                       names);
    }
    ClassObject* const taken = (*next)[0];
    mro.push_back(taken);
    for (auto& list : lists) {
      if (!list.empty() && list[0] == taken) list.erase(list.begin());
    }
  }
}

Fault Layout(const Value& payload_type, const ErrorKind* error_kind, ClassObject::Parts& parts) {
  if (!payload_type.is_unset()) {
    if (parts.error_kind != nullptr ||
        (!parts.payload_type.is_unset() && !parts.payload_type.Is(payload_type))) {
      return TypeError("multiple bases have instance lay-out conflict");
    }
    parts.payload_type = payload_type;
  }
  if (error_kind != nullptr) {
    if (!parts.payload_type.is_unset()) {
      return TypeError("multiple bases have instance lay-out conflict");
    }
    if (parts.error_kind == nullptr || IsSubkind(error_kind->name, parts.error_kind->name)) {
      parts.error_kind = error_kind;
    }
  }
  return Fault();
}

Fault AddBase(Host& host, const Value& base, ClassObject::Parts& parts) {
  if (const auto* cls = base.If<ClassObject>()) {
    if (std::ranges::any_of(parts.bases, [&](const Value& other) { return other.Is(base); })) {
      return TypeError("duplicate base class " + cls->name());
    }
    ESP_TRY(Layout(cls->payload_type(), cls->error_kind(), parts));
    if (&cls->metatype() != &OrdinaryClasses()) parts.metatype = &cls->metatype();
    parts.bases.push_back(base);
    return Fault();
  }
  if (const auto* error = Exactly<ErrorType>(base)) {
    parts.error_bases.push_back(&error->kind());
    return Layout(Value::Unset(), &error->kind(), parts);
  }
  if (const auto* type = Exactly<TypeObject>(base)) {
    if (type->name() == "object") return Fault();
    if (CanCarry(type->name())) return Layout(base, nullptr, parts);
    return TypeError(fmt::format("type '{}' is not an acceptable base type", type->name()));
  }
  if (const auto* form = Exactly<TypeForm>(base)) {  // Generic[T], List[int]
    if (form->origin_name() == "Generic" || form->origin_name() == "Protocol") return Fault();
    return AddBase(host, Value(form->origin()), parts);
  }
  if (const auto* name = Exactly<TypingName>(base)) {
    if (name->name() == "Generic" || name->name() == "Protocol") return Fault();
    ESP_TRY_ASSIGN(const Value meant, ClassMeantBy(host, base));
    if (!meant.is_unset()) return AddBase(host, meant, parts);
  }
  return TypeError(fmt::format("a class cannot derive from a '{}'", lang::TypeName(base)));
}

bool IsAbstract(const Value& value) {
  const Value* function = &value;
  if (const auto* property = Exactly<Property>(value)) function = &property->getter;
  if (const auto* method = Exactly<StaticMethod>(value)) function = &method->function;
  if (const auto* method = Exactly<ClassMethod>(value)) function = &method->function;
  const auto* script = Exactly<ScriptFunction>(*function);
  return script != nullptr && script->is_abstract();
}

// Counts where ABC stands among the ancestors.
void FindAbstract(ClassObject& cls) {
  const bool checked = std::ranges::any_of(
      cls.mro(), [](const ClassObject* at) { return at->name() == "ABC" && at->bases().empty(); });
  if (!checked) return;
  for (const ClassObject* at : cls.mro()) {
    for (const ClassObject::Attribute& attribute : at->attributes()) {
      const Value* found = cls.Find(attribute.name);
      if (found != nullptr && IsAbstract(*found)) cls.abstract_names.push_back(attribute.name);
    }
  }
  std::ranges::sort(cls.abstract_names);
  const auto repeated = std::ranges::unique(cls.abstract_names);
  cls.abstract_names.erase(repeated.begin(), repeated.end());
}

// Attributes are restricted where every class on the way has __slots__.
Fault ReadSlots(Host& host, ClassObject& cls) {
  std::unordered_set<std::string> names;
  for (const ClassObject* at : cls.mro()) {
    const Value* slots = at->FindOwn("__slots__");
    if (slots == nullptr) return Fault();
    if (slots->is_str()) {
      names.emplace(lang::TextOf(*slots));
      continue;
    }
    ESP_TRY_ASSIGN(const auto items, lang::Collect(host, Value(*slots)));
    for (const Value& item : items) {
      if (!item.is_str()) return TypeError("__slots__ items must be strings");
      names.emplace(lang::TextOf(item));
    }
  }
  if (cls.error_kind() == nullptr) cls.slots = std::move(names);
  return Fault();
}

// Tells the nearest ancestor that wants to know, as Python does.
Fault CallInitSubclass(Host& host, ClassObject& cls, const Value& keywords) {
  for (std::size_t i = 1; i < cls.mro().size(); ++i) {
    const Value* found = cls.mro()[i]->FindOwn("__init_subclass__");
    if (found == nullptr) continue;
    const auto* method = Exactly<ClassMethod>(*found);
    const Value function = method != nullptr ? method->function : *found, self(&cls);
    std::vector<lang::Keyword> given;
    const auto& dict = *keywords.As<lang::Dict>();
    for (std::size_t at = 0; const auto* entry = dict.EntryAt(at); ++at) {
      const std::string_view name = lang::TextOf(entry->key);
      if (name != "metaclass") given.push_back({name, entry->value});
    }
    auto ignored = host.Call(function, Args{{&self, 1}, given});
    return ignored.ok() ? Fault() : ignored.TakeFault();
  }
  return Fault();
}

bool IsAbcMeta(const ClassObject& cls) { return cls.name() == "ABCMeta" && cls.module() == "abc"; }
// One of the language's own, which has no methods that a program could see.
bool IsOwnMeta(const ClassObject& cls) {
  return IsAbcMeta(cls) || (cls.name() == "EnumType" && cls.module() == "enum");
}

// A class that ABCMeta or a metaclass that derives from it makes is one of ABC's.
Fault AddAbstractBase(Host& host, const ClassObject& metaclass, ClassObject::Parts& parts) {
  if (std::ranges::none_of(metaclass.mro(), [](const auto* at) { return IsAbcMeta(*at); })) {
    return Fault();
  }
  ESP_TRY_ASSIGN(const Value module, static_cast<Machine&>(host).Import("abc"));
  ESP_TRY_ASSIGN(const Value base, lang::ExtensionOf(module).GetAttr(host, "ABC"));
  const auto derives = [&](const Value& known) {
    return known.As<ClassObject>()->DerivesFrom(*base.As<ClassObject>());
  };
  if (std::ranges::none_of(parts.bases, derives)) parts.bases.push_back(base);
  return Fault();
}

// Tells descriptors where they are.
Fault CallSetNames(Host& host, ClassObject& cls) {
  const std::vector<ClassObject::Attribute> attributes(cls.attributes().begin(),
                                                       cls.attributes().end());
  for (const auto& [name, value] : attributes) {
    auto* descriptor = value.If<Instance>();
    const Value* found = descriptor == nullptr ? nullptr : descriptor->cls().Find("__set_name__");
    if (found == nullptr) continue;
    const Value args[] = {Value(&cls), lang::MakeStr(host.heap(), name)};
    ESP_TRY_ASSIGN(const Value bound, BindToInstance(host, Value(*found), value));
    auto ignored = host.Call(bound, Args{args, {}});
    if (!ignored.ok()) return ignored.TakeFault();
  }
  return Fault();
}

Outcome<ClassObject::Parts> PartsOf(Host& host, const ClassBody& body) {
  ClassObject::Parts parts{body.name, body.qualified_name, body.doc, {}, {}};
  parts.module = body.module;
  for (const Value& base : body.bases.As<lang::Tuple>()->items()) {
    ESP_TRY(AddBase(host, base, parts));
  }
  if (const auto* metaclass = body.metaclass.If<ClassObject>()) {
    const bool own = !IsOwnMeta(*metaclass);
    if (own && parts.metatype == &OrdinaryClasses()) parts.metatype = &ClassesOfMetaclasses();
    ESP_TRY(AddAbstractBase(host, *metaclass, parts));
  }
  ESP_TRY(host.Step());
  ESP_TRY_ASSIGN(parts.mro, Linearize(parts.bases));
  if (parts.mro.size() > kMaxAncestors) {
    return lang::Raise("RecursionError", "a class has too many ancestors");
  }
  return parts;
}

// What the bases Protocol and Generic[T, ...] say of a class, which are no classes here.
void PutTypingMarks(Host& host, const ClassBody& body, ClassObject& cls) {
  for (const Value& base : body.bases.As<lang::Tuple>()->items()) {
    const auto* form = Exactly<TypeForm>(base);
    const auto* name = Exactly<TypingName>(base);
    const std::string_view origin = form != nullptr   ? form->origin_name()
                                    : name != nullptr ? name->name()
                                                      : std::string_view();
    if (origin == "Protocol") MarkProtocol(cls);
    if (form == nullptr || (origin != "Generic" && origin != "Protocol")) continue;
    cls.Put("__parameters__", host.heap().New<lang::Tuple>(form->args()));
  }
}

}  // namespace

Outcome<Value> RunClassStatement(Host& host, const ClassBody& body, lang::Extension* cell) {
  ESP_TRY_ASSIGN(const Value metaclass, MetaclassOf(body));
  const auto* cls = metaclass.If<ClassObject>();
  if (metaclass.is_unset() || (cls != nullptr && IsOwnMeta(*cls))) {
    ClassBody plain = body;
    plain.metaclass = metaclass;
    return BuildClass(host, plain, cell);
  }
  return CallMetaclass(host, metaclass, body, cell);
}

Outcome<Value> BuildClass(Host& host, const ClassBody& body, lang::Extension* cell) {
  ESP_TRY_ASSIGN(ClassObject::Parts parts, PartsOf(host, body));
  Value made = host.heap().New<ClassObject>(std::move(parts));
  ClassObject& cls = *made.As<ClassObject>();
  for (const auto& [name, value] : body.attributes) cls.Put(name, value);
  cls.meta = body.metaclass;
  PutTypingMarks(host, body, cls);
  cls.annotations = body.annotations;
  if (cls.FindOwn("__eq__") != nullptr && cls.FindOwn("__hash__") == nullptr) {
    cls.Put("__hash__", Value());
  }
  ESP_TRY(ReadSlots(host, cls));
  FindAbstract(cls);
  if (cell != nullptr) static_cast<Cell*>(cell)->value = made;
  ESP_TRY(CallSetNames(host, cls));
  ESP_TRY_ASSIGN(Value finished, cls.metatype().Finish(host, cls, body.keywords));
  ESP_TRY(CallInitSubclass(host, cls, body.keywords));
  return finished;
}

Value NativeClass(Heap& heap, std::string_view name, const Metatype& metatype,
                  std::span<const NativeMethod::Row> methods, const Value& base) {
  ClassObject::Parts parts{std::string(name), std::string(name), "", {}, {}};
  parts.metatype = &metatype;
  if (const auto* parent = base.If<ClassObject>()) {
    parts.bases.push_back(base);
    parts.mro = parent->mro();
    parts.error_kind = parent->error_kind();
    parts.payload_type = parent->payload_type();
  }
  Value made = heap.New<ClassObject>(std::move(parts));
  for (const NativeMethod::Row& row : methods) {
    made.As<ClassObject>()->Put(row.name, heap.New<NativeMethod>(row));
  }
  return made;
}

}  // namespace espalier::script
