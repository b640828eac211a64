// SchemaNetwork: the JSON texts that satisfy a schema, as a Network.
//
// A value is described by a set of (schema, holds or not) literals that all must be true.
// Such a set is expanded, when the walk first reaches it, into shapes: a disjunction of
// records without Boolean connectives, one a JSON type. Expanding is a tableau (Smullyan,
// "First-Order Logic", 1968, chapter 2): assertions are merged into the record, applicators
// open branches, a negated keyword is the shape that violates it, and a branch whose record
// no value satisfies is closed. So allOf, anyOf, oneOf, not, if and dependent* are exact in
// any combination, and a branch knows which subschemas hold, which is what unevaluated*
// asks for. Sets are interned, so recursion ends.
//
// Scalars become one regex a shape (And of all that is asked). Objects and arrays become
// nodes: (shape, keys seen, number of members, ...), made as they are reached.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/constraint.h"
#include "grammar/fuel.h"
#include "grammar/network.h"
#include "grammar/regex/regex_set.h"
#include "grammar/schema/schema_document.h"

namespace espalier {

struct SchemaNetworkSettings {
  JsonWhitespace whitespace = JsonWhitespace::kFixed;
  PropertyOrder order = PropertyOrder::kSchema;
  FormatUse format = FormatUse::kAssert;
  JsonForms forms = JsonForms::kAny;
  // Steps of the tableau of one goal before conditions on members of objects stay conditions,
  // which are settled in the output, instead of branches, which are looked at in advance.
  std::size_t split_steps = 512;
};

struct SchemaNetworkResult {
  std::unique_ptr<Network> network;     // null if there are problems
  std::vector<SchemaProblem> problems;  // the document's, and what cannot be enforced
  std::vector<std::string> unasserted;  // JSON pointers of formats that assert nothing
};

// `set` and `fuel` must outlive the network. A schema that no value satisfies is a problem.
SchemaNetworkResult MakeSchemaNetwork(SchemaDocument document,
                                      const SchemaNetworkSettings& settings, RegexSet& set,
                                      Fuel& fuel);

struct SchemaReport {
  std::vector<SchemaProblem> problems;
  std::vector<std::string> unasserted;  // JSON pointers of formats that assert nothing
};

// What MakeSchemaNetwork says of a schema's text, with the fuel given.
SchemaReport CheckSchema(std::string_view text, const SchemaSettings& reading,
                         const SchemaNetworkSettings& settings, std::uint64_t fuel_steps);

}  // namespace espalier
