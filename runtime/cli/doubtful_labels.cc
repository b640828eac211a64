#include "runtime/cli/doubtful_labels.h"

namespace espalier {
namespace {

struct Row {
  std::string_view file, of_case, test, reason;
};

constexpr std::string_view kVocabulary =
    "the validators do not let the $vocabulary of another metaschema switch keywords off";
constexpr std::string_view kFormatAssertion =
    "the validators do not let the $vocabulary of another metaschema switch formats on";
constexpr std::string_view kNoValidation =
    "schema that uses custom metaschema with with no validation vocabulary";
constexpr std::string_view kInvalidNumber = "no validation: invalid number, but it still validates";

constexpr Row kRows[] = {
    {"draft2019-09/vocabulary.json", kNoValidation, kInvalidNumber, kVocabulary},
    {"draft2020-12/vocabulary.json", kNoValidation, kInvalidNumber, kVocabulary},
    {"draft2020-12/optional/format-assertion.json",
     "schema that uses custom metaschema with format-assertion: false",
     "format-assertion: false: invalid string", kFormatAssertion},
    {"draft2020-12/optional/format-assertion.json",
     "schema that uses custom metaschema with format-assertion: true",
     "format-assertion: true: invalid string", kFormatAssertion},
};

}  // namespace

std::string_view DoubtAbout(std::string_view file, std::string_view of_case,
                            std::string_view test) {
  for (const Row& row : kRows) {
    if (file.ends_with(row.file) && of_case == row.of_case && test == row.test) return row.reason;
  }
  return "";
}

}  // namespace espalier
