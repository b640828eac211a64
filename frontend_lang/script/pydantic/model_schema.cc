#include "frontend_lang/script/pydantic/model_schema.h"

#include <algorithm>
#include <map>
#include <set>

#include "frontend_lang/script/classes/dataclass.h"
#include "frontend_lang/script/classes/enum_class.h"
#include "frontend_lang/script/pydantic/model_dump.h"
#include "frontend_lang/script/pydantic/schema_text.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/json_values.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

using Json = nlohmann::ordered_json;
using Kind = FieldType::Kind;

class SchemaWriter {
 public:
  SchemaWriter(Host& host, SchemaNames keys) : host_(host), keys_(keys) {}

  Outcome<Json> Model(ClassObject& cls) {
    started_.insert(&cls);
    ESP_TRY_ASSIGN(Json schema, Definition(cls));
    if (!referred_.contains(&cls)) return Finish(std::move(schema));
    definitions_[NameOf(cls)] = std::move(schema);
    return Finish(ReferenceTo(cls));
  }

  Outcome<Json> Annotation(const FieldType& type) {
    if (type.kind == Kind::kModel && type.functions.empty())
      return Model(*type.cls.As<ClassObject>());
    if (type.kind == Kind::kEnum || type.kind == Kind::kRecord) {
      ESP_TRY_ASSIGN(Json schema, Definition(*type.cls.As<ClassObject>()));
      return Finish(std::move(schema));
    }
    ESP_TRY_ASSIGN(Json schema, Type(type));
    return Finish(std::move(schema));
  }

 private:
  const std::string& KeyOf(const ModelField& field) const {
    return keys_ == SchemaNames::kFields ? field.name : field.alias;
  }

  Json Finish(Json schema) {
    if (!definitions_.empty()) {
      Json definitions = Json::object();
      for (const auto& [name, definition] : definitions_) definitions[name] = definition;
      schema["$defs"] = std::move(definitions);
    }
    return SortedSchema(schema);
  }

  // A model or enumeration, defined once.
  Outcome<Json> Reference(ClassObject& cls) {
    referred_.insert(&cls);
    const std::string name = NameOf(cls);
    if (started_.insert(&cls).second) {
      lang::NestedScope scope(host_);
      ESP_TRY(scope.Check());
      ESP_TRY_ASSIGN(Json definition, Definition(cls));
      definitions_[name] = std::move(definition);
    }
    return ReferenceTo(cls);
  }

  Json ReferenceTo(const ClassObject& cls) { return Json{{"$ref", "#/$defs/" + NameOf(cls)}}; }

  // Its own name, unless another class of that name came first.
  const std::string& NameOf(const ClassObject& cls) {
    if (const auto known = names_.find(&cls); known != names_.end()) return known->second;
    std::string name = cls.name();
    for (int i = 0; !taken_.insert(name).second; ++i) {
      name = "__main____";
      for (const char c : cls.qualified_name()) {
        name +=
            c == '.' ? "__" : std::string(1, std::isalnum(static_cast<unsigned char>(c)) ? c : '_');
      }
      if (i > 0) name += "__" + std::to_string(i);
    }
    return names_.emplace(&cls, std::move(name)).first->second;
  }

  Outcome<Json> Definition(ClassObject& cls) {
    if (MembersOf(cls) != nullptr) return Enumeration(cls);
    return ModelOf(cls) != nullptr ? Fields(cls) : Record(cls);
  }

  Outcome<Json> Enumeration(const ClassObject& cls) {
    std::vector<Value> values;
    for (const Value& member : MembersOf(cls)->in_order) values.push_back(ValueOfMember(member));
    ESP_TRY_ASSIGN(Json schema, Values(values));
    schema["title"] = cls.name();
    if (!cls.doc().empty()) schema["description"] = cls.doc();
    return schema;
  }

