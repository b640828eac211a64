// Statements. (Expressions: jinja_expression.cc. Macros: jinja_macro.cc.)
#include "frontend_lang/chat/jinja_evaluator.h"

#include <utility>

#include "frontend_lang/chat/jinja_evaluator_scopes.h"
#include "frontend_lang/chat/jinja_macro.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::jinja {

Evaluator::Evaluator(const Ast& ast, const RenderLimits& limits, const std::tm& now)
    : Host(limits.values),
      ast_(ast),
      limits_(limits),
      now_(now),
      loop_name_(ast.FindName("loop")),
      caller_name_(ast.FindName("caller")),
      kwargs_name_(ast.FindName("kwargs")),
      varargs_name_(ast.FindName("varargs")),
      scope_(heap().New<Scope>(Value())),
      constants_(static_cast<std::size_t>(ast.num_constants), Value::Unset()) {
  DefineGlobals(*this);
}

void Evaluator::Define(std::string_view name, Value value) {
  const NameId id = ast_.FindName(name);
  if (id >= 0) scope().Set(id, std::move(value));
}

Outcome<std::string> Evaluator::Run() { return Capture(ast_.root); }

Outcome<std::string> Evaluator::Capture(NodeId body) {
  std::string output;
  {
    const OutputScope output_scope(*this, output);
    const NewScope inner(*this, Value(scope_));
    ESP_TRY_ASSIGN([[maybe_unused]] const Flow flow, Execute(body));
  }
  return output;
}

Fault Evaluator::CheckDepth() const {
  if (depth_ <= limits_.max_depth) return Fault();
  return lang::LimitError("the template nests too deeply");
}

Fault Evaluator::Emit(std::string_view text) {
  output_bytes_ += static_cast<std::int64_t>(text.size());
  if (output_bytes_ > limits_.max_output_bytes) {
    return lang::LimitError("the template's output exceeds " +
                            std::to_string(limits_.max_output_bytes >> 20) + " MiB");
  }
  ESP_TRY(Step(1 + static_cast<std::int64_t>(text.size()) / 1024));
  output_->append(text);
  return Fault();
}

Outcome<Evaluator::Flow> Evaluator::Execute(NodeId id) {
  const DepthScope depth(*this);
  ESP_TRY(CheckDepth());
  ESP_TRY(Step());
  const Node& node = NodeAt(id);
  line_ = node.line;
  return std::visit([this](const auto& data) { return Run(data); }, node.data);
}

Outcome<Evaluator::Flow> Evaluator::Run(const Text& node) {
  ESP_TRY(Emit(node.text));
  return Flow::kNext;
}

Outcome<Evaluator::Flow> Evaluator::Run(const Print& node) {
  ESP_TRY_ASSIGN(const Value value, Evaluate(node.value));
  if (value.is_str()) {
    ESP_TRY(Emit(lang::TextOf(value)));
    return Flow::kNext;
  }
  ESP_TRY_ASSIGN(const std::string text, lang::Text(*this, value));
  ESP_TRY(Emit(text));
  return Flow::kNext;
}

Outcome<Evaluator::Flow> Evaluator::Run(const Sequence& node) {
  for (const NodeId id : node.nodes) {
    ESP_TRY_ASSIGN(const Flow flow, Execute(id));
    if (flow != Flow::kNext) return flow;
  }
  return Flow::kNext;
}

Outcome<Evaluator::Flow> Evaluator::Run(const If& node) {
  for (const auto& [condition, body] : node.branches) {
    ESP_TRY_ASSIGN(const Value value, Evaluate(condition));
    ESP_TRY_ASSIGN(const bool holds, lang::Truth(*this, value));
    if (holds) return Execute(body);
  }
  if (node.otherwise == kNoNode) return Flow::kNext;
  return Execute(node.otherwise);
}

Outcome<Evaluator::Flow> Evaluator::Run(const For& node) {
  ESP_TRY_ASSIGN(const Value items, Evaluate(node.items));
  ESP_TRY(RunLoop(node, items, 0));
  return Flow::kNext;
}

// The items that pass the loop's condition, which sees the loop's targets.
Outcome<std::vector<Value>> Evaluator::LoopItems(const For& node, const Value& items) {
  ESP_TRY_ASSIGN(std::vector<Value> all, lang::Collect(*this, items));
  if (node.condition == kNoNode) return all;
  std::vector<Value> kept;
  const NewScope scope(*this, Value(scope_));
  for (const Value& item : all) {
    ESP_TRY(Assign(node.target, item));
    ESP_TRY_ASSIGN(const Value value, Evaluate(node.condition));
    ESP_TRY_ASSIGN(const bool holds, lang::Truth(*this, value));
    if (holds) kept.push_back(item);
  }
  return kept;
}

