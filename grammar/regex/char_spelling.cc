#include "grammar/regex/char_spelling.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier {
namespace {

// One byte of a spelling: it shows `bits` bits of the code point (none: a fixed byte).
struct Digit {
  unsigned bits;
  ByteSet (*bytes)(unsigned value);
};

template <unsigned kMark>
ByteSet Marked(unsigned value) {
  return ByteSet::Of(static_cast<std::uint8_t>(kMark | value));
}

template <unsigned kOffset>
ByteSet Hex(unsigned value) {
  constexpr std::string_view lower = "0123456789abcdef", upper = "0123456789ABCDEF";
  return ByteSet::Of(static_cast<std::uint8_t>(lower[kOffset + value])) |
         ByteSet::Of(static_cast<std::uint8_t>(upper[kOffset + value]));
}

constexpr Digit kTail = {6, Marked<0x80>};
constexpr Digit kHex = {4, Hex<0>};
constexpr Digit kBackslash = {0, Marked<'\\'>};
constexpr Digit kU = {0, Marked<'u'>};
constexpr Digit kD = {0, Hex<13>};
constexpr std::array kUtf8Of1 = {Digit{7, Marked<0>}};
constexpr std::array kUtf8Of2 = {Digit{5, Marked<0xC0>}, kTail};
constexpr std::array kUtf8Of3 = {Digit{4, Marked<0xE0>}, kTail, kTail};
constexpr std::array kUtf8Of4 = {Digit{3, Marked<0xF0>}, kTail, kTail, kTail};
constexpr std::array kUnit = {kU, kHex, kHex, kHex, kHex};
constexpr std::array kUnitPair = {kU, kD, Digit{2, Hex<8>},  kHex, kHex, kBackslash,
                                  kU, kD, Digit{2, Hex<12>}, kHex, kHex};

// Code points first .. last, less `offset`, are written as these digits.
struct Form {
  char32_t first, last, offset;
  std::span<const Digit> digits;
};

constexpr char32_t kFirstSurrogate = 0xD800, kLastSurrogate = 0xDFFF;
const Form kUtf8Forms[] = {{0, 0x7F, 0, kUtf8Of1},
                           {0x80, 0x7FF, 0, kUtf8Of2},
                           {0x800, kFirstSurrogate - 1, 0, kUtf8Of3},
                           {kLastSurrogate + 1, 0xFFFF, 0, kUtf8Of3},
                           {0x10000, 0x10FFFF, 0, kUtf8Of4}};
// Inside a JSON string these may not stand for themselves: controls, " and backslash.
const Form kJsonRawForms[] = {{0x20, 0x21, 0, kUtf8Of1},
                              {0x23, 0x5B, 0, kUtf8Of1},
                              {0x5D, 0x7F, 0, kUtf8Of1},
                              kUtf8Forms[1],
                              kUtf8Forms[2],
                              kUtf8Forms[3],
                              kUtf8Forms[4]};
// Behind a backslash.
const Form kJsonEscapeForms[] = {{0, kFirstSurrogate - 1, 0, kUnit},
                                 {kLastSurrogate + 1, 0xFFFF, 0, kUnit},
                                 {0x10000, 0x10FFFF, 0x10000, kUnitPair}};
// Of these, what has neither a raw form nor a short escape.
const Form kJsonNeededForms[] = {
    {0, 0x07, 0, kUnit}, {0x0B, 0x0B, 0, kUnit}, {0x0E, 0x1F, 0, kUnit}};
struct ShortEscape {
  char32_t code_point;
  char letter;
};
constexpr ShortEscape kShortEscapes[] = {{'"', '"'},  {'\\', '\\'}, {'/', '/'},  {0x08, 'b'},
                                         {0x0C, 'f'}, {'\n', 'n'},  {'\r', 'r'}, {'\t', 't'}};

std::vector<CharBranch> Clip(std::span<const CharBranch> branches, const Form& form) {
  std::vector<CharBranch> clipped;
  for (const CharBranch& branch : branches) {
    const char32_t first = std::max(branch.first, form.first);
    const char32_t last = std::min(branch.last, form.last);
    if (first <= last) clipped.push_back({first - form.offset, last - form.offset, branch.rest});
  }
  return clipped;
}

class DigitTrie {
 public:
  DigitTrie(std::span<const Digit> digits, RegexSet& set) : digits_(digits), set_(set) {
    for (std::size_t i = digits.size(); i-- > 0;) bits_behind_.push_back(BitsBehind(i));
    std::reverse(bits_behind_.begin(), bits_behind_.end());
  }

