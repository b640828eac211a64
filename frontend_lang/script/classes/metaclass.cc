#include "frontend_lang/script/classes/metaclass.h"

#include <algorithm>

#include "frontend_lang/script/classes/instance.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

constexpr std::string_view kCellName = "__classcell__";

// cls's special method, asked of its metaclass; Unset where that has none.
Outcome<Value> CallOfMeta(Host& host, ClassObject& cls, Special special, const Args& args) {
  const auto* meta = cls.meta.If<ClassObject>();
  const Value* found = meta == nullptr ? nullptr : meta->Find(special);
  if (found == nullptr || found->is_none()) return Value::Unset();
  ESP_TRY_ASSIGN(const Value bound, BindToInstance(host, Value(*found), Value(&cls)));
  return host.Call(bound, args);
}

class ProgramMetatype final : public Metatype {
 public:
  std::string_view name() const override { return "type"; }
  Outcome<Value> Call(Host& host, ClassObject& cls, const Args& args) const override {
    return CallOfMeta(host, cls, Special::kCall, args);
  }
  Outcome<std::string> Repr(Host& host, ClassObject& cls) const override {
    ESP_TRY_ASSIGN(const Value text, CallOfMeta(host, cls, Special::kRepr, {}));
    if (text.is_str()) return std::string(lang::TextOf(text));
    return Metatype::Repr(host, cls);
  }
  Outcome<Value> GetItem(Host& host, ClassObject& cls, const Value& key) const override {
    const Value held = key;
    ESP_TRY_ASSIGN(Value item, CallOfMeta(host, cls, Special::kGetItem, Args{{&held, 1}, {}}));
    return item.is_unset() ? Metatype::GetItem(host, cls, held) : item;
  }
  Outcome<Value> Iterate(Host& host, ClassObject& cls) const override {
    ESP_TRY_ASSIGN(const Value items, CallOfMeta(host, cls, Special::kIter, {}));
    return items.is_unset() ? items : lang::Iterate(host, items);
  }
  Outcome<Value> Length(Host& host, ClassObject& cls) const override {
    return CallOfMeta(host, cls, Special::kLen, {});
  }
  Outcome<Value> Contains(Host& host, ClassObject& cls, const Value& item) const override {
    const Value held = item;
    ESP_TRY_ASSIGN(const Value answer,
                   CallOfMeta(host, cls, Special::kContains, Args{{&held, 1}, {}}));
    if (answer.is_unset()) return answer;
    ESP_TRY_ASSIGN(const bool found, lang::Truth(host, answer));
    return Value::Bool(found);
  }
};

// The more derived of two metaclasses, one of which may be Unset.
Outcome<Value> MoreDerived(const Value& a, const Value& b) {
  const auto *left = a.If<ClassObject>(), *right = b.If<ClassObject>();
  if (right == nullptr || (left != nullptr && left->DerivesFrom(*right))) return a;
  if (left == nullptr || right->DerivesFrom(*left)) return b;
  return TypeError(
      "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of "
      "the metaclasses of all its bases");
}

// What the metaclass gets: the names of the body, and whose they are.
Value NamespaceOf(Host& host, const ClassBody& body, lang::Extension* cell) {
  Heap& heap = host.heap();
  const Value made = heap.New<lang::Dict>();
  auto& dict = *made.As<lang::Dict>();
  dict.PutStr("__module__", lang::MakeStr(heap, body.module));
  dict.PutStr("__qualname__", lang::MakeStr(heap, body.qualified_name));
  if (!body.doc.empty()) dict.PutStr("__doc__", lang::MakeStr(heap, body.doc));
  const auto* annotations = body.annotations.If<lang::Dict>();
  if (annotations != nullptr && annotations->size() > 0) {
    dict.PutStr("__annotations__", body.annotations);
  }
  for (const auto& [name, value] : body.attributes) dict.PutStr(name, value);
  if (cell != nullptr) dict.PutStr(kCellName, Value(cell));
  return made;
}

// Puts an entry of the namespace where it belongs.
Fault ReadEntry(const std::string& name, const Value& value, ClassBody& body,
                lang::Extension** cell) {
  if (name == kCellName) {
    if (Exactly<Cell>(value) != nullptr) *cell = static_cast<lang::Extension*>(value.object());
  } else if (name == "__module__" && value.is_str()) {
    body.module = lang::TextOf(value);
  } else if (name == "__qualname__" && value.is_str()) {
    body.qualified_name = lang::TextOf(value);
  } else if (name == "__doc__" && value.is_str()) {
    body.doc = lang::TextOf(value);
  } else if (name == "__annotations__" && value.type() == lang::Type::kDict) {
    body.annotations = value;
  } else if (!IsAllowedDefinition(name)) {
    return TypeError("the attribute " + name + " of a class is not in the language");
  } else {
    body.attributes.emplace_back(name, value);
  }
  return Fault();
}

// name, bases, namespace
Fault CheckParts(const Args& args) {
  constexpr std::string_view kWanted[] = {"str", "tuple", "dict"};
  if (args.positional.size() != 3) return TypeError("type() takes 1 or 3 arguments");
  for (std::size_t i = 0; i < 3; ++i) {
    const Value& part = lang::PlainOf(args.positional[i]);
    const bool fits = i == 0   ? part.is_str()
                      : i == 1 ? part.type() == lang::Type::kTuple
                               : part.type() == lang::Type::kDict;
    if (fits) continue;
    return TypeError("type.__new__() argument " + std::to_string(i + 1) + " must be " +
                     std::string(kWanted[i]) + ", not " +
                     std::string(lang::TypeName(args.positional[i])));
  }
  return Fault();
}