  // {"enum": [...], "type": ...}, or a const.
  Outcome<Json> Values(const std::vector<Value>& values) {
    Json items = Json::array();
    std::set<std::string> types;
    for (const Value& value : values) {
      ESP_TRY_ASSIGN(Json item, DumpedJson(host_, value));
      types.insert(item.is_string()           ? "string"
                   : item.is_boolean()        ? "boolean"
                   : item.is_number_integer() ? "integer"
                   : item.is_number()         ? "number"
                   : item.is_array()          ? "array"
                                              : "");
      items.push_back(std::move(item));
    }
    Json schema = Json::object();
    if (items.size() == 1) {
      schema["const"] = items[0];
    } else {
      schema["enum"] = std::move(items);
    }
    if (types.size() == 1 && !types.begin()->empty()) schema["type"] = *types.begin();
    return schema;
  }

  Outcome<Json> Fields(ClassObject& cls) {
    ESP_TRY_ASSIGN(const ModelFields* const model, ResolvedModel(host_, cls));
    if (model->is_root) return Root(cls, *model);
    Json properties = Json::object(), required = Json::array();
    for (const ModelField& field : model->fields) {
      ESP_TRY_ASSIGN(Json schema, Field(field));
      properties[KeyOf(field)] = std::move(schema);
      if (field.required()) required.push_back(KeyOf(field));
    }
    Json schema{{"properties", std::move(properties)},
                {"title", model->config.title.value_or(cls.name())},
                {"type", "object"}};
    if (!required.empty()) schema["required"] = std::move(required);
    if (!cls.doc().empty()) schema["description"] = cls.doc();
    if (model->config.extra != Extra::kIgnore) {
      schema["additionalProperties"] = model->config.extra == Extra::kAllow;
    }
    ESP_TRY(Merge(model->config.schema_extra, schema));
    return schema;
  }

  Outcome<Json> Root(const ClassObject& cls, const ModelFields& model) {
    const ModelField& field = model.fields.front();
    ESP_TRY_ASSIGN(Json schema, Field(field));
    schema["title"] = model.config.title.value_or(cls.name());
    if (!cls.doc().empty()) schema["description"] = cls.doc();
    ESP_TRY(Merge(model.config.schema_extra, schema));
    return schema;
  }

  Fault Merge(const Value& extra, Json& schema) {
    if (extra.If<lang::Dict>() == nullptr) return Fault();
    ESP_TRY_ASSIGN(const Json more, DumpedJson(host_, extra));
    for (const auto& [key, value] : more.items()) schema[key] = value;
    return Fault();
  }

  Outcome<Json> Field(const ModelField& field) {
    ESP_TRY_ASSIGN(Json schema, Type(field.type));
    if (field.title) {
      schema["title"] = *field.title;
    } else if (!IsReference(field.type)) {
      schema["title"] = TitleOf(KeyOf(field));
    }
    if (field.description) schema["description"] = *field.description;
    if (!field.examples.is_unset()) {
      ESP_TRY_ASSIGN(schema["examples"], DumpedJson(host_, field.examples));
    }
    if (!field.default_value.is_unset()) {
      ESP_TRY_ASSIGN(schema["default"], DumpedJson(host_, field.default_value));
    }
    ESP_TRY(Merge(field.schema_extra, schema));
    return schema;
  }

  // Whether it says only where the schema stands: then it has no title of its own. So
  // does an optional one.
  static bool IsReference(const FieldType& type) {
    if (type.kind == Kind::kUnion) {
      return type.nullable() && type.parts.size() == 2 &&
             std::ranges::any_of(type.parts, [](const FieldType& part) {
               return part.kind != Kind::kNone && IsReference(part);
             });
    }
    return type.kind == Kind::kModel || type.kind == Kind::kEnum || type.kind == Kind::kRecord;
  }

  Outcome<Json> Type(const FieldType& type) {
    lang::NestedScope scope(host_);
    ESP_TRY(scope.Check());
    ESP_TRY(host_.Step());
    if (std::ranges::any_of(type.functions, [](const Value& function) {
          return Exactly<FunctionValidator>(function)->when == When::kPlain;
        })) {
      return Json::object();
    }
    ESP_TRY_ASSIGN(Json schema, PlainType(type));
    ESP_TRY(AddConstraints(type, schema));
    return schema;
  }

