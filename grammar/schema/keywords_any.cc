// Keywords that speak of values of any type.
#include <algorithm>
#include <array>

#include "grammar/ascii.h"
#include "grammar/schema/keyword_readers.h"
#include "grammar/schema/schema_reader.h"
#include "grammar/schema/uri.h"

namespace espalier {
namespace {

using Kind = Json::Kind;

struct TypeRow {
  std::string_view name;
  SchemaType type;
};

constexpr std::array kTypes = {
    TypeRow{"null", SchemaType::kNull},     TypeRow{"boolean", SchemaType::kBoolean},
    TypeRow{"number", SchemaType::kNumber}, TypeRow{"integer", SchemaType::kNumber},
    TypeRow{"string", SchemaType::kString}, TypeRow{"array", SchemaType::kArray},
    TypeRow{"object", SchemaType::kObject},
};

std::string Shown(const Json& name) {
  if (name.kind == Kind::kObject) return "an object";
  if (name.kind == Kind::kArray) return "a list";
  return QuotedText(name.kind == Kind::kString ? name.string : CanonicalText(name));
}

const TypeRow* FindType(const Json& name) {
  const auto row = std::ranges::find(kTypes, name.string, &TypeRow::name);
  return name.kind == Kind::kString && row != kTypes.end() ? &*row : nullptr;
}

}  // namespace

void ReadType(KeywordUse& use) {
  const bool is_list = use.value->kind == Kind::kArray;
  const std::vector<Json> one = is_list ? std::vector<Json>() : std::vector{*use.value};
  const std::vector<Json>& names = is_list ? use.value->elements : one;
  if (names.empty()) return use.Refuse("must name at least one type");
  SchemaTypes types = 0;
  bool integer = false;
  bool number = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const TypeRow* row = FindType(names[i]);
    if (row == nullptr) {
      return use.Refuse("no such type: " + Shown(names[i]) +
                            "; there are null, boolean, integer, number, string, array and object",
                        is_list ? "/" + std::to_string(i) : "");
    }
    types |= TypeBit(row->type);
    integer = integer || row->name == "integer";
    number = number || row->name == "number";
  }
  use.node.types = types;
  use.node.integer = integer && !number;
  use.node.plain_integer = use.node.integer && use.dialect.draft == Draft::k4;
}

void ReadEnum(KeywordUse& use) {
  if (use.value->kind != Kind::kArray) return use.Refuse("must be a list of values");
  use.node.values = use.value->elements;
}

void ReadConst(KeywordUse& use) { use.node.constant = *use.value; }

void ReadRef(KeywordUse& use) {
  const std::string* reference = use.Text();
  if (reference == nullptr) return;
  if (const auto target = use.reader.Resolve(use, *reference)) use.node.ref = target->id;
}

void ReadDynamicRef(KeywordUse& use) {
  const std::string* reference = use.Text();
  if (reference == nullptr) return;
  const auto target = use.reader.Resolve(use, *reference);
  if (!target) return;
  if (target->dynamic_anchor.empty()) return use.node.all_of.push_back(target->id);
  use.node.dynamic_ref =
      DynamicRef{.anchor = std::string(target->dynamic_anchor), .target = target->id};
  use.reader.AddDynamicRef();
}

void ReadRecursiveRef(KeywordUse& use) {
  const std::string* reference = use.Text();
  if (reference == nullptr) return;
  if (*reference != "#") return use.Refuse("must be \"#\"");
  const auto target = use.reader.Resolve(use, *reference);
  if (!target) return;
  if (!use.reader.IsRecursiveAnchor(use.node)) return use.node.all_of.push_back(target->id);
  use.node.dynamic_ref = DynamicRef{.anchor = "", .target = target->id};
  use.reader.AddDynamicRef();
}

// Behind what $dynamicRef put there.
void ReadAllOf(KeywordUse& use) {
  for (const SchemaId id : use.Schemas()) use.node.all_of.push_back(id);
}

void ReadAnyOf(KeywordUse& use) { use.node.any_of = use.Schemas(); }

void ReadOneOf(KeywordUse& use) { use.node.one_of = use.Schemas(); }

void ReadNot(KeywordUse& use) { use.node.not_of = use.Schema(); }

void ReadIf(KeywordUse& use) {
  use.node.if_of = use.Schema();
  if (auto then = use.Beside("then")) use.node.then_of = then->Schema();
  if (auto otherwise = use.Beside("else")) use.node.else_of = otherwise->Schema();
}

void ReadText(KeywordUse& use) { use.Text(); }

void ReadFlag(KeywordUse& use) { use.Flag(); }

void ReadId(KeywordUse& use) {
  const std::string* id = use.Text();
  if (id == nullptr || use.dialect.draft < Draft::k2019) return;
  if (!SplitFragment(*id).fragment.value_or("").empty()) {
    use.Refuse("must have no fragment; write $anchor");
  }
}

// "^[A-Za-z_][-A-Za-z0-9._]*$"; draft 2019-09 allows ':' too.
void ReadAnchor(KeywordUse& use) {
  const std::string* name = use.Text();
  if (name == nullptr) return;
  const bool starts_well = !name->empty() && (IsLetter(name->front()) || name->front() == '_');
  const bool goes_on_well = std::ranges::all_of(*name, [](char c) {
    return IsLetter(c) || IsDigit(c) || std::string_view("-._:").find(c) != std::string_view::npos;
  });
  if (!starts_well || !goes_on_well) {
    use.Refuse("must be a letter or _, then letters, digits, '-', '.' and '_'");
  }
}

}  // namespace espalier
