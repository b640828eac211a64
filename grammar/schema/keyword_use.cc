#include "grammar/schema/keyword_use.h"

#include <algorithm>
#include <unordered_set>

#include "grammar/schema/keyword_table.h"
#include "grammar/schema/schema_reader.h"
#include "grammar/schema/uri.h"

namespace espalier {
namespace {

using Kind = Json::Kind;

// Draft 4 knows true and false as schemas only where it says so.
bool TakesBoolean(const KeywordUse& use) {
  return use.dialect.draft != Draft::k4 || use.keyword.starts_with("additional");
}

std::uint64_t Clamped(const Decimal& count) {
  if (count > Decimal(static_cast<std::int64_t>(kMaxCount))) return kMaxCount;
  std::uint64_t value = 0;
  for (const char digit : count.digits()) value = value * 10 + static_cast<unsigned>(digit - '0');
  for (int i = 0; i < count.exponent(); ++i) value *= 10;
  return value;
}

}  // namespace

void KeywordUse::Refuse(const std::string& message, std::string_view below) {
  RefuseAs(Code::kInvalidArgument, message, below);
}

void KeywordUse::RefuseAs(Code code, const std::string& message, std::string_view below) {
  reader.Refuse({.code = code,
                 .pointer = node.pointer + "/" + EscapedToken(keyword) + std::string(below),
                 .message = message});
}

std::optional<KeywordUse> KeywordUse::Beside(std::string_view other) const {
  const Json* found = FindKeyword(other, dialect) == nullptr ? nullptr : schema.Find(other);
  if (found == nullptr) return {};
  KeywordUse beside = *this;
  beside.keyword = other;
  beside.value = found;
  return beside;
}

std::optional<std::uint64_t> KeywordUse::Count() {
  const bool fits =
      value->kind == Kind::kNumber && value->number.is_integer() && !value->number.negative();
  if (fits) return Clamped(value->number);
  Refuse("must be an integer of at least 0");
  return {};
}

std::optional<Decimal> KeywordUse::Number() {
  if (value->kind == Kind::kNumber) return value->number;
  Refuse("must be a number");
  return {};
}

std::optional<bool> KeywordUse::Flag() {
  if (value->is_boolean()) return value->kind == Kind::kTrue;
  Refuse("must be true or false");
  return {};
}

const std::string* KeywordUse::Text() {
  if (value->kind == Kind::kString) return &value->string;
  Refuse("must be a string");
  return nullptr;
}

bool KeywordUse::IsObject() {
  if (value->kind == Kind::kObject) return true;
  Refuse("must be an object");
  return false;
}

std::vector<std::string> KeywordUse::TextsOf(const Json& list, std::string_view below) {
  std::vector<std::string> texts;
  std::unordered_set<std::string_view> seen;
  bool fits = list.kind == Kind::kArray;
  for (const Json& element : list.elements) {
    fits = fits && element.kind == Kind::kString;
    if (fits && seen.insert(element.string).second) texts.push_back(element.string);
  }
  if (!fits) Refuse("must be a list of strings", below);
  return texts;
}

std::optional<SchemaId> KeywordUse::SchemaAt(const Json& at, std::string_view name) {
  const std::string below = &at == value ? "" : "/" + EscapedToken(name);
  if (at.kind != Kind::kObject && !at.is_boolean()) {
    Refuse(dialect.draft == Draft::k4 ? "must be a schema: an object"
                                      : "must be a schema: an object, true or false",
           below);
    return {};
  }
  if (at.is_boolean() && !TakesBoolean(*this)) {
    Refuse(
        "draft 4 has no schemas true and false; write {} or {\"not\": {}}, or name a newer "
        "draft in $schema",
        below);
    return {};
  }
  return reader.NodeAt(at);
}

std::optional<SchemaId> KeywordUse::Schema() { return SchemaAt(*value, {}); }

std::vector<SchemaId> KeywordUse::Schemas() {
  std::vector<SchemaId> schemas;
  if (value->kind != Kind::kArray || value->elements.empty()) {
    Refuse("must be a list of at least one schema");
    return schemas;
  }
  for (std::size_t i = 0; i < value->elements.size(); ++i) {
    const std::optional<SchemaId> id = SchemaAt(value->elements[i], std::to_string(i));
    if (id) schemas.push_back(*id);
  }
  return schemas;
}

NamedSchemas KeywordUse::SchemasByName() {
  NamedSchemas schemas;
  if (!IsObject()) return schemas;
  for (const auto& [name, schema_of_name] : value->members) {
    const std::optional<SchemaId> id = SchemaAt(schema_of_name, name);
    if (id) schemas.emplace_back(name, *id);
  }
  return schemas;
}

}  // namespace espalier
