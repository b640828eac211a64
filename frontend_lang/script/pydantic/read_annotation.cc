#include <algorithm>

#include <fmt/format.h>

#include "frontend_lang/script/classes/dataclass.h"
#include "frontend_lang/script/classes/enum_class.h"
#include "frontend_lang/script/classes/trait.h"
#include "frontend_lang/script/classes/type_forms.h"
#include "frontend_lang/script/classes/type_functions.h"
#include "frontend_lang/script/pydantic/annotation_text.h"
#include "frontend_lang/script/pydantic/model.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using Kind = FieldType::Kind;
using lang::TypeError;

struct NamedKind {
  std::string_view name;
  Kind kind;
};
constexpr NamedKind kKinds[] = {
    {"int", Kind::kInt},          {"float", Kind::kFloat},      {"str", Kind::kStr},
    {"bool", Kind::kBool},        {"NoneType", Kind::kNone},    {"object", Kind::kAny},
    {"Any", Kind::kAny},          {"TypeVar", Kind::kAny},      {"list", Kind::kList},
    {"Sequence", Kind::kList},    {"Iterable", Kind::kList},    {"set", Kind::kSet},
    {"frozenset", Kind::kSet},    {"Collection", Kind::kList},  {"tuple", Kind::kTuple},
    {"dict", Kind::kDict},        {"Mapping", Kind::kDict},     {"MutableMapping", Kind::kDict},
    {"Union", Kind::kUnion},      {"Literal", Kind::kLiteral},  {"Deque", Kind::kList},
    {"OrderedDict", Kind::kDict}, {"DefaultDict", Kind::kDict}, {"MutableSequence", Kind::kList},
};

std::optional<Kind> KindNamed(std::string_view name) {
  const auto* found = std::ranges::find(kKinds, name, &NamedKind::name);
  if (found == std::end(kKinds)) return std::nullopt;
  return found->kind;
}

class AnnotationReader {
 public:
  AnnotationReader(Host& host, ClassObject& around) : host_(host), around_(around) {}

  Outcome<FieldType> Read(const Value& annotation) {
    lang::NestedScope scope(host_);
    ESP_TRY(scope.Check());
    ESP_TRY(host_.Step());
    if (annotation.is_none()) return Plain(Kind::kNone);
    if (annotation.is_str()) {
      ESP_TRY_ASSIGN(const Value named,
                     EvaluateAnnotation(host_, lang::TextOf(annotation), &around_));
      return Read(named);
    }
    if (auto* cls = annotation.If<ClassObject>()) return OfClass(*cls);
    if (const auto* form = Exactly<TypeForm>(annotation)) return OfForm(*form);
    if (const auto* name = Exactly<TypingName>(annotation)) {
      if (!name->alias().is_unset()) return Read(name->alias());
      return Named(annotation, name->name());
    }
    if (const auto* type = Exactly<TypeObject>(annotation)) return Named(annotation, type->name());
    return NoSchema(annotation);
  }

 private:
  static FieldType Plain(Kind kind) {
    FieldType type;
    type.kind = kind;
    return type;
  }

  Outcome<FieldType> NoSchema(const Value& annotation) {
    ESP_TRY_ASSIGN(const std::string text, lang::Repr(host_, annotation));
    return TypeError("Unable to generate pydantic-core schema for " + text);
  }

  // Without arguments: list is list[Any].
  Outcome<FieldType> Named(const Value& annotation, std::string_view name) {
    const auto kind = KindNamed(name);
    if (!kind || *kind == Kind::kUnion || *kind == Kind::kLiteral) return NoSchema(annotation);
    FieldType type = Plain(*kind);
    const std::size_t num_parts =
        *kind == Kind::kDict                                                   ? 2
        : *kind == Kind::kList || *kind == Kind::kSet || *kind == Kind::kTuple ? 1
                                                                               : 0;
    type.parts.resize(num_parts);
    type.variadic = *kind == Kind::kTuple;
    Refine(name, type);
    return type;
  }

  static void Refine(std::string_view name, FieldType& type) {
    type.frozen = name == "frozenset" || name == "FrozenSet";
    type.sequence = name == "Sequence";
  }

  // Whether JSON has objects of the class as texts.
  static bool IsText(const ClassObject& cls) {
    constexpr std::string_view kMoments[] = {"datetime", "date", "time", "timedelta"};
    return (cls.module() == "datetime" &&
            std::ranges::find(kMoments, cls.name()) != std::end(kMoments)) ||
           (cls.module() == "uuid" && cls.name() == "UUID") || cls.module() == "pathlib";
  }

  Outcome<FieldType> OfClass(ClassObject& cls) {
    if (cls.trait != nullptr) return Named(Value(&cls), cls.trait->name);
    FieldType type;
    type.cls = Value(&cls);
    const bool typed_dict = std::ranges::any_of(
        cls.mro(), [](const ClassObject* at) { return at->name() == "TypedDict"; });
    type.kind = ModelOf(cls) != nullptr                  ? Kind::kModel
                : MembersOf(cls) != nullptr              ? Kind::kEnum
                : FieldsOf(cls) != nullptr || typed_dict ? Kind::kRecord
                : IsText(cls)                            ? Kind::kText
                                                         : Kind::kInstance;
    return type;
  }

