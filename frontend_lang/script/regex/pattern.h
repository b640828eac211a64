// Pattern: a compiled regular expression, as re.compile gives it. It runs on PCRE2.
//
// Matching is bounded: the work is counted as steps of the run, PCRE2's match and heap
// limits hold, and a pattern that runs away is a limit error at the line, never a hang.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend_lang/script/machine/objects.h"
#include "frontend_lang/script/regex/translate.h"
#include "frontend_lang/script/values/text/str.h"

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;

namespace espalier::script::regex {

// Bytes [begin, end) of a subject; a group that took no part: begin < 0.
struct ByteSpan {
  std::int64_t begin = -1, end = -1;

  bool matched() const { return begin >= 0; }
};

// A match's spans: of the whole, then of each group.
using Spans = std::vector<ByteSpan>;

enum class Mode : unsigned char { kSearch, kMatch, kFullMatch };

// The part [begin, end) of a subject to look at, in bytes: what lies behind the end is
// not there, what lies before the begin is only looked back at.
struct Part {
  std::size_t begin = 0, end = 0;
};

class Pattern final : public lang::Extension {
 public:
  // An exception re.error, OverflowError or ValueError for a bad pattern.
  static Outcome<Value> Compile(Host& host, const Value& text, int flags);

  Pattern(Heap& heap, Value text, Translation translation);
  ~Pattern() override;

  enum class Empty : unsigned char { kAllowed, kNotAtBegin };
  // The first match in the part, or nothing.
  Outcome<std::optional<Spans>> Find(Host& host, const lang::Str& subject, const Part& part,
                                     Mode mode, Empty empty = Empty::kAllowed);

  const Value& text() const { return text_; }
  int flags() const { return translation_.flags; }
  int num_groups() const { return translation_.num_groups; }
  const std::vector<std::pair<std::string, int>>& names() const { return translation_.names; }
  const std::vector<int>& close_order() const { return translation_.close_order; }
  // The group of that number or name, or -1.
  int FindGroup(const Value& group) const;

  std::string_view TypeName() const override { return "re.Pattern"; }
  Outcome<std::string> Repr(Host& host) override;
  Outcome<bool> Equals(Host& host, const Value& other) override;
  Outcome<std::uint64_t> Hash(Host& host) override;
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

 private:
  void Clear() override { text_ = Value(); }
  std::string CompileCode();  // PCRE2's complaint, or ""

  Value text_;
  Translation translation_;
  pcre2_real_code_8* code_ = nullptr;
  pcre2_real_match_data_8* match_data_ = nullptr;
};

// The problem as an exception that knows its pattern and place.
Fault Raise(Host& host, const Problem& problem, const Value& pattern);

// "re.IGNORECASE|re.MULTILINE", in the order of a pattern's repr.
std::string FlagNames(int flags);

}  // namespace espalier::script::regex