  // The digits from `level` on, for values within the bits that they show.
  RegexId Build(std::span<const CharBranch> branches, std::size_t level) {
    if (level == digits_.size()) return branches.front().rest;
    const unsigned shift = bits_behind_[level];
    std::vector<std::pair<RegexId, ByteSet>> edges;
    std::vector<CharBranch> below;
    std::size_t at = 0;
    for (char32_t value = branches.front().first >> shift; value <= branches.back().last >> shift;
         ++value) {
      const char32_t base = value << shift, top = base | ((char32_t{1} << shift) - 1);
      while (branches[at].last < base) ++at;
      below.clear();
      for (std::size_t i = at; i < branches.size() && branches[i].first <= top; ++i) {
        below.push_back({std::max(branches[i].first, base) - base,
                         std::min(branches[i].last, top) - base, branches[i].rest});
      }
      if (!below.empty()) AddEdge(edges, digits_[level].bytes(value), Below(below, level + 1));
    }
    std::vector<RegexId> parts;
    for (const auto& [rest, bytes] : edges) parts.push_back(set_.Concat(set_.Bytes(bytes), rest));
    return set_.Or(parts);
  }

 private:
  unsigned BitsBehind(std::size_t level) const {
    unsigned bits = 0;
    for (std::size_t i = level + 1; i < digits_.size(); ++i) bits += digits_[i].bits;
    return bits;
  }

  // As Build, remembering the tries of one branch that covers all values.
  RegexId Below(std::span<const CharBranch> branches, std::size_t level) {
    const CharBranch& branch = branches.front();
    const char32_t top = (char32_t{1} << bits_behind_[level - 1]) - 1;
    if (branch.first != 0 || branch.last != top) return Build(branches, level);
    const auto key = std::pair(level, branch.rest);
    if (const auto known = full_.find(key); known != full_.end()) return known->second;
    const RegexId regex = Build(branches, level);
    full_.emplace(key, regex);
    return regex;
  }

  static void AddEdge(std::vector<std::pair<RegexId, ByteSet>>& edges, const ByteSet& bytes,
                      RegexId rest) {
    for (auto& [known, all] : edges) {
      if (known != rest) continue;
      all |= bytes;
      return;
    }
    edges.emplace_back(rest, bytes);
  }

  std::span<const Digit> digits_;
  RegexSet& set_;
  std::vector<unsigned> bits_behind_;  // [digits]: bits that the later digits show
  std::map<std::pair<std::size_t, RegexId>, RegexId> full_;
};

void AppendForms(std::span<const CharBranch> branches, std::span<const Form> forms, RegexSet& set,
                 std::vector<RegexId>& parts) {
  for (const Form& form : forms) {
    const std::vector<CharBranch> clipped = Clip(branches, form);
    if (!clipped.empty()) parts.push_back(DigitTrie(form.digits, set).Build(clipped, 0));
  }
}

RegexId SpellEscapes(std::span<const CharBranch> branches, Spelling spelling, RegexSet& set) {
  const bool shortest = spelling == Spelling::kJsonStringShortest;
  std::vector<RegexId> parts;
  for (const ShortEscape& escape : kShortEscapes) {
    if (shortest && escape.code_point == '/') continue;
    const auto branch = std::lower_bound(
        branches.begin(), branches.end(), escape.code_point,
        [](const CharBranch& entry, char32_t value) { return entry.last < value; });
    if (branch == branches.end() || branch->first > escape.code_point) continue;
    parts.push_back(
        set.Concat(set.Bytes(ByteSet::Of(static_cast<std::uint8_t>(escape.letter))), branch->rest));
  }
  AppendForms(branches, shortest ? std::span(kJsonNeededForms) : std::span(kJsonEscapeForms), set,
              parts);
  return set.Concat(set.Bytes(ByteSet::Of('\\')), set.Or(parts));
}

std::string SpellForm(char32_t code_point, const Form& form) {
  std::string text;
  unsigned bits = 0;
  for (const Digit& digit : form.digits) bits += digit.bits;
  for (const Digit& digit : form.digits) {
    bits -= digit.bits;
    const unsigned value = ((code_point - form.offset) >> bits) & ((1U << digit.bits) - 1);
    text += static_cast<char>(digit.bytes(value).first());
  }
  return text;
}

const Form* FindForm(char32_t code_point, std::span<const Form> forms) {
  for (const Form& form : forms) {
    if (form.first <= code_point && code_point <= form.last) return &form;
  }
  return nullptr;
}

}  // namespace

RegexId SpellBranches(std::span<const CharBranch> branches, Spelling spelling, RegexSet& set) {
  std::vector<RegexId> parts;
  if (spelling == Spelling::kUtf8) {
    AppendForms(branches, kUtf8Forms, set, parts);
  } else {
    AppendForms(branches, kJsonRawForms, set, parts);
    parts.push_back(SpellEscapes(branches, spelling, set));
  }
  return set.Or(parts);
}

std::string SpellShortest(char32_t code_point, Spelling spelling) {
  if (spelling == Spelling::kUtf8) return SpellForm(code_point, *FindForm(code_point, kUtf8Forms));
  if (const Form* form = FindForm(code_point, kJsonRawForms)) return SpellForm(code_point, *form);
  for (const ShortEscape& escape : kShortEscapes) {
    if (escape.code_point == code_point) return std::string("\\") + escape.letter;
  }
  return "\\" + SpellForm(code_point, *FindForm(code_point, kJsonEscapeForms));
}

}  // namespace espalier