Fault Evaluator::RunLoop(const For& node, const Value& items, int depth0) {
  ESP_TRY_ASSIGN(std::vector<Value> kept, LoopItems(node, items));
  const std::size_t size = kept.size();
  const Value loop_value = heap().New<Loop>(std::move(kept), depth0);
  Loop& loop = *static_cast<Loop*>(loop_value.object());
  if (node.recursive) loop.SetRecursion(heap().New<LoopRecursion>(node, scope_, depth0 + 1));
  const Value outer = scope_;
  for (std::size_t i = 0; i < size; ++i) {
    const NewScope round(*this, outer);
    loop.MoveTo(i);
    if (loop_name_ >= 0) scope().Set(loop_name_, loop_value);
    ESP_TRY(Assign(node.target, loop.items()[i]));
    ESP_TRY_ASSIGN(const Flow flow, Execute(node.body));
    if (flow == Flow::kBreak) break;
  }
  if (size > 0 || node.otherwise == kNoNode) return Fault();
  const NewScope otherwise(*this, outer);
  ESP_TRY_ASSIGN([[maybe_unused]] const Flow flow, Execute(node.otherwise));
  return Fault();
}

Outcome<Evaluator::Flow> Evaluator::Run(const Set& node) {
  ESP_TRY_ASSIGN(Value value, Evaluate(node.value));
  ESP_TRY(Assign(node.target, std::move(value)));
  return Flow::kNext;
}

Outcome<Evaluator::Flow> Evaluator::Run(const SetBlock& node) {
  ESP_TRY_ASSIGN(std::string text, Capture(node.body));
  Value value = lang::MakeStr(heap(), std::move(text));
  if (node.filter != kNoNode) {
    ESP_TRY_ASSIGN(value, ApplyFilter(node.filter, std::move(value)));
  }
  ESP_TRY(Assign(node.target, std::move(value)));
  return Flow::kNext;
}

Outcome<Evaluator::Flow> Evaluator::Run(const FilterBlock& node) {
  ESP_TRY_ASSIGN(std::string text, Capture(node.body));
  ESP_TRY_ASSIGN(const Value value,
                 ApplyFilter(node.filter, lang::MakeStr(heap(), std::move(text))));
  if (!value.is_str()) {
    return lang::TypeError("the filter of a block must give a str, not " +
                           std::string(lang::TypeName(value)));
  }
  ESP_TRY(Emit(lang::TextOf(value)));
  return Flow::kNext;
}

// The values do not see the names.
Outcome<Evaluator::Flow> Evaluator::Run(const With& node) {
  std::vector<Value> values;
  for (const auto& [target, value] : node.bindings) {
    ESP_TRY_ASSIGN(Value made, Evaluate(value));
    values.push_back(std::move(made));
  }
  const NewScope inner(*this, Value(scope_));
  for (std::size_t i = 0; i < values.size(); ++i) {
    ESP_TRY(Assign(node.bindings[i].first, std::move(values[i])));
  }
  return Execute(node.body);
}

// The innermost filter of the chain finds its input here.
Outcome<Value> Evaluator::ApplyFilter(NodeId filter, Value input) {
  Value outer = std::exchange(filter_input_, std::move(input));
  Outcome<Value> value = Evaluate(filter);
  filter_input_ = std::move(outer);
  return value;
}

Fault Evaluator::Assign(const Target& target, Value value) {
  ESP_TRY(Step(1 + static_cast<std::int64_t>(scope().size()) / 16));
  if (target.unpacks) return AssignParts(target, value);
  if (!target.attribute.empty()) {
    const Value* held = scope().Find(target.name);
    auto* space = held != nullptr ? held->IfExtension<Namespace>() : nullptr;
    if (space == nullptr) {
      return lang::Raise("TemplateRuntimeError", "cannot assign attribute on non-namespace object");
    }
    ESP_TRY_ASSIGN([[maybe_unused]] const bool done,
                   space->SetAttr(*this, target.attribute, std::move(value)));
    return Fault();
  }
  scope().Set(target.name, std::move(value));
  return Fault();
}

Fault Evaluator::AssignParts(const Target& target, const Value& value) {
  ESP_TRY_ASSIGN(std::vector<Value> items, lang::Collect(*this, value));
  const std::size_t wanted = target.parts.size();
  if (items.size() < wanted) {
    return lang::ValueError("not enough values to unpack (expected " + std::to_string(wanted) +
                            ", got " + std::to_string(items.size()) + ")");
  }
  if (items.size() > wanted) {
    return lang::ValueError("too many values to unpack (expected " + std::to_string(wanted) + ")");
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    ESP_TRY(Assign(target.parts[i], std::move(items[i])));
  }
  return Fault();
}

}  // namespace espalier::jinja
