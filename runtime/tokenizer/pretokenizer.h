// Pretokenizer: cuts text into the pieces that byte-level BPE never merges across.
//
// Each kind is the regular expression that a model family was trained with,
// written as a scanner over characters. The alternatives of a pattern are tried in
// its order at one position, and one always matches, so a text is a sequence of
// pieces without gaps.
//
//   kGpt2    's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//   kSmollm  each \p{N} alone; what is between them by kGpt2
//   kLlama3  (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|
//             ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
//   kQwen2   as kLlama3 with \p{N} instead of \p{N}{1,3}
//   kWhole   no cut
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace espalier {

enum class Pretokenizer : std::uint8_t { kWhole, kGpt2, kSmollm, kLlama3, kQwen2 };

// By tokenizer.ggml.pre, or nullopt. Only names whose pattern is exactly one above.
std::optional<Pretokenizer> FindPretokenizer(std::string_view name);

// The end of the piece that starts at `start`. Amortized O(1) a byte over a text.
// REQUIRES: start < text.size()
std::size_t PieceEnd(Pretokenizer pretokenizer, std::string_view text, std::size_t start);

}  // namespace espalier