  Outcome<Json> PlainType(const FieldType& type) {
    switch (type.kind) {
      case Kind::kAny: return Json::object();
      case Kind::kNone: return Json{{"type", "null"}};
      case Kind::kBool: return Json{{"type", "boolean"}};
      case Kind::kInt: return Json{{"type", "integer"}};
      case Kind::kFloat: return Json{{"type", "number"}};
      case Kind::kStr: return Json{{"type", "string"}};
      case Kind::kList:
      case Kind::kSet: return Items(type);
      case Kind::kTuple: return type.variadic ? Items(type) : Places(type);
      case Kind::kDict: return Entries(type);
      case Kind::kUnion: return Union(type);
      case Kind::kTagged: return OneOf(type);
      case Kind::kLiteral: return Values(type.literals);
      case Kind::kEnum:
      case Kind::kModel:
      case Kind::kRecord: return Reference(*type.cls.As<ClassObject>());
      case Kind::kText: return Json{{"format", FormatOf(type)}, {"type", "string"}};
      case Kind::kInstance: break;
    }
    return lang::Raise("PydanticInvalidForJsonSchema",
                       "Cannot generate a JsonSchema for core_schema.IsInstanceSchema (" +
                           type.cls.As<ClassObject>()->name() + ")");
  }

  static std::string FormatOf(const FieldType& type) {
    constexpr std::pair<std::string_view, std::string_view> kFormats[] = {{"datetime", "date-time"},
                                                                          {"date", "date"},
                                                                          {"time", "time"},
                                                                          {"timedelta", "duration"},
                                                                          {"UUID", "uuid"}};
    const std::string& name = type.cls.As<ClassObject>()->name();
    for (const auto& [cls, format] : kFormats) {
      if (cls == name) return std::string(format);
    }
    return "path";
  }

  // Each option once, and which tag means which.
  Outcome<Json> OneOf(const FieldType& type) {
    Json options = Json::array(), mapping = Json::object();
    std::vector<Json> made;
    for (const FieldType& part : type.parts) {
      ESP_TRY_ASSIGN(Json option, Type(part));
      options.push_back(option);
      made.push_back(std::move(option));
    }
    Json schema{{"oneOf", std::move(options)}};
    if (type.tagged.field.empty()) return schema;
    for (const Tagged::Option& option : type.tagged.options) {
      const Json& reference = made[option.part];
      ESP_TRY_ASSIGN(const std::string tag, lang::Text(host_, option.tag));
      if (reference.contains("$ref")) mapping[tag] = reference["$ref"];
    }
    schema["discriminator"] = {{"mapping", SortedSchema(mapping)},
                               {"propertyName", type.tagged.field}};
    return schema;
  }

  Outcome<Json> Items(const FieldType& type) {
    ESP_TRY_ASSIGN(Json items, Type(type.parts[0]));
    Json schema{{"items", std::move(items)}, {"type", "array"}};
    if (type.kind == Kind::kSet) schema["uniqueItems"] = true;
    return schema;
  }

  Outcome<Json> Places(const FieldType& type) {
    Json items = Json::array();
    for (const FieldType& part : type.parts) {
      ESP_TRY_ASSIGN(Json item, Type(part));
      items.push_back(std::move(item));
    }
    const std::size_t size = items.size();
    return Json{{"maxItems", size},
                {"minItems", size},
                {"prefixItems", std::move(items)},
                {"type", "array"}};
  }

  Outcome<Json> Entries(const FieldType& type) {
    ESP_TRY_ASSIGN(Json value, Type(type.parts[1]));
    Json schema{{"type", "object"}};
    ESP_TRY_ASSIGN(const Json key, Type(type.parts[0]));
    const FieldType& name = type.parts[0];
    if (name.kind == Kind::kEnum || name.kind == Kind::kLiteral || name.constraints.pattern) {
      schema[name.constraints.pattern ? "patternProperties" : "propertyNames"] =
          name.constraints.pattern ? Json{{*name.constraints.pattern, value}} : key;
      if (name.constraints.pattern) return schema;
    }
    schema["additionalProperties"] = value.empty() ? Json(true) : std::move(value);
    return schema;
  }

