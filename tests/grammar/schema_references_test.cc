// References between schemas: pointers, URIs, anchors, other documents, dynamic scopes, and
// those that lead nowhere.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "grammar/schema/schema_document.h"
#include "tests/support/schema_text.h"

namespace espalier {
namespace {

using Documents = std::map<std::string, std::string>;

SchemaDocument Read(std::string_view text, std::string draft, const Documents& documents = {}) {
  SchemaSettings settings;
  settings.default_draft = std::move(draft);
  settings.documents = &documents;
  Result<SchemaDocument> document = SchemaDocument::Parse(text, settings);
  EXPECT_TRUE(document.ok()) << text << ": " << document.status().message();
  return document.ok() ? *document : SchemaDocument();
}

// The pointer of the schema that the root, or its property "a", refers to.
std::string TargetPointer(const SchemaDocument& document) {
  const SchemaNode* node = &document.node(document.root());
  if (!node->ref && !node->properties.empty()) node = &document.node(node->properties[0].second);
  return node->ref ? document.node(*node->ref).pointer : "no reference";
}

struct Case {
  const char* draft;
  const char* schema;
  const char* expected;
};

template <std::size_t kSize>
void ExpectTargets(const Case (&cases)[kSize], const Documents& documents = {}) {
  for (const Case& c : cases) {
    const SchemaDocument document = Read(c.schema, c.draft, documents);
    EXPECT_EQ(test::ProblemsText(document), "") << c.draft << " " << c.schema;
    EXPECT_EQ(TargetPointer(document), c.expected) << c.draft << " " << c.schema;
  }
}

TEST(SchemaReferences, JsonPointers) {
  ExpectTargets({
      {"7", R"({"properties": {"a": {"$ref": "#"}}})", ""},
      {"7", R"({"$ref": "#/definitions/b", "definitions": {"b": {}}})", "/definitions/b"},
      {"7", R"({"$ref": "#/definitions/a~1b", "definitions": {"a/b": {}}})", "/definitions/a~1b"},
      {"7", R"({"$ref": "#/definitions/a~0b", "definitions": {"a~b": {}}})", "/definitions/a~0b"},
      {"7", R"({"$ref": "#/definitions/a%25b", "definitions": {"a%b": {}}})", "/definitions/a%b"},
      {"7", R"({"$ref": "#/definitions/%C3%A9", "definitions": {"é": {}}})", "/definitions/é"},
      {"7", R"({"$ref": "#/definitions/a b", "definitions": {"a b": {}}})", "/definitions/a b"},
      {"7", R"({"$ref": "#/definitions/50%", "definitions": {"50%": {}}})", "/definitions/50%"},
      {"7", R"({"$ref": "#/definitions/", "definitions": {"": {}}})", "/definitions/"},
      {"7", R"({"properties": {"a": {"$ref": "#/allOf/1"}}, "allOf": [{}, {}]})", "/allOf/1"},
      {"7", R"({"$ref": "#/x/0/y", "x": [{"y": {"type": "null"}}]})", "/x/0/y"},
      {"2020-12", R"({"$ref": "#/examples/0", "examples": [true]})", "/examples/0"},
      {"2020-12", R"({"$ref": "#/components/schemas/A", "components": {"schemas": {"A": {}}}})",
       "/components/schemas/A"},
  });
}

TEST(SchemaReferences, EachPlaceIsOneNode) {
  const SchemaDocument document = Read(R"({
    "anyOf": [{"$ref": "#/x/y"}, {"$ref": "#/x/y"}, {"$ref": "#/x/y/items"}, {"$ref": "#/x"}],
    "x": {"not": {}, "y": {"items": {"$ref": "#"}}}})",
                                       "2020-12");
  EXPECT_EQ(test::DocumentText(document),
            "0: anyOf=[1,2,3,4]; 1: $ref=5; 2: $ref=5; 3: $ref=6; 4: $ref=7; 5: items=6; "
            "6: $ref=0; 7: not=8; 8: ");
}

TEST(SchemaReferences, UpToDraft7SiblingsOfARefAreIgnored) {
  const char* schema = R"({"$ref": "#/definitions/b", "type": "null", "minimum": "bad",
                           "definitions": {"b": {}}})";
  EXPECT_EQ(test::DocumentText(Read(schema, "4")), "0: $ref=1; 1: ");
  EXPECT_EQ(test::DocumentText(Read(schema, "7")), "0: $ref=1; 1: ");
  EXPECT_EQ(test::DocumentText(Read(schema, "2019-09")), "0: type=null $ref=1; 1: ");
  EXPECT_EQ(test::ProblemsText(Read(schema, "2020-12")), "/minimum: must be a number");
}

TEST(SchemaReferences, UrisAreResolvedAgainstTheNearestId) {
  ExpectTargets({
      {"2020-12", R"({"$id": "http://x.y/a/b.json", "$ref": "c.json",
          "$defs": {"c": {"$id": "c.json"}}})",
       "/$defs/c"},
      {"2020-12", R"({"$id": "http://x.y/a/b.json", "$ref": "/c.json#/items",
          "$defs": {"c": {"$id": "http://x.y/c.json", "items": {}}}})",
       "/$defs/c/items"},
      {"2020-12", R"({"$id": "http://x.y/a/b.json", "$ref": "../d/./c.json",
          "$defs": {"c": {"$id": "/d/c.json"}}})",
       "/$defs/c"},
      {"2020-12", R"({"$id": "http://x.y/a/", "$ref": "?q",
          "$defs": {"c": {"$id": "http://x.y/a/?q"}}})",
       "/$defs/c"},
      {"2020-12", R"({"$ref": "urn:uuid:1#/items", "$defs": {"c": {"$id": "urn:uuid:1",
          "items": {}}}})",
       "/$defs/c/items"},
      {"2020-12", R"({"$ref": "b.json", "$defs": {"c": {"$id": "b.json"}}})", "/$defs/c"},
      {"7", R"({"$id": "http://x.y/r", "properties": {"a": {"$ref": "http://x.y/r#"}}})", ""},
      {"7", R"({"properties": {"a": {"$id": "http://x.y/r", "$ref": "#/definitions/b"}},
          "definitions": {"b": {}}})",
       "/definitions/b"},
      {"4", R"({"id": "http://x.y/r", "properties": {"a": {"$ref": "s#/items"}},
          "definitions": {"s": {"id": "s", "items": {}}}})",
       "/definitions/s/items"},
      {"2019-09", R"({"properties": {"a": {"$id": "http://x.y/r", "$ref": "#/$defs/b",
          "$defs": {"b": {}}}}, "$defs": {"b": {}}})",
       "/properties/a/$defs/b"},
  });
}

