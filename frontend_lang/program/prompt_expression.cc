#include "frontend_lang/program/prompt_expression.h"

#include "frontend_lang/script/values/text/str.h"

namespace espalier::program {

namespace {

std::int64_t SizeBytes(const std::vector<Segment>& segments) {
  std::int64_t size = sizeof(PromptExpression);
  for (const Segment& segment : segments) size += program::SizeBytes(segment);
  return size;
}

}  // namespace

PromptExpression::PromptExpression(lang::Heap& heap, std::vector<Segment> segments)
    : Extension(heap, lang::Type::kExtension), segments_(std::move(segments)) {
  Charge(SizeBytes(segments_));
}

lang::Outcome<lang::Value> PromptExpression::Binary(lang::Host& host, lang::BinaryOp op,
                                                    const lang::Value& other, lang::Side side) {
  if (op != lang::BinaryOp::kAdd) return lang::Value::Unset();
  auto more = SegmentsOf(other);
  if (!more.ok()) return lang::Value::Unset();
  const std::size_t count = segments_.size() + more->size();
  ESP_TRY(host.Reserve(SizeBytes(segments_) + SizeBytes(*more)));
  ESP_TRY(host.Step(static_cast<std::int64_t>(count / 16)));
  std::vector<Segment> all = side == lang::Side::kLeft ? segments_ : *more;
  const std::vector<Segment>& rest = side == lang::Side::kLeft ? *more : segments_;
  all.insert(all.end(), rest.begin(), rest.end());
  return host.heap().New<PromptExpression>(std::move(all));
}

lang::Outcome<std::vector<Segment>> SegmentsOf(const lang::Value& value) {
  if (value.is_str()) {
    return std::vector<Segment>{TextSegment{std::string(lang::TextOf(value))}};
  }
  if (const auto* expression = script::Exactly<PromptExpression>(value)) {
    return expression->segments();
  }
  if (value.is_none()) return lang::ValueError("Tried to append None to state.");
  return lang::ValueError("cannot append a value of type '" + std::string(lang::TypeName(value)) +
                          "' to a prompt; append a str or an expression such as sgl.gen(...)");
}

}  // namespace espalier::program
