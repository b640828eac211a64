// The front end of `json_schema`: a document, and its network.
#include <string>
#include <utility>
#include <vector>

#include "grammar/frontends.h"
#include "grammar/schema/schema_document.h"
#include "grammar/schema/schema_network.h"

namespace espalier {
namespace {

// All problems in one message, so that one look is enough.
Status ProblemStatus(const std::vector<SchemaProblem>& problems) {
  constexpr std::size_t kMaxListed = 8;
  std::string message = "schema: ";
  for (std::size_t i = 0; i < problems.size() && i < kMaxListed; ++i) {
    if (i > 0) message += "; ";
    if (!problems[i].pointer.empty()) message += problems[i].pointer + ": ";
    message += problems[i].message;
  }
  if (problems.size() > kMaxListed) {
    message += "; and " + std::to_string(problems.size() - kMaxListed) +
               " more ('espalier inspect schema' lists them)";
  }
  return Status(problems.front().code, std::move(message));
}

}  // namespace

NetworkResult MakeJsonSchemaNetwork(const ConstraintSpec& spec, const GrammarLimits& limits,
                                    RegexSet& set, Fuel& fuel) {
  SchemaSettings settings;
  settings.default_draft = spec.default_draft;
  settings.max_bytes = limits.max_text_bytes;
  settings.documents = spec.documents.get();
  ESP_ASSIGN_OR_RETURN(SchemaDocument document, SchemaDocument::Parse(spec.text, settings));
  SchemaNetworkResult made = MakeSchemaNetwork(std::move(document),
                                               {.whitespace = spec.whitespace,
                                                .order = spec.order,
                                                .format = spec.format,
                                                .forms = spec.forms},
                                               set, fuel);
  if (!made.problems.empty()) return ProblemStatus(made.problems);
  return std::move(made.network);
}

}  // namespace espalier