TEST(SchemaReferences, Anchors) {
  ExpectTargets({
      {"2020-12", R"({"$ref": "#n", "$defs": {"c": {"$anchor": "n"}}})", "/$defs/c"},
      {"2020-12", R"({"$ref": "#n", "$defs": {"c": {"$dynamicAnchor": "n"}}})", "/$defs/c"},
      {"2020-12", R"({"$ref": "http://x.y/c#n", "$defs": {"c": {"$id": "http://x.y/c",
          "items": {"$anchor": "n"}}, "d": {"$anchor": "n"}}})",
       "/$defs/c/items"},
      {"7", R"({"$ref": "#n", "definitions": {"c": {"$id": "#n"}}})", "/definitions/c"},
      {"4", R"({"$ref": "#n", "definitions": {"c": {"id": "#n"}}})", "/definitions/c"},
      {"7", R"({"$ref": "http://x.y/c#n", "definitions": {"c": {"$id": "http://x.y/c#n"}}})",
       "/definitions/c"},
      {"2020-12", R"({"$ref": "#n", "$defs": {"e": {"enum": [{"$anchor": "n"}]},
          "u": {"unknown": {"$anchor": "n"}}, "c": {"$anchor": "n"}}})",
       "/$defs/c"},
  });
}

TEST(SchemaReferences, OtherDocuments) {
  const Documents documents = {
      {"http://x.y/d.json", R"({"$defs": {"a": {"type": "null"}}, "items": {"$ref": "e.json"}})"},
      {"http://x.y/e.json", R"({"$schema": "http://json-schema.org/draft-04/schema#",
                                "minimum": 1, "exclusiveMinimum": true})"},
      {"http://x.y/bad.json", "{"},
      {"http://x.y/three.json", "3"},
  };
  ExpectTargets({{"7", R"({"$ref": "http://x.y/d.json#/$defs/a"})", "http://x.y/d.json#/$defs/a"},
                 {"7", R"({"$id": "http://x.y/", "properties": {"a": {"$ref": "d.json"}}})",
                  "http://x.y/d.json#"}},
                documents);
  EXPECT_EQ(test::DocumentText(Read(R"({"$ref": "http://x.y/d.json"})", "2020-12", documents)),
            "0: $ref=1; 1: items=2; 2: $ref=3; 3: >1");
  EXPECT_EQ(test::ProblemsText(Read(R"({"$ref": "http://x.y/bad.json"})", "7", documents)),
            "/$ref: cannot follow \"http://x.y/bad.json\": \"http://x.y/bad.json\": line 1, "
            "column 1: unexpected end of input; expected string literal");
  EXPECT_EQ(test::ProblemsText(Read(R"({"$ref": "http://x.y/three.json"})", "7", documents)),
            "/$ref: cannot follow \"http://x.y/three.json\": what stands there is no schema");
}

TEST(SchemaReferences, MetaschemasOfTheDraftsAreKnown) {
  for (const std::string uri :
       {"http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema"}) {
    const SchemaDocument document = Read(R"({"$ref": ")" + uri + "\"}", "7");
    EXPECT_EQ(test::ProblemsText(document), "") << uri;
    EXPECT_GT(document.size(), 40u) << uri;
  }
  ExpectTargets({{"7", R"({"$ref": "http://json-schema.org/draft-04/schema#/properties/title"})",
                  "http://json-schema.org/draft-04/schema#/properties/title"}});
}

TEST(SchemaReferences, VocabulariesThatAMetaschemaLeavesOutSayNothing) {
  const Documents documents = {
      {"http://x.y/m", R"({"$schema": "https://json-schema.org/draft/2020-12/schema",
          "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": true,
                          "https://json-schema.org/draft/2020-12/vocab/applicator": true,
                          "http://x.y/optional": false}})"},
      {"http://x.y/n", R"({"$schema": "https://json-schema.org/draft/2020-12/schema",
          "$vocabulary": {"http://x.y/required": true}})"},
  };
  EXPECT_EQ(test::DocumentText(
                Read(R"({"$schema": "http://x.y/m", "minimum": 1, "not": false})", "7", documents)),
            "0: not=1; 1: false");
  EXPECT_EQ(test::ProblemsText(Read(R"({"$schema": "http://x.y/n"})", "7", documents)),
            "/$schema: the metaschema requires the unknown vocabulary \"http://x.y/required\"");
}

TEST(SchemaReferences, DynamicReferences) {
  const SchemaDocument document = Read(R"({"$id": "http://x.y/outer", "$dynamicAnchor": "n",
      "$ref": "inner", "$defs": {"i": {"$id": "inner", "items": {"$dynamicRef": "#n"},
      "$dynamicAnchor": "n"}, "unused": {"$id": "unused", "$dynamicAnchor": "n"}}})",
                                       "2020-12");
  EXPECT_EQ(test::ProblemsText(document), "");
  EXPECT_EQ(test::DocumentText(document), "0: $ref=1; 1: items=2; 2: $dynamicRef=n:1");
  EXPECT_TRUE(document.has_dynamic_refs());
  EXPECT_EQ(document.DynamicAnchor(document.node(0).resource, "n"), 0u);
  EXPECT_EQ(document.DynamicAnchor(document.node(1).resource, "n"), 1u);
  EXPECT_EQ(document.DynamicAnchor(document.node(1).resource, "m"), std::nullopt);
  EXPECT_EQ(document.DynamicAnchor(1000, "n"), std::nullopt);
}

TEST(SchemaReferences, DynamicReferencesToOrdinaryPlacesAreReferences) {
  const SchemaDocument document = Read(R"({"items": {"$dynamicRef": "#a"}, "not": {"$dynamicRef":
      "#/$defs/b", "$ref": "#a"}, "$defs": {"a": {"$anchor": "a"}, "b": {"$dynamicAnchor": "b"}}})",
                                       "2020-12");
  EXPECT_EQ(test::DocumentText(document),
            "0: not=2 items=1; 1: allOf=[3]; 2: $ref=3 allOf=[4]; 3: ; 4: ");
  EXPECT_FALSE(document.has_dynamic_refs());
}

TEST(SchemaReferences, RecursiveReferences) {
  const SchemaDocument plain = Read(R"({"items": {"$recursiveRef": "#"}})", "2019-09");
  EXPECT_EQ(test::DocumentText(plain), "0: items=1; 1: allOf=[0]");
  const SchemaDocument dynamic =
      Read(R"({"$recursiveAnchor": true, "items": {"$recursiveRef": "#"}})", "2019-09");
  EXPECT_EQ(test::DocumentText(dynamic), "0: items=1; 1: $dynamicRef=:0");
  EXPECT_EQ(dynamic.DynamicAnchor(0, ""), 0u);
  EXPECT_EQ(test::ProblemsText(Read(R"({"items": {"$recursiveRef": "#a"}})", "2019-09")),
            "/items/$recursiveRef: must be \"#\"");
}

TEST(SchemaReferences, ReferencesThatLeadNowhereNameThemselves) {
  const Case cases[] = {
      {"7", R"({"$ref": "#/definitions/b"})",
       R"(/$ref: cannot follow "#/definitions/b": nothing stands at "/definitions/b")"},
      {"7", R"({"$ref": "#/allOf/01", "allOf": [{}, {}]})",
       R"(/$ref: cannot follow "#/allOf/01": nothing stands at "/allOf/01")"},
      {"7", R"({"$ref": "#/required", "required": ["a"]})",
       R"(/$ref: cannot follow "#/required": what stands there is no schema)"},
      {"7", R"({"$ref": "#b"})", R"(/$ref: cannot follow "#b": no schema has the anchor "b")"},
      {"7", R"({"$ref": {}})", "/$ref: must be a string"},
      {"7", R"({"$ref": "http://x.y/z.json#/a"})",
       R"(/$ref: cannot follow "http://x.y/z.json#/a": the schema has no "http://x.y/z.json", and )"
       "documents are not fetched; put it into $defs with its $id"},
      {"2020-12", R"({"$ref": "#n", "$defs": {"a": {"$anchor": "n"}, "b": {"$anchor": "n"}}})",
       R"(/$ref: cannot follow "#n": several schemas have the anchor "n")"},
      {"2020-12", R"({"$ref": "u:n", "$defs": {"a": {"$id": "u:n"}, "b": {"$id": "u:n"}}})",
       R"(/$ref: cannot follow "u:n": several schemas have the URI "u:n")"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(test::ProblemsText(Read(c.schema, c.draft)), c.expected) << c.schema;
  }
}

TEST(SchemaReferences, EndlessReferencesAreProblems) {
  const Case cases[] = {
      {"7", R"({"$ref": "#"})", ": the schema refers to itself without end"},
      {"7", R"({"$ref": "#/definitions/a", "definitions": {"a": {"$ref": "#/definitions/b"},
                "b": {"$ref": "#/definitions/a"}}})",
       "/definitions/a: the schema refers to itself without end"},
      {"2020-12", R"({"allOf": [{"allOf": [true, {"$ref": "#"}]}]})",
       ": the schema refers to itself without end"},
      {"2020-12", R"({"anyOf": [{"$ref": "#"}, {"type": "integer"}]})",
       ": the schema refers to itself without end"},
      {"2020-12", R"({"properties": {"a": {"oneOf": [{"$ref": "#/properties/a"}, true]}}})",
       "/properties/a: the schema refers to itself without end"},
      {"2020-12", R"({"not": {"if": true, "then": {"$ref": "#"}}})",
       ": the schema refers to itself without end"},
      {"2019-09", R"({"if": {"dependentSchemas": {"a": {"$recursiveRef": "#"}}}})",
       ": the schema refers to itself without end"},
      {"2020-12", R"({"$ref": "#/$defs/a", "$defs": {
          "a": {"anyOf": [{"$ref": "#/$defs/b"}, {"type": "integer"}]},
          "b": {"if": {"$ref": "#/$defs/a"}}}})",
       "/$defs/a: the schema refers to itself without end"},
      {"7", R"({"items": {"$ref": "#"}})", ""},
      {"7", R"({"anyOf": [{"items": {"$ref": "#"}}, {"type": "null"}]})", ""},
      {"7", R"({"then": {"$ref": "#"}})", ""},
      {"7", R"({"allOf": [{"$ref": "#/definitions/a"}, {"$ref": "#/definitions/a"}],
                "definitions": {"a": {}}})",
       ""},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(test::ProblemsText(Read(c.schema, c.draft)), c.expected) << c.schema;
  }
}

}  // namespace
}  // namespace espalier
