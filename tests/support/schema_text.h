// A schema's nodes as short texts, so that tests compare whole nodes.
#pragma once

#include <string>
#include <string_view>

#include "grammar/schema/schema_document.h"

namespace espalier::test {

// "type=string|null minLength=1 properties={a:2}": keywords by their names in draft 2020-12,
// in the order of SchemaNode; schemas by their ids.
class SchemaText {
 public:
  explicit SchemaText(const SchemaNode& node) {
    if (node.boolean) Add(*node.boolean ? "true" : "false");
    AddAny(node);
    AddScalar(node);
    AddArray(node);
    AddObject(node);
  }

  std::string Take() && { return std::move(text_); }

 private:
  void AddAny(const SchemaNode& node) {
    static constexpr const char* kNames[] = {"null",   "boolean", "number",
                                             "string", "array",   "object"};
    std::string types;
    for (unsigned i = 0; i < 6; ++i) {
      const bool is_in = node.types && ((*node.types >> i) & 1u) != 0;
      if (is_in) types += (types.empty() ? "" : "|") + std::string(kNames[i]);
    }
    if (node.types) Add("type=" + types);
    if (node.integer) Add("integer");
    std::string values;
    for (const Json& value : node.values.value_or(std::vector<Json>())) {
      values += (values.empty() ? "" : ",") + CanonicalText(value);
    }
    if (node.values) Add("enum=[" + values + "]");
    if (node.constant) Add("const=" + CanonicalText(*node.constant));
    Add("$ref", node.ref);
    if (node.dynamic_ref) {
      Add("$dynamicRef=" + node.dynamic_ref->anchor + ":" +
          std::to_string(node.dynamic_ref->target));
    }
    Add("allOf", node.all_of);
    Add("anyOf", node.any_of);
    Add("oneOf", node.one_of);
    Add("not", node.not_of);
    Add("if", node.if_of);
    Add("then", node.then_of);
    Add("else", node.else_of);
  }

  void AddScalar(const SchemaNode& node) {
    const auto add_bound = [&](const char* sign, const std::optional<NumberBound>& bound) {
      if (!bound) return;
      const bool inclusive = bound->kind == NumberBound::Kind::kInclusive;
      Add(sign + std::string(inclusive ? "=" : "") + bound->value.ToString());
    };
    add_bound(">", node.lower);
    add_bound("<", node.upper);
    if (node.multiple_of) Add("multipleOf=" + node.multiple_of->ToString());
    Add("minLength", node.min_length);
    Add("maxLength", node.max_length);
    if (node.pattern) Add("pattern=" + *node.pattern);
    if (node.format) Add("format=" + *node.format);
  }

  void AddArray(const SchemaNode& node) {
    Add("prefixItems", node.prefix_items);
    Add("items", node.items);
    Add("contains", node.contains);
    if (node.contains && !node.contains_evaluates) Add("contains:unevaluated");
    Add("unevaluatedItems", node.unevaluated_items);
    Add("minItems", node.min_items);
    Add("maxItems", node.max_items);
    Add("minContains", node.min_contains);
    Add("maxContains", node.max_contains);
    if (node.unique_items) Add("uniqueItems");
  }

  void AddObject(const SchemaNode& node) {
    Add("properties", node.properties);
    Add("patternProperties", node.pattern_properties);
    Add("dependentSchemas", node.dependent_schemas);
    Add("additionalProperties", node.additional_properties);
    Add("propertyNames", node.property_names);
    Add("unevaluatedProperties", node.unevaluated_properties);
    if (!node.required.empty()) Add("required=" + Joined(node.required));
    for (const auto& [name, names] : node.dependent_required) {
      Add("dependentRequired=" + name + ":" + Joined(names));
    }
    Add("minProperties", node.min_properties);
    Add("maxProperties", node.max_properties);
  }

  void Add(const std::string& word) { text_ += (text_.empty() ? "" : " ") + word; }
  template <typename Number>
  void Add(const char* name, const std::optional<Number>& number) {
    if (number) Add(std::string(name) + "=" + std::to_string(*number));
  }
  void Add(const char* name, const std::vector<SchemaId>& ids) {
    std::vector<std::string> texts;
    for (const SchemaId id : ids) texts.push_back(std::to_string(id));
    if (!ids.empty()) Add(std::string(name) + "=" + Joined(texts));
  }
  void Add(const char* name, const NamedSchemas& schemas) {
    std::vector<std::string> texts;
    for (const auto& [key, id] : schemas) texts.push_back(key + ":" + std::to_string(id));
    if (!schemas.empty()) Add(std::string(name) + "=" + Joined(texts));
  }
  static std::string Joined(const std::vector<std::string>& texts) {
    std::string joined = "[";
    for (std::string_view comma; const std::string& text : texts) {
      joined.append(comma).append(text);
      comma = ",";
    }
    return joined + "]";
  }

  std::string text_;
};

inline std::string NodeText(const SchemaNode& node) { return SchemaText(node).Take(); }

// All nodes, "0: ..." and so on, with "; " between them.
inline std::string DocumentText(const SchemaDocument& document) {
  std::string text;
  for (SchemaId id = 0; id < document.size(); ++id) {
    text += (id == 0 ? "" : "; ") + std::to_string(id) + ": " + NodeText(document.node(id));
  }
  return text;
}

// "/pointer: message", one a line.
inline std::string ProblemsText(const SchemaDocument& document) {
  std::string text;
  for (const SchemaProblem& problem : document.problems()) {
    text += (text.empty() ? "" : "\n") + problem.pointer + ": " + problem.message;
  }
  return text;
}

}  // namespace espalier::test
