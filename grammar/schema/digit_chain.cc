#include "grammar/schema/digit_chain.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "grammar/regex/byte_set.h"
#include "kernels/base/check.h"

namespace espalier {
namespace {

constexpr RegexId kNothing = RegexSet::kNothing;
constexpr RegexId kEmpty = RegexSet::kEmpty;

RegexId Digits(char first, char last, RegexSet& set) {
  return set.Bytes(
      ByteSet::Range(static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(last)));
}

RegexId Zeros(std::uint32_t min, RegexSet& set) {
  return set.Repeat(Digits('0', '0', set), min, RegexSet::kUnbounded);
}

// One digit of a fraction or more, of which `places` may be other than zero.
RegexId SomeDigits(int places, RegexSet& set) {
  const RegexId digit = Digits('0', '9', set);
  if (places == kCheckedElsewhere) return RegexSet::kAnything;
  if (places == kAnyPlaces) return set.Repeat(digit, 1, RegexSet::kUnbounded);
  if (places <= 0) return Zeros(1, set);
  return set.Concat(set.Repeat(digit, 1, static_cast<std::uint32_t>(places)), Zeros(0, set));
}

// The states of a text between the ends, as bits.
constexpr unsigned kFree = 0;
constexpr unsigned kTightLower = 1;
constexpr unsigned kTightUpper = 2;
constexpr unsigned kTightBoth = 3;

class ChainBuilder {
 public:
  ChainBuilder(const DigitInterval& interval, RegexSet& set)
      : interval_(interval), set_(set), num_whole_(static_cast<std::size_t>(interval.num_whole)) {}

  RegexId Build() {
    const std::size_t length =
        std::max({num_whole_, interval_.lower ? interval_.lower->digits.size() : 0,
                  interval_.upper ? interval_.upper->digits.size() : 0});
    CountCommonDigits(length);
    // rest_[s]: what may follow digit i in state s, the end of the text included.
    for (unsigned state = kFree; state <= kTightBoth; ++state) {
      rest_[state] = Rest(length, state, LastDigits(length, state));
    }
    for (std::size_t i = length; i-- > 0;) {
      const std::array<RegexId, 4> next = rest_;
      for (unsigned state = kFree; state <= kTightBoth; ++state) {
        rest_[state] = Rest(i, state, NextDigits(i, state, next));
      }
    }
    const RegexId body =
        rest_[(interval_.lower ? kTightLower : kFree) | (interval_.upper ? kTightUpper : kFree)];
    return num_whole_ > 0 ? body : set_.Concat(set_.Literal("0"), body);
  }

 private:
  static char DigitOf(const DigitEnd& end, std::size_t i) {
    return i < end.digits.size() ? end.digits[i] : '0';
  }
  char FirstDigit(std::size_t i) const { return i == 0 && num_whole_ > 0 ? '1' : '0'; }
  int PlacesLeft(std::size_t i) const {
    if (interval_.places >= kAnyPlaces || interval_.places == kNoPoint) return interval_.places;
    return interval_.places - static_cast<int>(i - num_whole_);
  }

  // A text is tight to both ends only as far as they agree.
  void CountCommonDigits(std::size_t length) {
    if (!interval_.lower || !interval_.upper) return;
    while (num_common_ < length &&
           DigitOf(*interval_.lower, num_common_) == DigitOf(*interval_.upper, num_common_)) {
      ++num_common_;
    }
  }
  bool Exists(std::size_t i, unsigned state) const {
    if ((state & kTightLower) != 0 && !interval_.lower) return false;
    if ((state & kTightUpper) != 0 && !interval_.upper) return false;
    return state != kTightBoth || i <= num_common_;
  }

  // Whether the text may end after i digits, zeros being understood behind it.
  bool MayEnd(std::size_t i, unsigned state) const {
    if (i < num_whole_) return false;
    const auto& lower = interval_.lower;
    const auto& upper = interval_.upper;
    if ((state & kTightLower) != 0 && (i < lower->digits.size() || !lower->inclusive)) return false;
    return (state & kTightUpper) == 0 || i < upper->digits.size() || upper->inclusive;
  }