  Outcome<FieldType> OfForm(const TypeForm& form) {
    const std::string_view origin = form.origin_name();
    if (origin == "Annotated") return Annotated(form);
    if (origin == "Final" || origin == "Required" || origin == "NotRequired" ||
        origin == "ClassVar") {
      return Read(form.args()[0]);
    }
    auto* cls = form.origin().If<ClassObject>();
    if (cls != nullptr && cls->trait == nullptr) return OfClass(*cls);
    const auto kind = KindNamed(origin);
    if (!kind) return NoSchema(Value(&const_cast<TypeForm&>(form)));
    FieldType type = Plain(*kind);
    Refine(origin, type);
    if (*kind == Kind::kLiteral) {
      type.literals = form.args();
      return type;
    }
    for (const Value& arg : form.args()) {
      if (*kind == Kind::kTuple && Exactly<EllipsisType>(arg) != nullptr) {
        if (form.args().size() != 2 || type.parts.empty()) {
          return TypeError("variable tuples must only have one type before the ellipsis");
        }
        type.variadic = true;
        continue;
      }
      ESP_TRY_ASSIGN(FieldType part, Read(arg));
      type.parts.push_back(std::move(part));
    }
    const std::size_t wanted = *kind == Kind::kDict ? 2 : 1;
    if (type.parts.size() < wanted && *kind != Kind::kTuple) type.parts.resize(wanted);
    return type;
  }

  // Annotated[T, Field(gt=0)]
  Outcome<FieldType> Annotated(const TypeForm& form) {
    ESP_TRY_ASSIGN(FieldType type, Read(form.args()[0]));
    for (std::size_t i = 1; i < form.args().size(); ++i) {
      const Value& extra = form.args()[i];
      if (const auto* info = Exactly<FieldInfo>(extra)) {
        Constrain(type, info->field.constraints);
        ESP_TRY(TellApart(host_, info->field.tagged, around_, type));
      } else if (Exactly<FunctionValidator>(extra) != nullptr) {
        type.functions.push_back(extra);
      } else if (const auto* tag = Exactly<TypeTag>(extra)) {
        type.tag = tag->tag;
      }
    }
    return type;
  }

  Host& host_;
  ClassObject& around_;
};

template <typename T>
void Override(T& under, const T& over, bool given) {
  if (given) under = over;
}

}  // namespace

bool FieldType::nullable() const {
  return kind == Kind::kUnion &&
         std::ranges::any_of(parts, [](const FieldType& part) { return part.kind == Kind::kNone; });
}

Outcome<FieldType> ReadAnnotation(Host& host, const Value& annotation, ClassObject& around) {
  return AnnotationReader(host, around).Read(annotation);
}

void Constrain(FieldType& type, const Constraints& constraints) {
  if (!constraints.any() && !constraints.strict) return;
  if (type.kind == Kind::kUnion) {
    for (FieldType& part : type.parts) {
      if (part.kind != Kind::kNone) Constrain(part, constraints);
    }
    return;
  }
  Constraints& own = type.constraints;
  for (Value Constraints::*const bound : {&Constraints::gt, &Constraints::ge, &Constraints::lt,
                                          &Constraints::le, &Constraints::multiple_of}) {
    Override(own.*bound, constraints.*bound, !(constraints.*bound).is_unset());
  }
  Override(own.min_length, constraints.min_length, constraints.min_length.has_value());
  Override(own.max_length, constraints.max_length, constraints.max_length.has_value());
  Override(own.pattern, constraints.pattern, constraints.pattern.has_value());
  for (bool Constraints::*const flag :
       {&Constraints::strip, &Constraints::lower, &Constraints::upper, &Constraints::strict}) {
    own.*flag |= constraints.*flag;
  }
}

namespace {

// What stands in Literal[...] of the field that tells options apart.
Outcome<std::vector<Value>> TagsOf(Host& host, const FieldType& option, std::string_view field) {
  const Value held = option.cls;
  auto* cls = held.If<ClassObject>();
  Value annotation = Value::Unset();
  if (cls != nullptr && ModelOf(*cls) != nullptr) {
    const ModelField* found = ModelOf(*cls)->Find(field);
    if (found != nullptr) annotation = found->annotation;
  } else if (cls != nullptr && cls->annotations.If<lang::Dict>() != nullptr) {
    const Value* found = cls->annotations.As<lang::Dict>()->FindStr(field);
    if (found != nullptr) annotation = *found;
  }
  if (annotation.is_unset()) {
    return TypeError("Model '" + LabelOf(host, option) + "' needs a discriminator field for key " +
                     lang::ReprStr(field));
  }
  ESP_TRY_ASSIGN(const FieldType type, ReadAnnotation(host, annotation, *cls));
  if (type.kind == Kind::kLiteral) return type.literals;
  return TypeError("Model '" + cls->name() + "' needs field '" + std::string(field) +
                   "' to be of type `Literal`");
}

}  // namespace