Outcome<Value> MakeAndInit(Host& host, ClassObject& metaclass, const Args& args) {
  const Value held(&metaclass);
  std::vector<Value> positional{held};
  positional.insert(positional.end(), args.positional.begin(), args.positional.end());
  Value made;
  if (const Value* found = metaclass.Find(Special::kNew)) {
    const auto* method = Exactly<StaticMethod>(*found);
    const Value function = method != nullptr ? method->function : *found;
    ESP_TRY_ASSIGN(made, host.Call(function, Args{positional, args.keywords}));
  } else {
    ESP_TRY_ASSIGN(made, NewClass(host, &metaclass, args));
  }
  const auto* cls = made.If<ClassObject>();
  const auto* meta = cls == nullptr ? nullptr : cls->meta.If<ClassObject>();
  if (meta == nullptr || !meta->DerivesFrom(metaclass)) return made;
  const Value* init = meta->Find(Special::kInit);
  if (init == nullptr) return made;
  ESP_TRY_ASSIGN(const Value bound, BindToInstance(host, Value(*init), made));
  ESP_TRY_ASSIGN(const Value ignored, host.Call(bound, args));
  return ignored.is_unset() ? ignored : made;
}

std::vector<lang::Keyword> KeywordsOf(const Value& dict) {
  std::vector<lang::Keyword> keywords;
  const auto& entries = *dict.As<lang::Dict>();
  for (std::size_t at = 0; const auto* entry = entries.EntryAt(at); ++at) {
    const std::string_view name = lang::TextOf(entry->key);
    if (name != "metaclass") keywords.push_back({name, entry->value});
  }
  return keywords;
}

}  // namespace

bool IsMetaclass(const ClassObject& cls) {
  const auto* type = Exactly<TypeObject>(cls.payload_type());
  return type != nullptr && type->name() == "type";
}

const Metatype& ClassesOfMetaclasses() {
  static const ProgramMetatype kClasses;
  return kClasses;
}

Outcome<Value> MetaclassOf(const ClassBody& body) {
  Value chosen = Value::Unset();
  if (const Value* given = body.keywords.As<lang::Dict>()->FindStr("metaclass")) {
    const auto* cls = given->If<ClassObject>();
    const auto* type = Exactly<TypeObject>(*given);
    if (type == nullptr && (cls == nullptr || !IsMetaclass(*cls))) return *given;
    if (cls != nullptr) chosen = *given;
  }
  for (const Value& base : body.bases.As<lang::Tuple>()->items()) {
    const auto* cls = base.If<ClassObject>();
    if (cls == nullptr) continue;
    ESP_TRY_ASSIGN(chosen, MoreDerived(chosen, cls->meta));
  }
  return chosen;
}

Outcome<Value> CallMetaclass(Host& host, const Value& metaclass, const ClassBody& body,
                             lang::Extension* cell) {
  const Value parts[] = {lang::MakeStr(host.heap(), body.name), body.bases,
                         NamespaceOf(host, body, cell)};
  const std::vector<lang::Keyword> keywords = KeywordsOf(body.keywords);
  const Args args{parts, keywords};
  auto* cls = metaclass.If<ClassObject>();
  if (cls == nullptr || !IsMetaclass(*cls)) return host.Call(metaclass, args);
  return CallMetaclassWith(host, *cls, args);
}

Outcome<Value> CallMetaclassWith(Host& host, ClassObject& metaclass, const Args& args) {
  ESP_TRY(CheckParts(args));
  return MakeAndInit(host, metaclass, args);
}

Outcome<Value> NewClass(Host& host, ClassObject* metaclass, const Args& args) {
  ESP_TRY(CheckParts(args));
  const std::string name(lang::TextOf(lang::PlainOf(args.positional[0])));
  ClassBody body{name, name, ""};
  body.bases = lang::PlainOf(args.positional[1]);
  body.annotations = host.heap().New<lang::Dict>();
  body.keywords = host.heap().New<lang::Dict>();
  for (const lang::Keyword& keyword : args.keywords) {
    body.keywords.As<lang::Dict>()->PutStr(keyword.name, keyword.value);
  }
  lang::Extension* cell = nullptr;
  const Value entries = lang::PlainOf(args.positional[2]);
  for (std::size_t at = 0; const auto* entry = entries.As<lang::Dict>()->EntryAt(at); ++at) {
    if (!entry->key.is_str()) return TypeError("the names of a class's attributes are str");
    ESP_TRY(ReadEntry(std::string(lang::TextOf(entry->key)), entry->value, body, &cell));
  }
  body.metaclass = metaclass == nullptr ? Value::Unset() : Value(metaclass);
  return BuildClass(host, body, cell);
}

Outcome<Value> AttributeOfMetaclass(Host& host, ClassObject& cls, std::string_view name) {
  const auto* meta = cls.meta.If<ClassObject>();
  const Value* found = meta == nullptr ? nullptr : meta->Find(name);
  if (found == nullptr) return Value::Unset();
  return BindToInstance(host, Value(*found), Value(&cls));
}

}  // namespace espalier::script
