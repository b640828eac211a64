// Schemas as graphs of typed nodes: each keyword, each draft, references of all kinds, and
// what is refused, with its pointer.
#include "grammar/schema/schema_document.h"

#include <gtest/gtest.h>

#include <string>

namespace espalier {
namespace {

SchemaDocument Read(std::string_view text, std::string draft = "2020-12") {
  SchemaSettings settings;
  settings.default_draft = std::move(draft);
  Result<SchemaDocument> document = SchemaDocument::Parse(text, settings);
  EXPECT_TRUE(document.ok()) << text << ": " << document.status().message();
  return document.ok() ? *document : SchemaDocument();
}

TEST(SchemaDocument, ReadsASmallSchema) {
  const SchemaDocument document = Read(R"({
    "type": "object", "required": ["age"],
    "properties": {"age": {"type": "integer", "minimum": 0}, "next": {"$ref": "#"}}})");
  EXPECT_TRUE(document.problems().empty());
  const SchemaNode& root = document.node(document.root());
  EXPECT_EQ(root.types, TypeBit(SchemaType::kObject));
  EXPECT_EQ(root.required, std::vector<std::string>{"age"});
  ASSERT_EQ(root.properties.size(), 2u);
  const SchemaNode& age = document.node(root.properties[0].second);
  EXPECT_EQ(age.pointer, "/properties/age");
  EXPECT_TRUE(age.integer);
  EXPECT_EQ(age.lower->value, Decimal(0));
  EXPECT_EQ(document.node(root.properties[1].second).ref, document.root());
  EXPECT_EQ(document.size(), 3u);
}

}  // namespace
}  // namespace espalier
