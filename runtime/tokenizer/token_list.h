// TokenList: the tokens of a model as its file lists them: name, kind, bytes, role.
//
// A name is the text in the file (in the byte-level alphabet, or with U+2581 for a
// space); bytes are what the token adds to a text, decoded once here.
//
// Invariants: 1. names, kinds and bytes have one length, at most kMaxTokens.
// 2. Names that are not empty differ. 3. Ids with a role are in range. 4. bytes are
// empty for kControl, kUnknown and kUnused.
//
// Thread safety: immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/vocabulary.h"
#include "kernels/base/status.h"
#include "runtime/tokenizer/tokenizer.h"

namespace espalier {

// Numbered as tokenizer.ggml.token_type.
enum class TokenKind : std::uint8_t {
  kNormal = 1,
  kUnknown,      // what cannot be tokenized
  kControl,      // structure, such as <|im_start|>: no text
  kUserDefined,  // text that is always one token
  kUnused,       // a place without a token
  kByte,         // <0x0A>: one byte, where nothing else fits
};

// How names stand for bytes.
enum class NameCoding : std::uint8_t { kByteLevel, kSentencePiece };

inline constexpr std::size_t kMaxTokens = std::size_t{1} << 24;

// Is `name` known to end an answer, in some model?
bool IsEndName(std::string_view name);

class TokenList {
 public:
  // A token whose name ends an answer becomes kControl, whatever the file says (files
  // have been wrong about it). kDataLoss if an invariant would not hold.
  static Result<TokenList> Create(std::vector<std::string> names, std::vector<TokenKind> kinds,
                                  const SpecialTokenIds& special, NameCoding coding);

  std::size_t size() const { return names_.size(); }
  const SpecialTokenIds& special() const { return special_; }
  std::shared_ptr<const Vocabulary> vocabulary() const { return vocabulary_; }
  // REQUIRES of the next three: 0 <= token < size()
  const std::string& name(TokenId token) const { return names_[static_cast<std::size_t>(token)]; }
  TokenKind kind(TokenId token) const { return kinds_[static_cast<std::size_t>(token)]; }
  std::string_view bytes(TokenId token) const { return vocabulary_->bytes(token); }

  // As Tokenizer::Decode.
  std::string Decode(std::span<const TokenId> tokens, SpecialTokens special) const;

 private:
  TokenList() = default;

  std::vector<std::string> names_;
  std::vector<TokenKind> kinds_;
  SpecialTokenIds special_;
  std::shared_ptr<const Vocabulary> vocabulary_;
};

}  // namespace espalier
