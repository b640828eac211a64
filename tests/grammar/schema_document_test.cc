// Schemas as graphs of typed nodes: each keyword in each draft, and what is refused, with
// its pointer.
#include "grammar/schema/schema_document.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/schema_text.h"

namespace espalier {
namespace {

SchemaDocument Read(std::string_view text, std::string draft) {
  SchemaSettings settings;
  settings.default_draft = std::move(draft);
  Result<SchemaDocument> document = SchemaDocument::Parse(text, settings);
  EXPECT_TRUE(document.ok()) << text << ": " << document.status().message();
  return document.ok() ? *document : SchemaDocument();
}

struct Case {
  const char* draft;
  const char* schema;
  const char* expected;
};

// The nodes that each schema becomes.
template <std::size_t kSize>
void ExpectNodes(const Case (&cases)[kSize]) {
  for (const Case& c : cases) {
    const SchemaDocument document = Read(c.schema, c.draft);
    EXPECT_EQ(test::ProblemsText(document), "") << c.draft << " " << c.schema;
    EXPECT_EQ(test::DocumentText(document), c.expected) << c.draft << " " << c.schema;
  }
}

template <std::size_t kSize>
void ExpectProblems(const Case (&cases)[kSize]) {
  for (const Case& c : cases) {
    const SchemaDocument document = Read(c.schema, c.draft);
    EXPECT_EQ(test::ProblemsText(document), c.expected) << c.draft << " " << c.schema;
  }
}

TEST(SchemaDocument, KeywordsOfAnyValue) {
  ExpectNodes({
      {"2020-12", "true", "0: true"},
      {"2020-12", "{}", "0: "},
      {"2020-12", R"({"type": "null"})", "0: type=null"},
      {"2020-12", R"({"type": ["string", "array"]})", "0: type=string|array"},
      {"2020-12", R"({"type": "integer"})", "0: type=number integer"},
      {"2020-12", R"({"type": ["integer", "null"]})", "0: type=null|number integer"},
      {"2020-12", R"({"type": ["integer", "number"]})", "0: type=number"},
      {"2020-12", R"({"enum": [1.0, "a", {"b": []}]})", R"(0: enum=[1,"a",{"b":[]}])"},
      {"2020-12", R"({"enum": []})", "0: enum=[]"},
      {"4", R"({"enum": [1, 1]})", "0: enum=[1,1]"},
      {"2020-12", R"({"const": null})", "0: const=null"},
      {"4", R"({"const": null})", "0: "},
      {"2020-12", R"({"allOf": [true], "anyOf": [{}, false], "oneOf": [{}], "not": {}})",
       "0: allOf=[1] anyOf=[2,3] oneOf=[4] not=5; 1: true; 2: ; 3: false; 4: ; 5: "},
      {"7", R"({"if": {}, "then": false, "else": true})",
       "0: if=1 then=2 else=3; 1: ; 2: false; 3: true"},
      {"6", R"({"if": {}, "then": false})", "0: "},
      {"7", R"({"then": false, "else": false})", "0: "},
  });
}

TEST(SchemaDocument, KeywordsOfNumbers) {
  ExpectNodes({
      {"2020-12", R"({"minimum": 1, "maximum": 2.50})", "0: >=1 <=2.5"},
      {"2020-12", R"({"exclusiveMinimum": 1, "exclusiveMaximum": 2})", "0: >1 <2"},
      {"7", R"({"minimum": 1, "exclusiveMinimum": 1, "maximum": 5, "exclusiveMaximum": 4})",
       "0: >1 <4"},
      {"7", R"({"exclusiveMinimum": 1, "minimum": 2, "exclusiveMaximum": 4, "maximum": 3})",
       "0: >=2 <=3"},
      {"7", R"({"exclusiveMinimum": 1, "minimum": 1, "exclusiveMaximum": 4, "maximum": 4})",
       "0: >1 <4"},
      {"4", R"({"minimum": 1, "exclusiveMinimum": true, "maximum": 3, "exclusiveMaximum": true})",
       "0: >1 <3"},
      {"4", R"({"minimum": 1, "exclusiveMinimum": false, "maximum": 3})", "0: >=1 <=3"},
      {"2020-12", R"({"multipleOf": 0.010})", "0: multipleOf=0.01"},
      {"2020-12", R"({"minimum": 123456789012345678901234567890.5})",
       "0: >=123456789012345678901234567890.5"},
  });
}

TEST(SchemaDocument, KeywordsOfStrings) {
  ExpectNodes({
      {"2020-12", R"({"minLength": 2, "maxLength": 5})", "0: minLength=2 maxLength=5"},
      {"2020-12", R"({"minLength": 2.0, "maxLength": 1e3})", "0: minLength=2 maxLength=1000"},
      {"2020-12", R"({"maxLength": 9007199254740993, "minLength": 1e308})",
       "0: minLength=9007199254740992 maxLength=9007199254740992"},
      {"2020-12", R"({"pattern": "^a", "format": "date"})", "0: pattern=^a format=date"},
      {"7", R"({"contentEncoding": "base64", "contentMediaType": 1, "$comment": []})", "0: "},
      {"2020-12", R"({"format": "no-such-format", "minlength": "x"})", "0: format=no-such-format"},
  });
}

TEST(SchemaDocument, KeywordsOfArrays) {
  ExpectNodes({
      {"2020-12", R"({"prefixItems": [true], "items": false})",
       "0: prefixItems=[1] items=2; 1: true; 2: false"},
      {"2019-09", R"({"prefixItems": [true], "items": false})", "0: items=1; 1: false"},
      {"7", R"({"items": [true], "additionalItems": false})",
       "0: prefixItems=[1] items=2; 1: true; 2: false"},
      {"7", R"({"additionalItems": false, "items": []})", "0: items=1; 1: false"},
      {"4", R"({"items": [{}], "additionalItems": false})",
       "0: prefixItems=[1] items=2; 1: ; 2: false"},
      {"7", R"({"items": {}, "additionalItems": false})", "0: items=1; 1: "},
      {"7", R"({"additionalItems": false})", "0: "},
      {"2020-12", R"({"items": {}, "additionalItems": false})", "0: items=1; 1: "},
      {"2020-12", R"({"contains": {}, "minContains": 0, "maxContains": 2})",
       "0: contains=1 minContains=0 maxContains=2; 1: "},
      {"2019-09", R"({"contains": {}, "minContains": 2})",
       "0: contains=1 contains:unevaluated minContains=2; 1: "},
      {"7", R"({"contains": {}, "minContains": 2})", "0: contains=1 contains:unevaluated; 1: "},
      {"4", R"({"contains": {}})", "0: "},
      {"2020-12", R"({"minContains": 2, "maxContains": "x"})", "0: "},
      {"2020-12", R"({"minItems": 1, "maxItems": 2, "uniqueItems": true})",
       "0: minItems=1 maxItems=2 uniqueItems"},
      {"2020-12", R"({"uniqueItems": false})", "0: "},
      {"2019-09", R"({"unevaluatedItems": false})", "0: unevaluatedItems=1; 1: false"},
      {"7", R"({"unevaluatedItems": false, "unevaluatedProperties": false})", "0: "},
  });
}

TEST(SchemaDocument, KeywordsOfObjects) {
  ExpectNodes({
      {"2020-12", R"({"properties": {"b": {}, "a": true}, "patternProperties": {"^x": false}})",
       "0: properties=[b:1,a:2] patternProperties=[^x:3]; 1: ; 2: true; 3: false"},
      {"4", R"({"additionalProperties": false})", "0: additionalProperties=1; 1: false"},
      {"6", R"({"propertyNames": false})", "0: propertyNames=1; 1: false"},
      {"4", R"({"propertyNames": false})", "0: "},
      {"2019-09", R"({"unevaluatedProperties": {}})", "0: unevaluatedProperties=1; 1: "},
      {"2020-12", R"({"required": ["b", "a", "b"], "minProperties": 1, "maxProperties": 3})",
       "0: required=[b,a] minProperties=1 maxProperties=3"},
      {"4", R"({"required": []})", "0: "},
      {"2019-09", R"({"dependentRequired": {"a": ["b"], "c": []}})",
       "0: dependentRequired=a:[b] dependentRequired=c:[]"},
      {"2020-12", R"({"dependentSchemas": {"a": false}})", "0: dependentSchemas=[a:1]; 1: false"},
      {"7", R"({"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"a": false}})", "0: "},
      {"7", R"({"dependencies": {"a": ["b"], "c": false}})",
       "0: dependentSchemas=[c:1] dependentRequired=a:[b]; 1: false"},
      {"2020-12", R"({"dependencies": {"a": ["b"]}})", "0: dependentRequired=a:[b]"},
  });
}

