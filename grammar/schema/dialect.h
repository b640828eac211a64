// Dialect: the draft of JSON Schema that a schema is written in, and which of the draft's
// vocabularies its metaschema puts to use.
//
// Thread safety: values.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace espalier {

enum class Draft : std::uint8_t { k4, k6, k7, k2019, k2020 };

// A set of Draft, one bit each.
using Drafts = std::uint8_t;
constexpr Drafts DraftBit(Draft draft) {
  return static_cast<Drafts>(1u << static_cast<unsigned>(draft));
}
inline constexpr Drafts kAllDrafts = 0x1f;
constexpr Drafts Since(Draft first) {
  return static_cast<Drafts>(kAllDrafts & ~(DraftBit(first) - 1u));
}
constexpr Drafts UpTo(Draft last) {
  return static_cast<Drafts>(DraftBit(last) | (DraftBit(last) - 1u));
}

enum class KeywordVocabulary : std::uint8_t {
  kCore,
  kApplicator,
  kUnevaluated,
  kValidation,
  kAnnotation
};

// A set of KeywordVocabulary, one bit each.
using Vocabularies = std::uint8_t;
inline constexpr Vocabularies kAllVocabularies = 0x1f;
constexpr Vocabularies VocabularyBit(KeywordVocabulary vocabulary) {
  return static_cast<Vocabularies>(1u << static_cast<unsigned>(vocabulary));
}

struct Dialect {
  Draft draft = Draft::k2020;
  Vocabularies vocabularies = kAllVocabularies;

  friend bool operator==(const Dialect&, const Dialect&) = default;
};

// By the names of settings: "4", "6", "7", "2019-09", "2020-12".
std::optional<Draft> DraftNamed(std::string_view name);

// What a URI in $schema says. `draft` is empty for one that is no draft's metaschema;
// `too_old` is the name of a draft that is refused.
struct DraftOfUri {
  std::optional<Draft> draft;
  std::string_view too_old;
};
DraftOfUri FindDraft(std::string_view schema_uri);

// The vocabularies that an entry of $vocabulary puts to use; empty for an unknown URI.
std::optional<Vocabularies> FindVocabularies(std::string_view vocabulary_uri);

}  // namespace espalier
