// Json: a JSON document that keeps what a schema must not lose: the decimal value of its
// numbers and the order of its members.
//
// Text is read by nlohmann's SAX interface. Refused: what is not JSON, a name that stands
// twice in one object, nesting beyond limits. Reading takes O(n) and no recursion; the
// functions below, and the destructor, recurse as deep as the value is nested, which is
// what max_depth bounds.
//
// Thread safety: a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/schema/decimal.h"
#include "kernels/base/status.h"

namespace espalier {

struct JsonMember;

struct Json {
  enum class Kind : std::uint8_t { kNull, kFalse, kTrue, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  Decimal number;                   // kNumber
  std::string string;               // kString, UTF-8
  std::vector<Json> elements;       // kArray
  std::vector<JsonMember> members;  // kObject, in the order of the text

  const Json* Find(std::string_view name) const;  // null if absent; O(members)
  bool is_boolean() const { return kind == Kind::kFalse || kind == Kind::kTrue; }
};

struct JsonMember {
  std::string name;
  Json value;
};

// kInvalidArgument with line and column (in code points, from 1); kLimit: deeper than
// max_depth, or a number that Decimal does not hold.
Result<Json> ParseJson(std::string_view text, std::size_t max_depth);

// Equality of JSON Schema: numbers by value, objects in any order.
bool JsonEqual(const Json& a, const Json& b);

// JSON text of a value, its members in their order.
std::string JsonText(const Json& value);

// A text that is equal for equal values and differs for others: members sorted by name,
// numbers in one form. It is JSON.
std::string CanonicalText(const Json& value);

// The inside of a JSON string that spells `text`, the shortest way.
std::string EscapedText(std::string_view text);

// The text in quotes, cut where it is long: for messages.
std::string QuotedText(std::string_view text);

}  // namespace espalier
