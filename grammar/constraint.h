// What a request asks the output to look like, before anything is compiled.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace espalier {

enum class ConstraintKind : std::uint8_t {
  kNone,
  kChoice,
  kRegex,
  kJsonSchema,
  kEbnf,
  kStructuralTag
};

// Between the tokens of JSON: ", " and ": "; nothing; or any, up to one newline and 20
// blanks.
enum class JsonWhitespace : std::uint8_t { kFixed, kCompact, kFlexible };
// Of properties: as the schema lists them, or as they come.
enum class PropertyOrder : std::uint8_t { kSchema, kAny };
// `format`: those that are known are asserted, all are (a schema with another is refused), or
// none is.
enum class FormatUse : std::uint8_t { kAssert, kAssertAll, kAnnotate };
// Which of the values and spellings that a schema allows may come.
//   kPlain  what its author has in mind: no escape that need not be; integers without
//           fraction and exponent; numbers of 19 digits before the point, 17 behind it and an
//           exponent of 3 at most; of an object whose properties are described only those,
//           unless it says itself what others are (additionalProperties: true). What has no
//           such form comes in any.
//   kAny    all of them, as a judge must take them
enum class JsonForms : std::uint8_t { kPlain, kAny };

struct ConstraintSpec {
  ConstraintKind kind = ConstraintKind::kNone;
  std::string text;                  // pattern, schema, grammar or structural tag
  std::vector<std::string> choices;  // kChoice

  JsonWhitespace whitespace = JsonWhitespace::kFixed;  // kJsonSchema, as all that follow
  PropertyOrder order = PropertyOrder::kSchema;
  FormatUse format = FormatUse::kAssert;
  JsonForms forms = JsonForms::kPlain;
  std::string default_draft = "2020-12";  // of a schema that names none
  // The texts that $ref may reach beside the schema, by URI; null: none.
  std::shared_ptr<const std::map<std::string, std::string>> documents;

  // Documents are the same only where they are one object.
  friend bool operator==(const ConstraintSpec&, const ConstraintSpec&) = default;
};

}  // namespace espalier