TEST(SchemaDocument, AnnotationsAndUnknownKeywordsSayNothing) {
  ExpectNodes({
      {"2020-12", R"({"title": 1, "description": [], "default": {}, "examples": 0, "x-y": {},
                      "readOnly": true, "nullable": true, "deprecated": true,
                      "discriminator": {"propertyName": "a"}, "minLenght": 3})",
       "0: "},
      {"2020-12", R"({"$defs": {"a": {"type": "bad"}}, "definitions": {"b": 5}})", "0: "},
      {"4", R"({"extends": {}, "disallow": "any", "divisibleBy": 0, "$id": 7})", "0: "},
  });
}

TEST(SchemaDocument, SchemaNamesTheDraft) {
  for (const char* uri :
       {"http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-04/schema",
        "https://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-04/hyper-schema#"}) {
    const std::string schema =
        R"({"minimum": 0, "exclusiveMinimum": true, "$schema": ")" + std::string(uri) + "\"}";
    EXPECT_EQ(test::DocumentText(Read(schema, "2020-12")), "0: >0") << uri;
  }
  ExpectNodes({
      {"4", R"({"$schema": "http://json-schema.org/draft-06/schema#", "const": 1})", "0: const=1"},
      {"4", R"({"$schema": "http://json-schema.org/draft-07/schema#", "if": {}})", "0: if=1; 1: "},
      {"4", R"({"$schema": "https://json-schema.org/draft/2019-09/schema", "items": [true]})",
       "0: prefixItems=[1]; 1: true"},
      {"4", R"({"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [true]})",
       "0: prefixItems=[1]; 1: true"},
      {"4", R"({"$schema": "http://example.com/my-own-schema", "const": 1})", "0: "},
  });
  EXPECT_EQ(Read("true", "7").problems().size(), 0u);
  SchemaSettings settings;
  settings.default_draft = "5";
  EXPECT_EQ(SchemaDocument::Parse("{}", settings).status().message(),
            "no draft is named \"5\"; there are 4, 6, 7, 2019-09 and 2020-12");
}

