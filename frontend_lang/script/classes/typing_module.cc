// The modules typing and abc.
#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/classes/build_class.h"
#include "frontend_lang/script/classes/descriptors.h"
#include "frontend_lang/script/classes/named_tuple.h"
#include "frontend_lang/script/classes/protocol.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/classes/type_relations.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using lang::TypeError;

// class Movie(TypedDict): what a call makes is a plain dict.
class TypedDictMetatype final : public Metatype {
 public:
  Outcome<Value> Call(Host& host, ClassObject& cls, const Args& args) const override {
    const auto& given = args.positional;
    const bool names_fields = cls.bases().empty() && given.size() == 2 && given[0].is_str();
    if (names_fields && given[1].type() == lang::Type::kDict) {  // TypedDict("Movie", {...})
      Value made = NativeClass(host.heap(), lang::TextOf(given[0]), *this, {}, Value(&cls));
      made.As<ClassObject>()->annotations = given[1];
      return made;
    }
    return host.Call(static_cast<Machine&>(host).Builtin("dict"), args);
  }
};

const Metatype& TypedDicts() {
  static const TypedDictMetatype kTypedDicts;
  return kTypedDicts;
}

Outcome<Value> Cast(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("cast", args, 2, 2));
  return args.positional[1];
}

Outcome<Value> First(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("decorator", args, 1, 1));
  return args.positional[0];
}

Outcome<Value> NewType(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("NewType", args, 2, 2));
  return args.positional[1];
}

Outcome<Value> TypeVar(Host& host, const Value&, const Args& args) {
  if (args.positional.empty()) return TypeError("TypeVar() needs a name");
  return host.heap().New<TypingName>("TypeVar", Value::Unset());
}

Outcome<Value> AbstractMethod(Host&, const Value&, const Args& args) {
  ESP_TRY(CheckPositional("abstractmethod", args, 1, 1));
  if (auto* function = Exactly<ScriptFunction>(args.positional[0])) function->MarkAbstract();
  return args.positional[0];
}

constexpr NativeMethod::Row kAbcMethods[] = {
    {"register", RegisterSubclass, NativeMethod::Binds::kClass}};

constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"List", "list"}, {"Dict", "dict"}, {"Tuple", "tuple"},         {"Set", "set"},
    {"Type", "type"}, {"Text", "str"},  {"FrozenSet", "frozenset"},
};
constexpr std::string_view kNames[] = {
    "Any",         "Union",           "Optional",
    "Literal",     "Annotated",       "Callable",
    "Iterable",    "Iterator",        "Sequence",
    "Mapping",     "Generator",       "ClassVar",
    "Final",       "Generic",         "Protocol",
    "NoReturn",    "Never",           "Self",
    "Required",    "NotRequired",     "Awaitable",
    "Coroutine",   "Collection",      "AsyncIterator",
    "Hashable",    "AsyncGenerator",  "AsyncIterable",
    "TypeAlias",   "MutableMapping",  "Container",
    "DefaultDict", "Deque",           "Counter",
    "OrderedDict", "TypeGuard",       "Sized",
    "Reversible",  "MutableSequence", "LiteralString",
    "AbstractSet", "MutableSet",      "KeysView",
    "ItemsView",   "ValuesView",      "MappingView",
};

}  // namespace

Value MakeTypingModule(Machine& machine) {
  Heap& heap = machine.heap();
  const Value value = heap.New<Module>("typing");
  auto& module = *Exactly<Module>(value);
  for (const std::string_view name : kNames) {
    module.Add(name, name == "Union" ? machine.Builtin(".Union")
                                     : heap.New<TypingName>(name, Value::Unset()));
  }
  for (const auto& [name, alias] : kAliases) {
    module.Add(name, heap.New<TypingName>(name, machine.Builtin(alias)));
  }
  module.Add("NamedTuple", NamedTupleClass(machine));
  module.Add("TypedDict", NativeClass(heap, "TypedDict", TypedDicts(), {}));
  module.Add("TYPE_CHECKING", Value::Bool(false));
  module.AddFunction("cast", Cast);
  module.AddFunction("overload", First);
  module.AddFunction("final", First);
  module.AddFunction("override", First);
  module.AddFunction("runtime_checkable", RuntimeCheckable);
  module.AddFunction("NewType", NewType);
  module.AddFunction("TypeVar", TypeVar);
  return value;
}

Value MakeAbcModule(Machine& machine) {
  Heap& heap = machine.heap();
  const Value abc = heap.New<Module>("abc");
  ClassObject::Parts parts{"ABCMeta", "ABCMeta", "", {}, {}};
  parts.payload_type = machine.Builtin("type");
  parts.module = "abc";
  const Value meta = heap.New<ClassObject>(std::move(parts));
  const Value base = NativeClass(heap, "ABC", OrdinaryClasses(), kAbcMethods);
  base.As<ClassObject>()->meta = meta;
  Exactly<Module>(abc)->Add("ABC", base);
  Exactly<Module>(abc)->Add("ABCMeta", meta);
  Exactly<Module>(abc)->AddFunction("abstractmethod", AbstractMethod);
  return abc;
}

}  // namespace espalier::script
