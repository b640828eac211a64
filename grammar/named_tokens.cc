#include "grammar/named_tokens.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace espalier {

NamedTokens::NamedTokens(std::vector<NamedToken> tokens) {
  for (NamedToken& token : tokens) {
    if (token.name.empty() || !by_name_.emplace(token.name, tokens_.size()).second) continue;
    tokens_.push_back(std::move(token));
  }
  for (std::size_t reach = 1; reach < tokens_.size(); reach *= kNumDigits) ++num_places_;
  for (std::size_t i = 0; i < tokens_.size(); ++i) codes_.push_back(MakeCode(i));
}

std::string NamedTokens::MakeCode(std::size_t index) const {
  std::string code(1 + num_places_, static_cast<char>(kLead));
  for (std::size_t place = num_places_; place > 0; --place) {
    code[place] = static_cast<char>(kFirstDigit + index % kNumDigits);
    index /= kNumDigits;
  }
  return code;
}

std::string_view NamedTokens::CodeOf(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::string_view() : codes_[found->second];
}

// A name that `text` begins with sorts before it, and so does what it has in common with the
// name just before it, of which all shorter names are beginnings too.
std::string_view NamedTokens::LongestNameAt(std::string_view text) const {
  while (!text.empty()) {
    auto after = by_name_.upper_bound(text);
    if (after == by_name_.begin()) return {};
    const std::string_view before = std::prev(after)->first;
    if (text.starts_with(before)) return before;
    const auto diff = std::mismatch(text.begin(), text.end(), before.begin(), before.end());
    text = text.substr(0, static_cast<std::size_t>(diff.first - text.begin()));
  }
  return {};
}

const NamedToken* NamedTokens::FirstIn(std::string_view bytes) const {
  if (bytes.size() < 1 + num_places_ || static_cast<std::uint8_t>(bytes[0]) != kLead) {
    return nullptr;
  }
  std::size_t index = 0;
  for (const char digit : bytes.substr(1, num_places_)) {
    const auto byte = static_cast<std::uint8_t>(digit);
    if (byte < kFirstDigit || byte == kLead) return nullptr;
    index = index * kNumDigits + (byte - kFirstDigit);
  }
  return index < tokens_.size() ? &tokens_[index] : nullptr;
}

}  // namespace espalier
