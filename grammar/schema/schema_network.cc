#include "grammar/schema/schema_network.h"

#include <cstdint>
#include <string>
#include <utility>

#include "grammar/schema/schema_nodes.h"
#include "grammar/schema/schema_problems.h"

namespace espalier {

SchemaNetworkResult MakeSchemaNetwork(SchemaDocument document,
                                      const SchemaNetworkSettings& settings, RegexSet& set,
                                      Fuel& fuel) {
  const std::uint64_t num_steps = fuel.left();
  TextRegex text(set, Spelling::kJsonString);
  SchemaProblems check(document, settings.format, text, fuel);
  check.Walk();
  SchemaNetworkResult result;
  result.problems = document.problems();
  result.problems.insert(result.problems.end(), check.problems.begin(), check.problems.end());
  result.unasserted = std::move(check.unasserted);
  const auto out_of_fuel = [num_steps](std::string pointer) {
    return SchemaProblem{Code::kLimit, std::move(pointer),
                         "the schema is too complex: it takes more than " +
                             std::to_string(num_steps) + " steps to compile"};
  };
  if (fuel.exhausted()) result.problems.push_back(out_of_fuel(""));
  if (!result.problems.empty()) return result;
  auto network = std::make_unique<SchemaNodes>(std::move(document), settings, set, fuel);
  const std::uint64_t min_bytes = network->MinBytes(network->start());
  if (fuel.exhausted()) {
    result.problems.push_back(out_of_fuel(network->ExhaustedAt()));
  } else if (min_bytes == kNoCost) {
    result.problems.push_back({Code::kInvalidArgument, "", "no value satisfies the schema"});
  } else {
    result.network = std::move(network);
  }
  return result;
}

SchemaReport CheckSchema(std::string_view text, const SchemaSettings& reading,
                         const SchemaNetworkSettings& settings, std::uint64_t fuel_steps) {
  Fuel fuel(fuel_steps);
  RegexSet set(fuel);
  Result<SchemaDocument> document = SchemaDocument::Parse(text, reading);
  if (!document.ok()) {
    return {{{document.status().code(), "", document.status().message()}}, {}};
  }
  SchemaNetworkResult result = MakeSchemaNetwork(std::move(document).value(), settings, set, fuel);
  return {std::move(result.problems), std::move(result.unasserted)};
}

}  // namespace espalier
