// Match: what a pattern found, as re.match gives it.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <vector>

#include "frontend_lang/script/regex/pattern.h"

namespace espalier::script::regex {

class Match final : public lang::Extension {
 public:
  // `searched` is the part of the subject that was asked for.
  Match(Heap& heap, Value pattern, Value subject, Spans spans, Part searched);

  const Pattern& pattern() const { return *static_cast<const Pattern*>(pattern_.object()); }
  const lang::Str& subject() const { return *subject_.As<lang::Str>(); }
  const Spans& spans() const { return spans_; }

  // The text of a group; `absent` where it took no part.
  Value Group(int group, const Value& absent) const;
  std::int64_t Begin(int group) const;  // in code points; -1: it took no part
  std::int64_t End(int group) const;

  std::string_view TypeName() const override { return "re.Match"; }
  Outcome<std::string> Repr(Host& host) override;
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;
  Outcome<Value> GetItem(Host& host, const Value& key) override;

 private:
  void Clear() override { pattern_ = subject_ = Value(); }
  int LastGroup() const;  // the last that closed, or 0

  Value pattern_, subject_;
  Spans spans_;
  Part searched_;
};

}  // namespace espalier::script::regex
