// A validator over SchemaDocument, as the specification's text reads: keyword by keyword, by
// plain recursion, without format. It is the oracle of what a schema means; patterns go to
// std::regex and see bytes, so they must be ASCII.
#pragma once

#include <algorithm>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "grammar/schema/schema_document.h"

namespace espalier::test {

class SchemaOracle {
 public:
  explicit SchemaOracle(const SchemaDocument& document) : document_(document) {}

  bool Accepts(const Json& value) { return Check(document_.root(), value).valid; }

 private:
  using Kind = Json::Kind;

  // What a schema says of one value, and which of its members and elements it looked at.
  struct Verdict {
    bool valid = true;
    std::set<std::string> names;
    std::set<std::size_t> places;

    void And(const Verdict& other) {
      valid = valid && other.valid;
      Add(other);
    }
    void Add(const Verdict& other) {
      if (!other.valid) return;
      names.insert(other.names.begin(), other.names.end());
      places.insert(other.places.begin(), other.places.end());
    }
  };

  Verdict Check(SchemaId id, const Json& value) {
    const SchemaNode& node = document_.node(id);
    if (node.boolean) return {.valid = *node.boolean, .names = {}, .places = {}};
    scope_.push_back(node.resource);
    Verdict verdict;
    verdict.valid = CheckAny(node, value);
    CheckReferences(node, value, verdict);
    CheckBranches(node, value, verdict);
    switch (value.kind) {
      case Kind::kNumber: verdict.valid = verdict.valid && CheckNumber(node, value); break;
      case Kind::kString: verdict.valid = verdict.valid && CheckString(node, value.string); break;
      case Kind::kArray: CheckArray(node, value, verdict); break;
      case Kind::kObject: CheckObject(node, value, verdict); break;
      default: break;
    }
    scope_.pop_back();
    return verdict;
  }

  static SchemaType TypeOf(const Json& value) {
    switch (value.kind) {
      case Kind::kNull: return SchemaType::kNull;
      case Kind::kNumber: return SchemaType::kNumber;
      case Kind::kString: return SchemaType::kString;
      case Kind::kArray: return SchemaType::kArray;
      case Kind::kObject: return SchemaType::kObject;
      default: return SchemaType::kBoolean;
    }
  }

  static bool CheckAny(const SchemaNode& node, const Json& value) {
    if (node.types && (*node.types & TypeBit(TypeOf(value))) == 0) return false;
    if (node.integer && value.kind == Kind::kNumber && !value.number.is_integer()) return false;
    if (node.constant && !JsonEqual(*node.constant, value)) return false;
    const auto is_value = [&](const Json& other) { return JsonEqual(other, value); };
    return !node.values || std::ranges::any_of(*node.values, is_value);
  }

  void CheckReferences(const SchemaNode& node, const Json& value, Verdict& verdict) {
    if (node.ref) verdict.And(Check(*node.ref, value));
    if (node.dynamic_ref) verdict.And(Check(DynamicTarget(*node.dynamic_ref), value));
    for (const SchemaId id : node.all_of) verdict.And(Check(id, value));
  }

  SchemaId DynamicTarget(const DynamicRef& ref) const {
    for (const std::uint32_t resource : scope_) {
      const auto id = document_.DynamicAnchor(resource, ref.anchor);
      if (id) return *id;
    }
    return ref.target;
  }

  void CheckBranches(const SchemaNode& node, const Json& value, Verdict& verdict) {
    const auto count = [&](const std::vector<SchemaId>& ids) {
      std::size_t num_valid = 0;
      for (const SchemaId id : ids) {
        const Verdict branch = Check(id, value);
        num_valid += branch.valid ? 1 : 0;
        verdict.Add(branch);
      }
      return num_valid;
    };
    const bool any = node.any_of.empty() || count(node.any_of) > 0;
    const bool one = node.one_of.empty() || count(node.one_of) == 1;
    verdict.valid = verdict.valid && any && one;
    if (node.not_of && Check(*node.not_of, value).valid) verdict.valid = false;
    if (!node.if_of) return;
    const Verdict condition = Check(*node.if_of, value);
    verdict.Add(condition);
    const auto& then = condition.valid ? node.then_of : node.else_of;
    if (then) verdict.And(Check(*then, value));
  }