Fault TellApart(Host& host, const Tagged& tagged, ClassObject& around, FieldType& type) {
  if (tagged.field.empty() && tagged.function.is_unset()) return Fault();
  if (type.nullable()) {
    FieldType rest = type, none;
    none.kind = Kind::kNone;
    std::erase_if(rest.parts, [](const FieldType& part) { return part.kind == Kind::kNone; });
    ESP_TRY(TellApart(host, tagged, around, rest));
    type.parts = {std::move(rest), std::move(none)};
    return Fault();
  }
  if (type.kind != Kind::kUnion) {
    FieldType only = type;
    type = FieldType();
    type.parts = {std::move(only)};
  }
  type.kind = Kind::kTagged;
  type.tagged = tagged;
  type.tagged.options.clear();
  for (std::size_t i = 0; i < type.parts.size(); ++i) {
    std::vector<Value> tags = {lang::MakeStr(host.heap(), type.parts[i].tag)};
    if (tagged.function.is_unset()) {
      ESP_TRY_ASSIGN(tags, TagsOf(host, type.parts[i], tagged.field));
    }
    for (Value& tag : tags) type.tagged.options.push_back({std::move(tag), i});
  }
  return Fault();
}

namespace {

// function-after[check(), int]
std::string FunctionLabel(Host& host, const Value& function, const std::string& inner) {
  const auto& validator = *Exactly<FunctionValidator>(function);
  constexpr std::string_view kNames[] = {"before", "after", "wrap", "plain"};
  std::string name = "?";
  const auto found = lang::GetAttr(host, validator.function, "__name__");
  if (found.ok() && found.value().is_str()) name = lang::TextOf(found.value());
  return fmt::format("function-{}[{}(){}]", kNames[static_cast<std::size_t>(validator.when)], name,
                     validator.when == When::kPlain ? "" : ", " + inner);
}

std::string PlainLabel(Host& host, const FieldType& type);

}  // namespace

std::string LabelOf(Host& host, const FieldType& type) {
  std::string label = PlainLabel(host, type);
  for (const Value& function : type.functions) label = FunctionLabel(host, function, label);
  return label;
}

namespace {

std::string TaggedLabel(Host& host, const FieldType& type) {
  std::string out = "tagged-union[";
  for (const Tagged::Option& option : type.tagged.options) {
    out += (out.back() == '[' ? "" : ",") + LabelOf(host, type.parts[option.part]);
  }
  return out + "]";
}

// Of a union with None: of the others.
std::string UnionLabel(Host& host, const FieldType& type) {
  std::string out;
  std::size_t num_others = 0;
  for (const FieldType& part : type.parts) {
    if (part.kind == Kind::kNone) continue;
    out += (num_others++ > 0 ? "," : "") + LabelOf(host, part);
  }
  if (num_others > 1) out = "union[" + out + "]";
  return type.nullable() ? "nullable[" + out + "]" : out;
}

bool IsUuid(const FieldType& type) { return type.cls.As<ClassObject>()->name() == "UUID"; }

std::string PlainLabel(Host& host, const FieldType& type) {
  const auto joined = [&](std::string_view name) {
    std::string out(name);
    out += '[';
    for (std::size_t i = 0; i < type.parts.size(); ++i) {
      out += (i == 0 ? "" : name == "tuple" ? ", " : ",") + LabelOf(host, type.parts[i]);
    }
    return out + (type.variadic ? ", ...]" : "]");
  };
  const bool constrained = type.constraints.any();
  switch (type.kind) {
    case Kind::kAny: return "any";
    case Kind::kNone: return "none";
    case Kind::kBool: return "bool";
    case Kind::kInt: return constrained ? "constrained-int" : "int";
    case Kind::kFloat: return constrained ? "constrained-float" : "float";
    case Kind::kStr: return constrained ? "constrained-str" : "str";
    case Kind::kList: return joined("list");
    case Kind::kSet: return joined(type.frozen ? "frozenset" : "set");
    case Kind::kTuple: return joined("tuple");
    case Kind::kDict: return joined("dict");
    case Kind::kUnion: return UnionLabel(host, type);
    case Kind::kTagged: return TaggedLabel(host, type);
    case Kind::kLiteral: {
      std::string out = "literal[";
      for (std::size_t i = 0; i < type.literals.size(); ++i) {
        auto text = lang::Repr(host, type.literals[i]);
        out += (i > 0 ? "," : "") + (text.ok() ? *text : std::string("?"));
      }
      return out + "]";
    }
    case Kind::kEnum: return "enum[" + type.cls.As<ClassObject>()->name() + "]";
    case Kind::kModel:
    case Kind::kRecord:
    case Kind::kInstance: return type.cls.As<ClassObject>()->name();
    case Kind::kText: return IsUuid(type) ? "uuid" : type.cls.As<ClassObject>()->name();
  }
  return "";
}

}  // namespace

}  // namespace espalier::script
