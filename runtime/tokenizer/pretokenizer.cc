#include "runtime/tokenizer/pretokenizer.h"

#include <array>

#include "runtime/tokenizer/char_class.h"

namespace espalier {
namespace {

struct NamedPretokenizer {
  std::string_view name;
  Pretokenizer pretokenizer;
};

// The names that GGUF files give these patterns. "default" is another pattern, so
// it is not here.
constexpr auto kNames = std::to_array<NamedPretokenizer>({
    {"gpt-2", Pretokenizer::kGpt2},
    {"phi-2", Pretokenizer::kGpt2},
    {"smollm", Pretokenizer::kSmollm},
    {"starcoder", Pretokenizer::kSmollm},
    {"refact", Pretokenizer::kSmollm},
    {"llama-bpe", Pretokenizer::kLlama3},
    {"llama3", Pretokenizer::kLlama3},
    {"llama-v3", Pretokenizer::kLlama3},
    {"qwen2", Pretokenizer::kQwen2},
    {"deepseek-r1-qwen", Pretokenizer::kQwen2},
});

// Bytes of 's 't 're 've 'm 'll 'd at `start`, or 0.
std::size_t MatchContraction(std::string_view text, std::size_t start) {
  if (text[start] != '\'') return 0;
  const std::string_view rest = text.substr(start + 1);
  for (const std::string_view suffix : {"s", "t", "re", "ve", "m", "ll", "d"}) {
    if (rest.starts_with(suffix)) return 1 + suffix.size();
  }
  return 0;
}

char LowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// The same under (?i): simple case folding, by which U+017F (long s) is an s too.
std::size_t MatchContractionAnyCase(std::string_view text, std::size_t start) {
  if (text[start] != '\'') return 0;
  if (text.substr(start + 1).starts_with("\xC5\xBF")) return 3;
  std::array<char, 3> lower = {'\'', ' ', ' '};
  for (std::size_t i = 1; i < 3 && start + i < text.size(); ++i) {
    lower[i] = LowerAscii(text[start + i]);
  }
  return MatchContraction({lower.data(), lower.size()}, 0);
}

// \s+(?!\S)|\s+: a run of spaces leaves its last character to what follows, if
// something follows and that is not all of the run. REQUIRES: a space at `start`
std::size_t SpacesEnd(std::string_view text, std::size_t start) {
  std::size_t last = start;
  std::size_t end = start;
  for (;;) {
    const ClassifiedChar at = ClassifyAt(text, end);
    if (at.char_class == kEndOfText) return end;
    if ((at.char_class & kSpace) == 0) return last == start ? end : last;
    last = end;
    end += at.size;
  }
}

//  ?[set]+ at `start` for one class of `sets`, or `start`.
std::size_t SpacedRunEnd(CharSet sets, std::string_view text, std::size_t start) {
  const std::size_t begin = text[start] == ' ' ? start + 1 : start;
  const CharSet run = ClassifyAt(text, begin).char_class & sets;
  return run == 0 ? start : SkipWhile(run, text, begin);
}

std::size_t Gpt2End(std::string_view text, std::size_t start) {
  if (const std::size_t size = MatchContraction(text, start); size > 0) return start + size;
  const std::size_t end = SpacedRunEnd(kLetter | kNumber | kOther, text, start);
  return end > start ? end : SpacesEnd(text, start);
}

// A number is the end of text to the pattern between numbers.
std::size_t SmollmEnd(std::string_view text, std::size_t start) {
  const ClassifiedChar first = ClassifyAt(text, start);
  if (first.char_class == kNumber) return start + first.size;
  if (const std::size_t size = MatchContraction(text, start); size > 0) return start + size;
  const std::size_t run_end = SpacedRunEnd(kLetter | kOther, text, start);
  if (run_end > start) return run_end;
  const std::size_t spaces_end = SkipWhile(kSpace, text, start);
  if (ClassifyAt(text, spaces_end).char_class == kNumber) return spaces_end;
  return SpacesEnd(text, start);
}

// \s*[\r\n]+|\s+(?!\S)|\s+: to the last newline of the run, if it has one.
std::size_t SpacesOrNewlinesEnd(std::string_view text, std::size_t start) {
  std::size_t newlines_end = start;
  for (std::size_t pos = start;;) {
    const ClassifiedChar at = ClassifyAt(text, pos);
    if ((at.char_class & kSpace) == 0) break;
    pos += at.size;
    if (at.char_class == kNewline) newlines_end = pos;
  }
  return newlines_end > start ? newlines_end : SpacesEnd(text, start);
}

std::size_t Llama3End(std::string_view text, std::size_t start, int max_digits) {
  if (const std::size_t size = MatchContractionAnyCase(text, start); size > 0) {
    return start + size;
  }
  const ClassifiedChar first = ClassifyAt(text, start);
  const std::size_t second = start + first.size;
  if (first.char_class == kLetter) return SkipWhile(kLetter, text, second);
  if ((first.char_class & (kBlank | kOther)) != 0 &&
      ClassifyAt(text, second).char_class == kLetter) {
    return SkipWhile(kLetter, text, second);
  }
  if (first.char_class == kNumber) {
    std::size_t end = second;
    for (int i = 1; i < max_digits; ++i) {
      const ClassifiedChar at = ClassifyAt(text, end);
      if (at.char_class == kNumber) end += at.size;
    }
    return end;
  }
  const std::size_t run_end = SpacedRunEnd(kOther, text, start);
  if (run_end > start) return SkipWhile(kNewline, text, run_end);
  return SpacesOrNewlinesEnd(text, start);
}

}  // namespace

std::optional<Pretokenizer> FindPretokenizer(std::string_view name) {
  for (const NamedPretokenizer& row : kNames) {
    if (row.name == name) return row.pretokenizer;
  }
  return std::nullopt;
}

std::size_t PieceEnd(Pretokenizer pretokenizer, std::string_view text, std::size_t start) {
  switch (pretokenizer) {
    case Pretokenizer::kWhole: return text.size();
    case Pretokenizer::kGpt2: return Gpt2End(text, start);
    case Pretokenizer::kSmollm: return SmollmEnd(text, start);
    case Pretokenizer::kLlama3: return Llama3End(text, start, 3);
    case Pretokenizer::kQwen2: return Llama3End(text, start, 1);
  }
  return text.size();
}

}  // namespace espalier
