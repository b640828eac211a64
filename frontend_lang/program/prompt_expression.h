// PromptExpression: what sgl.gen(...), sgl.user(...) and + of them give: segments that
// wait to be appended to a state.
//
// Thread safety: none; one thread a Heap.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend_lang/program/segment.h"
#include "frontend_lang/script/machine/objects.h"

namespace espalier::program {

class PromptExpression final : public lang::Extension {
 public:
  PromptExpression(lang::Heap& heap, std::vector<Segment> segments);

  const std::vector<Segment>& segments() const { return segments_; }

  std::string_view TypeName() const override { return "SglExpr"; }
  // As SGLang shows it: Gen('x'), or ExprList([...]) of several segments.
  lang::Outcome<std::string> Repr(lang::Host& host) override;
  lang::Outcome<lang::Value> GetAttr(lang::Host& host, std::string_view name) override;
  lang::Outcome<lang::Value> Binary(lang::Host& host, lang::BinaryOp op, const lang::Value& other,
                                    lang::Side side) override;

 private:
  const std::vector<Segment> segments_;
};

// The segments of a str or an expression; a ValueError for anything else.
lang::Outcome<std::vector<Segment>> SegmentsOf(const lang::Value& value);

}  // namespace espalier::program
