#include "runtime/tokenizer/token_index.h"

#include <bit>
#include <functional>

namespace espalier {
namespace {

std::uint32_t Hash(std::string_view text) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>()(text));
}

}  // namespace

TokenIndex::TokenIndex(std::size_t capacity) : slots_(std::bit_ceil(2 * capacity + 2)) {}

bool TokenIndex::Add(std::string_view text, TokenId token) {
  const std::uint32_t hash = Hash(text);
  Slot& slot = slots_[SlotIndex(text, hash)];
  if (slot.token >= 0) return false;
  slot = {.text = text, .hash = hash, .token = token};
  return true;
}

std::optional<TokenId> TokenIndex::Find(std::string_view text) const {
  const Slot& slot = slots_[SlotIndex(text, Hash(text))];
  if (slot.token < 0) return std::nullopt;
  return slot.token;
}

std::size_t TokenIndex::SlotIndex(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t index = hash & mask;; index = (index + 1) & mask) {
    const Slot& slot = slots_[index];
    if (slot.token < 0 || (slot.hash == hash && slot.text == text)) return index;
  }
}

}  // namespace espalier