  static bool CheckNumber(const SchemaNode& node, const Json& value) {
    const auto inclusive = NumberBound::Kind::kInclusive;
    const Decimal& number = value.number;
    if (node.lower && number < node.lower->value) return false;
    if (node.upper && number > node.upper->value) return false;
    if (node.lower && number == node.lower->value && node.lower->kind != inclusive) return false;
    if (node.upper && number == node.upper->value && node.upper->kind != inclusive) return false;
    return !node.multiple_of || number.IsMultipleOf(*node.multiple_of);
  }

  static bool Matches(const std::string& pattern, const std::string& text) {
    return std::regex_search(text, std::regex(pattern, std::regex::ECMAScript));
  }

  static std::size_t Length(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }));
  }

  static bool InRange(std::size_t size, std::optional<std::uint64_t> least,
                      std::optional<std::uint64_t> most) {
    return size >= least.value_or(0) && (!most || size <= *most);
  }

  static bool CheckString(const SchemaNode& node, const std::string& text) {
    return InRange(Length(text), node.min_length, node.max_length) &&
           (!node.pattern || Matches(*node.pattern, text));
  }

  // The element or member counts as looked at, whatever comes out.
  void CheckElement(SchemaId id, const Json& array, std::size_t at, Verdict& verdict) {
    verdict.places.insert(at);
    if (!Check(id, array.elements[at]).valid) verdict.valid = false;
  }

  void CheckArray(const SchemaNode& node, const Json& array, Verdict& verdict) {
    const std::size_t size = array.elements.size();
    if (!InRange(size, node.min_items, node.max_items)) verdict.valid = false;
    for (std::size_t i = 0; i < size; ++i) {
      if (i < node.prefix_items.size()) {
        CheckElement(node.prefix_items[i], array, i, verdict);
      } else if (node.items) {
        CheckElement(*node.items, array, i, verdict);
      }
      for (std::size_t j = 0; j < i && node.unique_items; ++j) {
        if (JsonEqual(array.elements[i], array.elements[j])) verdict.valid = false;
      }
    }
    std::size_t num_matches = 0;
    for (std::size_t i = 0; i < size && node.contains; ++i) {
      if (!Check(*node.contains, array.elements[i]).valid) continue;
      ++num_matches;
      if (node.contains_evaluates) verdict.places.insert(i);
    }
    if (node.contains && !InRange(num_matches, node.min_contains.value_or(1), node.max_contains)) {
      verdict.valid = false;
    }
    for (std::size_t i = 0; i < size && node.unevaluated_items; ++i) {
      if (!verdict.places.contains(i)) CheckElement(*node.unevaluated_items, array, i, verdict);
    }
  }

  static bool Has(const Json& object, const std::string& name) {
    return object.Find(name) != nullptr;
  }

  void CheckObject(const SchemaNode& node, const Json& object, Verdict& verdict) {
    bool valid = InRange(object.members.size(), node.min_properties, node.max_properties);
    const auto has = [&](const std::string& name) { return Has(object, name); };
    valid = valid && std::ranges::all_of(node.required, has);
    for (const auto& [name, names] : node.dependent_required) {
      valid = valid && (!has(name) || std::ranges::all_of(names, has));
    }
    for (const auto& [name, id] : node.dependent_schemas) {
      if (has(name)) verdict.And(Check(id, object));
    }
    verdict.valid = verdict.valid && valid;
    for (const auto& member : object.members) CheckMember(node, member, verdict);
    for (const auto& [name, value] : object.members) {
      const bool is_left = node.unevaluated_properties && !verdict.names.contains(name);
      if (!is_left) continue;
      verdict.names.insert(name);
      if (!Check(*node.unevaluated_properties, value).valid) verdict.valid = false;
    }
  }

  void CheckMember(const SchemaNode& node, const JsonMember& member, Verdict& verdict) {
    const auto& [name, value] = member;
    bool is_known = false;
    const auto check = [&](SchemaId id) {
      is_known = true;
      verdict.names.insert(name);
      if (!Check(id, value).valid) verdict.valid = false;
    };
    for (const auto& [key, id] : node.properties) {
      if (key == name) check(id);
    }
    for (const auto& [pattern, id] : node.pattern_properties) {
      if (Matches(pattern, name)) check(id);
    }
    if (!is_known && node.additional_properties) check(*node.additional_properties);
    if (!node.property_names) return;
    Json text;
    text.kind = Kind::kString;
    text.string = name;
    if (!Check(*node.property_names, text).valid) verdict.valid = false;
  }

  const SchemaDocument& document_;
  std::vector<std::uint32_t> scope_;  // resources on the way here, the outermost first
};

}  // namespace espalier::test