  // The digits from i on, the point before them, and the end of the text.
  RegexId Rest(std::size_t i, unsigned state, RegexId digits) {
    if (!Exists(i, state)) return kNothing;
    if (i == num_whole_) {
      digits = interval_.places == kNoPoint ? kNothing : set_.Concat(set_.Literal("."), digits);
    }
    return MayEnd(i, state) ? set_.Or(digits, kEmpty) : digits;
  }

  RegexId FreeFrom(std::size_t i) {
    if (i >= num_whole_) return SomeDigits(PlacesLeft(i), set_);
    const auto left = static_cast<std::uint32_t>(num_whole_ - i);
    const RegexId more = set_.Repeat(Digits('0', '9', set_), left - 1, left - 1);
    return set_.Concat(
        std::array{Digits(FirstDigit(i), '9', set_), more, FreeFraction(interval_.places, set_)});
  }

  // At least one digit after all those of the ends.
  RegexId LastDigits(std::size_t i, unsigned state) {
    if (!Exists(i, state)) return kNothing;
    if ((state & kTightUpper) != 0) return MayEnd(i, state) ? Zeros(1, set_) : kNothing;
    if (MayEnd(i, state)) return FreeFrom(i);
    const RegexId nonzero = Digits('1', '9', set_);
    const RegexId any = set_.Star(Digits('0', '9', set_));
    return set_.Concat(std::array{Zeros(0, set_), nonzero, any});
  }

  // Digit i and what follows it; `next` as rest_ of i + 1.
  RegexId NextDigits(std::size_t i, unsigned state, const std::array<RegexId, 4>& next) {
    if (!Exists(i, state)) return kNothing;
    if (state == kFree) return FreeFrom(i);
    const char low = (state & kTightLower) != 0 ? DigitOf(*interval_.lower, i) : FirstDigit(i);
    const char high = (state & kTightUpper) != 0 ? DigitOf(*interval_.upper, i) : '9';
    std::vector<std::pair<RegexId, ByteSet>> edges;
    for (char digit = std::max(low, FirstDigit(i)); digit <= high; ++digit) {
      const unsigned stays =
          (digit == low ? kTightLower : kFree) | (digit == high ? kTightUpper : kFree);
      AddEdge(edges, next[state & stays], digit);
    }
    // Equal languages get equal terms, so that neighbouring lengths can be merged.
    const bool all =
        edges.size() == 1 && edges[0].first == next[kFree] &&
        edges[0].second == ByteSet::Range(static_cast<std::uint8_t>(FirstDigit(i)), '9');
    if (all) return FreeFrom(i);
    std::vector<RegexId> parts;
    for (const auto& [target, digits] : edges) {
      parts.push_back(set_.Concat(set_.Bytes(digits), target));
    }
    return set_.Or(parts);
  }

  static void AddEdge(std::vector<std::pair<RegexId, ByteSet>>& edges, RegexId target, char digit) {
    const ByteSet byte = ByteSet::Of(static_cast<std::uint8_t>(digit));
    const auto same = std::ranges::find(edges, target, &std::pair<RegexId, ByteSet>::first);
    if (same == edges.end()) {
      edges.emplace_back(target, byte);
    } else {
      same->second |= byte;
    }
  }

  const DigitInterval& interval_;
  RegexSet& set_;
  const std::size_t num_whole_;
  std::size_t num_common_ = 0;
  std::array<RegexId, 4> rest_{};
};

}  // namespace

RegexId DigitChain(const DigitInterval& interval, RegexSet& set) {
  return ChainBuilder(interval, set).Build();
}

RegexId FreeDigits(int first_whole, int last_whole, int places, RegexSet& set) {
  ESP_CHECK(first_whole >= 1);
  if (first_whole > last_whole) return kNothing;
  const RegexId more =
      set.Repeat(Digits('0', '9', set), static_cast<std::uint32_t>(first_whole - 1),
                 static_cast<std::uint32_t>(last_whole - 1));
  return set.Concat(std::array{Digits('1', '9', set), more, FreeFraction(places, set)});
}

RegexId FreeFraction(int places, RegexSet& set) {
  if (places == kNoPoint) return kEmpty;
  return set.Or(set.Concat(set.Literal("."), SomeDigits(places, set)), kEmpty);
}

}  // namespace espalier