  Outcome<Json> Union(const FieldType& type) {
    Json options = Json::array();
    for (const bool none : {false, true}) {  // null stands last, as in pydantic
      for (const FieldType& part : type.parts) {
        if ((part.kind == Kind::kNone) != none) continue;
        ESP_TRY_ASSIGN(Json option, Type(part));
        options.push_back(std::move(option));
      }
    }
    return Json{{"anyOf", std::move(options)}};
  }

  Fault AddConstraints(const FieldType& type, Json& schema) {
    const Constraints& limits = type.constraints;
    const std::pair<const Value&, const char*> bounds[] = {{limits.gt, "exclusiveMinimum"},
                                                           {limits.ge, "minimum"},
                                                           {limits.lt, "exclusiveMaximum"},
                                                           {limits.le, "maximum"},
                                                           {limits.multiple_of, "multipleOf"}};
    for (const auto& [limit, keyword] : bounds) {
      if (limit.is_unset()) continue;
      ESP_TRY_ASSIGN(schema[keyword], lang::ToJson(host_, limit));
    }
    const bool text = type.kind == Kind::kStr, dict = type.kind == Kind::kDict;
    if (limits.min_length) {
      schema[text ? "minLength" : dict ? "minProperties" : "minItems"] = *limits.min_length;
    }
    if (limits.max_length) {
      schema[text ? "maxLength" : dict ? "maxProperties" : "maxItems"] = *limits.max_length;
    }
    if (limits.pattern) schema["pattern"] = *limits.pattern;
    return Fault();
  }

  // A dataclass or TypedDict.
  Outcome<Json> Record(ClassObject& cls) {
    Json properties = Json::object(), required = Json::array();
    const DataclassFields* fields = FieldsOf(cls);
    const auto& annotations = *cls.annotations.As<lang::Dict>();
    for (std::size_t at = 0; const auto* entry = annotations.EntryAt(at); ++at) {
      ModelField field;
      field.name = field.alias = lang::TextOf(entry->key);
      ESP_TRY_ASSIGN(field.type, ReadAnnotation(host_, Value(entry->value), cls));
      bool has_default = false;
      if (fields != nullptr) {
        const auto known = std::ranges::find(fields->fields, field.name, &DataclassField::name);
        if (known != fields->fields.end()) {
          field.default_value = known->default_value;
          has_default = known->has_default();
        }
      }
      ESP_TRY_ASSIGN(Json schema, Field(field));
      properties[field.name] = std::move(schema);
      if (!has_default) required.push_back(field.name);
    }
    Json schema{{"properties", std::move(properties)}, {"title", cls.name()}, {"type", "object"}};
    if (!required.empty()) schema["required"] = std::move(required);
    if (!cls.doc().empty()) schema["description"] = cls.doc();
    return schema;
  }

  Host& host_;
  const SchemaNames keys_;
  std::map<std::string, Json> definitions_;
  std::set<const ClassObject*> started_, referred_;
  std::map<const ClassObject*, std::string> names_;
  std::set<std::string> taken_;
};

}  // namespace

Outcome<SchemaNames> AskedNames(Host& host, const Args& args, const ModelFields* model) {
  SchemaNames names = SchemaNames::kAliases;
  for (const lang::Keyword& keyword : args.keywords) {
    if (keyword.name == "by_alias") {
      ESP_TRY_ASSIGN(const bool by_alias, lang::Truth(host, keyword.value));
      if (!by_alias) names = SchemaNames::kFields;
    } else if (keyword.name == "mode" && keyword.value.is_str() &&
               (lang::TextOf(keyword.value) == "validation" || model == nullptr ||
                (model->computed.empty() && model->serializers.empty()))) {
      continue;
    } else {
      return lang::Raise("NotImplementedError", "model_json_schema(" + std::string(keyword.name) +
                                                    "=...) is not in the language");
    }
  }
  return names;
}

Outcome<Json> SchemaOf(Host& host, ClassObject& model, SchemaNames names) {
  return SchemaWriter(host, names).Model(model);
}

Outcome<Json> SchemaOf(Host& host, const FieldType& type, SchemaNames names) {
  return SchemaWriter(host, names).Annotation(type);
}

}  // namespace espalier::script