TEST(SchemaDocument, OlderDraftsAreRefusedByName) {
  const char* problem =
      "/$schema: draft 3 is not supported; drafts 4, 6, 7, 2019-09 and 2020-12 are";
  ExpectProblems({
      {"7", R"({"$schema": "http://json-schema.org/draft-03/schema#"})", problem},
      {"7", R"({"$schema": "http://json-schema.org/draft-03/hyper-schema"})", problem},
      {"7", R"({"$schema": 3})", "/$schema: must be a string"},
  });
  const SchemaDocument document =
      Read(R"({"$schema": "http://json-schema.org/draft-01/schema#"})", "7");
  ASSERT_EQ(document.problems().size(), 1u);
  EXPECT_EQ(document.problems()[0].code, Code::kUnsupported);
}

TEST(SchemaDocument, ValuesOfTheWrongShapeAreProblemsOfTheirKeywords) {
  ExpectProblems({
      {"2020-12", R"({"type": "any"})",
       R"(/type: no such type: "any"; there are null, boolean, integer, number, string, )"
       "array and object"},
      {"2020-12", R"({"type": ["null", {"type": "string"}]})",
       R"(/type/1: no such type: an object; there are null, boolean, integer, number, string, )"
       "array and object"},
      {"2020-12", R"({"type": []})", "/type: must name at least one type"},
      {"2020-12", R"({"enum": "a"})", "/enum: must be a list of values"},
      {"2020-12", R"({"minimum": "1"})", "/minimum: must be a number"},
      {"2020-12", R"({"multipleOf": 0})", "/multipleOf: must be greater than 0"},
      {"2020-12", R"({"multipleOf": -1})", "/multipleOf: must be greater than 0"},
      {"2020-12", R"({"minLength": -1})", "/minLength: must be an integer of at least 0"},
      {"2020-12", R"({"maxItems": 1.5})", "/maxItems: must be an integer of at least 0"},
      {"2020-12", R"({"pattern": 1})", "/pattern: must be a string"},
      {"2020-12", R"({"format": null})", "/format: must be a string"},
      {"2020-12", R"({"uniqueItems": "true"})", "/uniqueItems: must be true or false"},
      {"2020-12", R"({"required": true})",
       "/required: must be a list of property names; true and false belong to draft 3"},
      {"2020-12", R"({"required": ["a", 1]})", "/required: must be a list of strings"},
      {"2020-12", R"({"dependentRequired": {"a/b": "c"}})",
       "/dependentRequired/a~1b: must be a list of strings"},
      {"7", R"({"dependencies": {"a": "c"}})",
       "/dependencies/a: must be a schema: an object, true or false"},
      {"2020-12", R"({"contains": {}, "minContains": -1})",
       "/minContains: must be an integer of at least 0"},
      {"2020-12", R"({"$id": "http://a.b/c#d"})", "/$id: must have no fragment; write $anchor"},
      {"2020-12", R"({"$anchor": "#a"})",
       "/$anchor: must be a letter or _, then letters, digits, '-', '.' and '_'"},
  });
}

TEST(SchemaDocument, WhatStandsForASchemaMustBeOne) {
  ExpectProblems({
      {"2020-12", R"({"not": 1})", "/not: must be a schema: an object, true or false"},
      {"2020-12", R"({"properties": {"a~b": []}})",
       "/properties/a~0b: must be a schema: an object, true or false"},
      {"2020-12", R"({"properties": []})", "/properties: must be an object"},
      {"2020-12", R"({"allOf": []})", "/allOf: must be a list of at least one schema"},
      {"2020-12", R"({"anyOf": [{}, null]})",
       "/anyOf/1: must be a schema: an object, true or false"},
      {"2020-12", R"({"oneOf": {}})", "/oneOf: must be a list of at least one schema"},
      {"2020-12", R"({"items": [{}]})",
       "/items: must be a schema; a list of schemas is prefixItems since draft 2020-12"},
      {"4", R"({"items": 1})", "/items: must be a schema: an object"},
      {"4", R"({"not": true})",
       "/not: draft 4 has no schemas true and false; write {} or {\"not\": {}}, or name a newer "
       "draft in $schema"},
  });
}

TEST(SchemaDocument, ExclusiveBoundsOfAnotherDraftAreRefused) {
  ExpectProblems({
      {"7", R"({"minimum": 1, "exclusiveMinimum": true})",
       "/exclusiveMinimum: must be a number; true and false belong to draft 4, which $schema "
       "must name"},
      {"4", R"({"exclusiveMaximum": 5})",
       "/exclusiveMaximum: draft 4 takes true or false; a number needs a newer draft in $schema"},
      {"4", R"({"exclusiveMaximum": true})", "/exclusiveMaximum: needs maximum beside it"},
  });
}

TEST(SchemaDocument, AllProblemsAreListedAtOnce) {
  const SchemaDocument document =
      Read(R"({"type": 1, "properties": {"a": {"minimum": ""}, "b": {"items": {"$ref": "#/x"}}}})",
           "2020-12");
  ASSERT_EQ(document.problems().size(), 3u);
  EXPECT_EQ(document.problems()[0].pointer, "/type");
  EXPECT_EQ(document.problems()[1].pointer, "/properties/a/minimum");
  EXPECT_EQ(document.problems()[2].pointer, "/properties/b/items/$ref");
  for (const auto& problem : document.problems()) EXPECT_EQ(problem.code, Code::kInvalidArgument);
}

TEST(SchemaDocument, TextThatIsNoSchemaIsAnError) {
  const auto error = [](std::string_view text) {
    return SchemaDocument::Parse(text, {}).status().message();
  };
  EXPECT_EQ(error("{\"a\": }"),
            "schema: line 1, column 7: unexpected '}'; expected '[', '{', or a "
            "literal");
  EXPECT_EQ(error("[]"), "schema: must be an object, true or false");
  EXPECT_EQ(error("\"a\""), "schema: must be an object, true or false");
  EXPECT_EQ(error("{\"minimum\": 1e999}"),
            "schema: line 1, column 18: a number is beyond the range of a double");
}

TEST(SchemaDocument, NodesKnowTheirPlaces) {
  const SchemaDocument document = Read(
      R"({"properties": {"a/b": {"allOf": [{}, {"items": true}]}}, "if": {}, "then": {}})", "7");
  std::string pointers;
  for (SchemaId id = 0; id < document.size(); ++id) pointers += document.node(id).pointer + " ";
  EXPECT_EQ(pointers,
            " /properties/a~1b /if /then /properties/a~1b/allOf/0 /properties/a~1b/allOf/1 "
            "/properties/a~1b/allOf/1/items ");
}

}  // namespace
}  // namespace espalier
