#include "grammar/schema/dialect.h"

#include <algorithm>
#include <array>

namespace espalier {
namespace {

struct DraftRow {
  std::string_view name;
  std::string_view uri;  // of the metaschema, behind "http://json-schema.org/"
  std::optional<Draft> draft;
};

// A hyper-schema is a schema whose links are annotations.
constexpr std::array kDrafts = {
    DraftRow{"2020-12", "draft/2020-12/schema", Draft::k2020},
    DraftRow{"2019-09", "draft/2019-09/schema", Draft::k2019},
    DraftRow{"7", "draft-07/schema", Draft::k7},
    DraftRow{"7", "draft-07/hyper-schema", Draft::k7},
    DraftRow{"6", "draft-06/schema", Draft::k6},
    DraftRow{"6", "draft-06/hyper-schema", Draft::k6},
    DraftRow{"4", "draft-04/schema", Draft::k4},
    DraftRow{"4", "draft-04/hyper-schema", Draft::k4},
    DraftRow{"3", "draft-03/schema", {}},
    DraftRow{"3", "draft-03/hyper-schema", {}},
    DraftRow{"2", "draft-02/schema", {}},
    DraftRow{"1", "draft-01/schema", {}},
};

struct VocabularyRow {
  std::string_view uri;  // behind "https://json-schema.org/draft/"
  Vocabularies vocabularies;
};

// Draft 2019-09 counts unevaluated* among the applicators. Formats are read in any case:
// whether they assert is the engine's setting.
constexpr std::array kVocabularies = {
    VocabularyRow{"2020-12/vocab/core", VocabularyBit(KeywordVocabulary::kCore)},
    VocabularyRow{"2020-12/vocab/applicator", VocabularyBit(KeywordVocabulary::kApplicator)},
    VocabularyRow{"2020-12/vocab/unevaluated", VocabularyBit(KeywordVocabulary::kUnevaluated)},
    VocabularyRow{"2020-12/vocab/validation", VocabularyBit(KeywordVocabulary::kValidation)},
    VocabularyRow{"2020-12/vocab/meta-data", 0},
    VocabularyRow{"2020-12/vocab/format-annotation", 0},
    VocabularyRow{"2020-12/vocab/format-assertion", 0},
    VocabularyRow{"2020-12/vocab/content", 0},
    VocabularyRow{"2019-09/vocab/core", VocabularyBit(KeywordVocabulary::kCore)},
    VocabularyRow{"2019-09/vocab/applicator",
                  static_cast<Vocabularies>(VocabularyBit(KeywordVocabulary::kApplicator) |
                                            VocabularyBit(KeywordVocabulary::kUnevaluated))},
    VocabularyRow{"2019-09/vocab/validation", VocabularyBit(KeywordVocabulary::kValidation)},
    VocabularyRow{"2019-09/vocab/meta-data", 0},
    VocabularyRow{"2019-09/vocab/format", 0},
    VocabularyRow{"2019-09/vocab/content", 0},
};

bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

std::optional<Draft> DraftNamed(std::string_view name) {
  const auto row = std::ranges::find(kDrafts, name, &DraftRow::name);
  return row == kDrafts.end() ? std::nullopt : row->draft;
}

DraftOfUri FindDraft(std::string_view schema_uri) {
  if (!TakePrefix(schema_uri, "http://") && !TakePrefix(schema_uri, "https://")) return {};
  if (!TakePrefix(schema_uri, "json-schema.org/")) return {};
  if (schema_uri.ends_with('#')) schema_uri.remove_suffix(1);
  const auto row = std::ranges::find(kDrafts, schema_uri, &DraftRow::uri);
  if (row == kDrafts.end()) return {};
  return {.draft = row->draft, .too_old = row->draft ? std::string_view() : row->name};
}

std::optional<Vocabularies> FindVocabularies(std::string_view vocabulary_uri) {
  if (!TakePrefix(vocabulary_uri, "https://json-schema.org/draft/")) return {};
  const auto row = std::ranges::find(kVocabularies, vocabulary_uri, &VocabularyRow::uri);
  if (row == kVocabularies.end()) return {};
  return row->vocabularies;
}

}  // namespace espalier
