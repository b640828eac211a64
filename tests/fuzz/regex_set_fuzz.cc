// Terms from raw bytes: a program for a stack of regexes, then bytes to walk along. What the
// operators say of a text must hold between their operands, whatever the terms look like,
// and a clamped term must answer like its own for as many bytes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/fuel.h"
#include "grammar/regex/regex_set.h"
#include "kernels/base/check.h"

namespace {

using espalier::ByteSet;
using espalier::Fuel;
using espalier::RegexId;
using espalier::RegexSet;

constexpr std::uint8_t kLetters = 4;  // 'a' to 'd'

std::uint8_t Letter(std::uint8_t byte) { return static_cast<std::uint8_t>('a' + byte % kLetters); }

class Machine {
 public:
  Machine() : set_(fuel_) {}

  void Run(std::string_view program) {
    for (const char c : program) Step(static_cast<std::uint8_t>(c));
  }

  // What `text` is of the last regex, along a walk.
  void Walk(std::string_view text) {
    const RegexId start = Pop();
    const auto num_bytes = static_cast<std::uint32_t>(text.size() % 40);
    RegexId at = start, clamped = set_.Clamp(start, num_bytes);
    RegexId complement = set_.Not(start), simple = set_.WithoutExceptions(start);
    for (std::uint32_t i = 0;; ++i) {
      const bool alive = !set_.IsNothing(at);
      const bool clamped_alive = !set_.IsNothing(clamped);
      const bool simple_alive = !set_.IsNothing(simple);
      const std::uint64_t min_bytes = set_.MinBytes(at);
      if (fuel_.exhausted()) return;
      ESP_CHECK(alive == (min_bytes != ~std::uint64_t{0}));
      ESP_CHECK(set_.nullable(at) == (min_bytes == 0));
      ESP_CHECK(set_.nullable(at) != set_.nullable(complement));
      ESP_CHECK(simple == at || !simple_alive || alive);
      if (i <= num_bytes) {
        ESP_CHECK(alive == clamped_alive);
        ESP_CHECK(set_.nullable(at) == set_.nullable(clamped));
      }
      if (i == text.size()) return;
      const std::uint8_t letter = Letter(static_cast<std::uint8_t>(text[i]));
      const bool goes_on = set_.FirstBytes(at).contains(letter);
      at = set_.Derive(at, letter);
      clamped = set_.Derive(clamped, letter);
      complement = set_.Derive(complement, letter);
      simple = set_.Derive(simple, letter);
      if (fuel_.exhausted()) return;
      ESP_CHECK(goes_on == (at != RegexSet::kNothing));
    }
  }

  // The operators, asked of one text.
  void Compare(std::string_view text) {
    const RegexId x = Pop(), y = Pop();
    const RegexId both = set_.And(x, y), either = set_.Or(x, y);
    std::string_view letters = text.substr(0, 24);
    std::string spelled;
    for (const char c : letters) spelled += static_cast<char>(Letter(static_cast<std::uint8_t>(c)));
    const bool in_x = set_.Matches(x, spelled), in_y = set_.Matches(y, spelled);
    const bool in_both = set_.Matches(both, spelled), in_either = set_.Matches(either, spelled);
    if (fuel_.exhausted()) return;
    ESP_CHECK(in_both == (in_x && in_y)) << spelled;
    ESP_CHECK(in_either == (in_x || in_y)) << spelled;
    stack_.push_back(both);
  }

 private:
  RegexId Pop() {
    if (stack_.empty()) return RegexSet::kEmpty;
    const RegexId top = stack_.back();
    stack_.pop_back();
    return top;
  }

  void Step(std::uint8_t code) {
    const std::uint32_t operand = code / 8;  // 0 to 31
    switch (code % 8) {
      case 0:
      case 1: {
        ByteSet bytes;
        for (unsigned i = 0; i < kLetters; ++i) {
          if ((operand >> i & 1) != 0) bytes |= ByteSet::Of(Letter(static_cast<std::uint8_t>(i)));
        }
        stack_.push_back(set_.Bytes(bytes));
        return;
      }
      case 2: {
        const RegexId second = Pop(), first = Pop();
        stack_.push_back(set_.Concat(first, second));
        return;
      }
      case 3: {
        const RegexId second = Pop(), first = Pop();
        stack_.push_back(set_.Or(first, second));
        return;
      }
      case 4: {
        const RegexId second = Pop(), first = Pop();
        stack_.push_back(set_.And(first, second));
        return;
      }
      case 5: stack_.push_back(set_.Not(Pop())); return;
      case 6: stack_.push_back(set_.Repeat(Pop(), operand % 4, operand % 4 + operand * 3)); return;
      default: stack_.push_back(set_.Repeat(Pop(), operand, RegexSet::kUnbounded)); return;
    }
  }

  Fuel fuel_{400'000};
  RegexSet set_;
  std::vector<RegexId> stack_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view program = input.substr(0, data[0] % 64);
  const std::string_view text = input.substr(program.size());
  Machine machine;
  machine.Run(program);
  machine.Compare(text);
  machine.Walk(text);
  return 0;
}
