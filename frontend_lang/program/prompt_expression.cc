#include "frontend_lang/program/prompt_expression.h"

#include <fmt/format.h>

#include "frontend_lang/program/choices.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::program {

namespace {

std::int64_t SizeBytes(const std::vector<Segment>& segments) {
  std::int64_t size = sizeof(PromptExpression);
  for (const Segment& segment : segments) size += program::SizeBytes(segment);
  return size;
}

struct Describe {
  std::string operator()(const TextSegment& s) const {
    return fmt::format("Constant({})", lang::ReprStr(s.text));
  }
  std::string operator()(const GenSegment& s) const {
    return fmt::format("Gen('{}')", s.name.empty() ? "None" : s.name);
  }
  std::string operator()(const SelectSegment& s) const {
    std::string choices;
    for (const std::string& choice : s.choices) {
      choices += (choices.empty() ? "" : ", ") + lang::ReprStr(choice);
    }
    return fmt::format("Select({}, choices=[{}], choices_method={})", s.name, choices,
                       MethodName(s.method));
  }
  std::string operator()(const RoleBegin& s) const { return fmt::format("RoleBegin({})", s.role); }
  std::string operator()(const RoleEnd& s) const { return fmt::format("RoleEnd({})", s.role); }
  std::string operator()(const ScopeBegin& s) const {
    return fmt::format("VarScopeBegin('{}')", s.name);
  }
  std::string operator()(const ScopeEnd& s) const {
    return fmt::format("VarScopeEnd('{}')", s.name);
  }
  std::string operator()(const ForkSegment& s) const {
    return fmt::format("Fork({})", s.children.size());
  }
};

}  // namespace

PromptExpression::PromptExpression(lang::Heap& heap, std::vector<Segment> segments)
    : Extension(heap, lang::Type::kExtension), segments_(std::move(segments)) {
  Charge(SizeBytes(segments_));
}

lang::Outcome<std::string> PromptExpression::Repr(lang::Host& host) {
  std::string text;
  for (const Segment& segment : segments_) {
    ESP_TRY(host.Step());
    if (!text.empty()) text += ", ";
    text += std::visit(Describe(), segment);
    ESP_TRY(host.Reserve(static_cast<std::int64_t>(text.size())));
  }
  return segments_.size() == 1 ? text : fmt::format("ExprList([{}])", text);
}

lang::Outcome<lang::Value> PromptExpression::GetAttr(lang::Host& host, std::string_view name) {
  if (segments_.size() != 1 || name != "name") return lang::Value::Unset();
  const auto* gen = std::get_if<GenSegment>(&segments_[0]);
  const auto* select = std::get_if<SelectSegment>(&segments_[0]);
  if (gen == nullptr && select == nullptr) return lang::Value::Unset();
  const std::string& found = gen != nullptr ? gen->name : select->name;
  return found.empty() ? lang::Value() : lang::MakeStr(host.heap(), found);
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
