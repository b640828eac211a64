#include "runtime/tokenizer/nfc.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/base/check.h"
#include "kernels/base/utf8.h"

namespace espalier {
namespace {

constexpr auto kDecompose = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE);
constexpr auto kCompose = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);

int CombiningClass(utf8proc_int32_t code) { return utf8proc_get_property(code)->combining_class; }

void AppendDecomposed(char32_t code, std::vector<utf8proc_int32_t>& codes) {
  // No canonical decomposition is longer than four characters.
  std::array<utf8proc_int32_t, 8> parts{};
  int boundary = 0;
  const utf8proc_ssize_t num_parts =
      utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), parts.data(),
                              static_cast<utf8proc_ssize_t>(parts.size()), kDecompose, &boundary);
  ESP_CHECK(num_parts >= 1 && num_parts <= static_cast<utf8proc_ssize_t>(parts.size()));
  codes.insert(codes.end(), parts.begin(), parts.begin() + num_parts);
}

// Canonical order: each run of marks by combining class, equal ones as they stand.
void SortMarks(std::vector<utf8proc_int32_t>& codes) {
  const auto is_mark = [](utf8proc_int32_t code) { return CombiningClass(code) != 0; };
  const auto by_class = [](utf8proc_int32_t a, utf8proc_int32_t b) {
    return CombiningClass(a) < CombiningClass(b);
  };
  for (auto run = codes.begin(); run != codes.end();) {
    run = std::find_if(run, codes.end(), is_mark);
    const auto end = std::find_if_not(run, codes.end(), is_mark);
    std::stable_sort(run, end, by_class);
    run = end;
  }
}

// utf8proc 2.8 takes it for a trailing consonant, of index 0, and drops it behind a Hangul
// syllable. It composes with nothing, so text on both sides of it may be composed apart.
constexpr char32_t kNoTrailingConsonant = 0x11A7;

// Appends the composed form of `codes`, and empties them.
void Flush(std::vector<utf8proc_int32_t>& codes, std::string& out) {
  if (codes.empty()) return;
  SortMarks(codes);
  const utf8proc_ssize_t size =
      utf8proc_normalize_utf32(codes.data(), static_cast<utf8proc_ssize_t>(codes.size()), kCompose);
  ESP_CHECK(size >= 0);
  for (utf8proc_ssize_t i = 0; i < size; ++i) {
    AppendCodePoint(out, static_cast<char32_t>(codes[static_cast<std::size_t>(i)]));
  }
  codes.clear();
}

// Characters below U+0300 never change, and begin with a byte below 0xCC.
bool IsBelowMarks(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<std::uint8_t>(c) < 0xCC; });
}

}  // namespace

std::string NormalizeNfc(std::string_view text) {
  if (IsBelowMarks(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  std::vector<utf8proc_int32_t> codes;
  for (std::size_t pos = 0; pos < text.size();) {
    const Utf8Char read = ReadUtf8(text, pos);
    if (read.kind == Utf8Kind::kValid && read.code != kNoTrailingConsonant) {
      AppendDecomposed(read.code, codes);
    } else {
      Flush(codes, out);
      out.append(text.substr(pos, read.size));
    }
    pos += read.size;
  }
  Flush(codes, out);
  return out;
}

}  // namespace espalier
