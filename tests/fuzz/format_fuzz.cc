// Formats from raw bytes: each format either takes a text or not, in both spellings alike,
// and a format that is a part of another one takes nothing else.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/fuel.h"
#include "grammar/schema/formats.h"
#include "kernels/base/check.h"
#include "kernels/base/utf8.h"

namespace {

using espalier::RegexId;
using espalier::RegexSet;
using espalier::Spelling;
using espalier::TextRegex;

constexpr std::string_view kFormats[] = {"date",
                                         "time",
                                         "date-time",
                                         "duration",
                                         "email",
                                         "idn-email",
                                         "hostname",
                                         "idn-hostname",
                                         "ipv4",
                                         "ipv6",
                                         "uri",
                                         "uri-reference",
                                         "iri",
                                         "iri-reference",
                                         "uuid",
                                         "regex",
                                         "uri-template",
                                         "json-pointer",
                                         "relative-json-pointer"};
constexpr std::pair<std::string_view, std::string_view> kParts[] = {
    {"email", "idn-email"},
    {"uri", "uri-reference"},
    {"uri", "iri"},
    {"iri", "iri-reference"},
    {"uri-reference", "iri-reference"}};

// The formats of one spelling, compiled once.
class Formats {
 public:
  explicit Formats(Spelling spelling) : spelling_(spelling), text_(set_, spelling) {
    for (const std::string_view format : kFormats) {
      regexes_.emplace_back(format, *espalier::FormatRegex(format, text_));
    }
  }

  bool Takes(std::string_view format, std::string_view text) {
    fuel_.Refill(100'000'000);
    for (const auto& [name, regex] : regexes_) {
      if (name != format) continue;
      RegexId at = regex;
      for (const char32_t c : espalier::DecodeUtf8(text)) {
        for (const char byte : espalier::SpellShortest(c, spelling_)) {
          at = set_.Derive(at, static_cast<std::uint8_t>(byte));
        }
      }
      ESP_CHECK(!fuel_.exhausted()) << format;
      return set_.nullable(at);
    }
    return false;
  }
  std::size_t num_terms() const { return set_.num_terms(); }

 private:
  espalier::Fuel fuel_{100'000'000};
  RegexSet set_{fuel_};
  const Spelling spelling_;
  TextRegex text_;
  std::vector<std::pair<std::string_view, RegexId>> regexes_;
};

Formats& Of(Spelling spelling) {
  constexpr std::size_t kMaxTerms = 2'000'000;
  static std::unique_ptr<Formats> formats[2];
  auto& slot = formats[spelling == Spelling::kUtf8 ? 0 : 1];
  if (slot == nullptr || slot->num_terms() > kMaxTerms) slot = std::make_unique<Formats>(spelling);
  return *slot;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size < 400 ? size : 400);
  text = text.substr(0, espalier::ValidUtf8Prefix(text));
  Formats& raw = Of(Spelling::kUtf8);
  Formats& json = Of(Spelling::kJsonString);
  for (const std::string_view format : kFormats) {
    ESP_CHECK(raw.Takes(format, text) == json.Takes(format, text)) << format << ' ' << text;
  }
  for (const auto& [part, whole] : kParts) {
    ESP_CHECK(!raw.Takes(part, text) || raw.Takes(whole, text)) << part << ' ' << text;
  }
  if (raw.Takes("date", text)) {
    ESP_CHECK(raw.Takes("date-time", std::string(text) + "T00:00:00Z")) << text;
  }
  return 0;
}
