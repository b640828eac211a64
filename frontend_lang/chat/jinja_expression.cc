// Expressions of a template (declared in jinja_evaluator.h).
#include <string>
#include <utility>

#include "frontend_lang/chat/jinja_arithmetic.h"
#include "frontend_lang/chat/jinja_evaluator_scopes.h"
#include "frontend_lang/chat/jinja_filters.h"
#include "frontend_lang/chat/jinja_tests.h"
#include "frontend_lang/script/values/arithmetic.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/sequence.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::jinja {

Outcome<Value> Evaluator::Evaluate(NodeId id) {
  const DepthScope depth(*this);
  ESP_TRY(CheckDepth());
  ESP_TRY(Step());
  return std::visit([this](const auto& data) { return Eval(data); }, NodeAt(id).data);
}

Outcome<Value> Evaluator::Eval(const Constant& node) {
  Value& made = constants_[At(node.index)];
  if (made.is_unset()) {
    ESP_TRY_ASSIGN(made, MakeConstant(node));
  }
  return made;
}

Outcome<Value> Evaluator::MakeConstant(const Constant& node) {
  if (const auto* text = std::get_if<std::string>(&node.value)) {
    return lang::MakeStr(heap(), *text);
  }
  if (const auto* boolean = std::get_if<bool>(&node.value)) return Value::Bool(*boolean);
  if (const auto* integer = std::get_if<std::int64_t>(&node.value)) return Value::Int(*integer);
  if (const auto* number = std::get_if<double>(&node.value)) return Value::Float(*number);
  if (const auto* big = std::get_if<BigInteger>(&node.value)) {
    return lang::ParseInteger(*this, big->digits, 10);
  }
  return Value();
}

Outcome<Value> Evaluator::Eval(const Name& node) {
  ESP_TRY(Step(static_cast<std::int64_t>(scope().size()) / 16));
  if (const Value* found = scope().Find(node.name)) return *found;
  return MakeUndefined(*this,
                       "'" + ast_.names[static_cast<std::size_t>(node.name)] + "' is undefined");
}

Outcome<std::vector<Value>> Evaluator::EvaluateAll(const std::vector<NodeId>& nodes) {
  std::vector<Value> values;
  values.reserve(nodes.size());
  for (const NodeId node : nodes) {
    ESP_TRY_ASSIGN(Value value, Evaluate(node));
    values.push_back(std::move(value));
  }
  return values;
}

Outcome<Value> Evaluator::Eval(const ListDisplay& node) {
  ESP_TRY_ASSIGN(std::vector<Value> items, EvaluateAll(node.items));
  return heap().New<lang::List>(std::move(items));
}

Outcome<Value> Evaluator::Eval(const TupleDisplay& node) {
  ESP_TRY_ASSIGN(std::vector<Value> items, EvaluateAll(node.items));
  return heap().New<lang::Tuple>(std::move(items));
}

Outcome<Value> Evaluator::Eval(const DictDisplay& node) {
  const Value dict = heap().New<lang::Dict>();
  for (const auto& [key_node, value_node] : node.items) {
    ESP_TRY_ASSIGN(const Value key, Evaluate(key_node));
    ESP_TRY_ASSIGN(Value value, Evaluate(value_node));
    ESP_TRY(dict.As<lang::Dict>()->Put(*this, key, std::move(value)));
  }
  return dict;
}

Outcome<Value> Evaluator::Eval(const Attribute& node) {
  ESP_TRY_ASSIGN(const Value object, Evaluate(node.object));
  return LookUpAttribute(*this, object, node.name);
}

Outcome<Value> Evaluator::Eval(const Item& node) {
  ESP_TRY_ASSIGN(const Value object, Evaluate(node.object));
  ESP_TRY_ASSIGN(const Value key, Evaluate(node.key));
  // A slice does not forgive: jinja2 leaves it to Python.
  if (key.If<lang::Slice>() != nullptr) return lang::GetItem(*this, object, key);
  return LookUpItem(*this, object, key);
}

Outcome<Value> Evaluator::Eval(const SliceKey& node) {
  Value parts[3];
  const NodeId nodes[3] = {node.start, node.stop, node.step};
  for (int i = 0; i < 3; ++i) {
    if (nodes[i] == kNoNode) continue;
    ESP_TRY_ASSIGN(parts[i], Evaluate(nodes[i]));
  }
  return heap().New<lang::Slice>(parts[0], parts[1], parts[2]);
}

Outcome<Evaluator::EvaluatedArguments> Evaluator::EvaluateArguments(
    const CallArguments& arguments) {
  EvaluatedArguments values;
  ESP_TRY_ASSIGN(values.positional, EvaluateAll(arguments.positional));
  for (const auto& [name, node] : arguments.keywords) {
    ESP_TRY_ASSIGN(Value value, Evaluate(node));
    values.keywords.push_back({name, std::move(value)});
  }
  if (arguments.more_positional != kNoNode) {
    ESP_TRY_ASSIGN(const Value iterable, Evaluate(arguments.more_positional));
    ESP_TRY_ASSIGN(const std::vector<Value> more, lang::Collect(*this, iterable));
    ESP_TRY(Step(std::ssize(more) / 16));
    values.positional.insert(values.positional.end(), more.begin(), more.end());
  }
  if (arguments.more_keywords != kNoNode) {
    ESP_TRY_ASSIGN(const Value mapping, Evaluate(arguments.more_keywords));
    ESP_TRY(AddKeywords(mapping, values));
  }
  return values;
}

Fault Evaluator::AddKeywords(const Value& mapping, EvaluatedArguments& to) {
  const lang::Dict* dict = mapping.If<lang::Dict>();
  if (dict == nullptr) return lang::TypeError("the argument after ** must be a mapping");
  const std::size_t num_named = to.keywords.size();
  for (std::size_t at = 0; const auto* entry = dict->EntryAt(at); ++at) {
    ESP_TRY(Step(1 + static_cast<std::int64_t>(num_named) / 16));
    if (!entry->key.is_str()) return lang::TypeError("keywords must be strings");
    const std::string_view name = lang::TextOf(entry->key);
    for (std::size_t i = 0; i < num_named; ++i) {
      if (to.keywords[i].name != name) continue;
      return lang::TypeError("got multiple values for keyword argument '" + std::string(name) +
                             "'");
    }
    to.keywords.push_back({name, entry->value});
    to.names.push_back(entry->key);
  }
  return Fault();
}

// A method of a built-in type is called without making a bound method first.
Outcome<Value> Evaluator::Invoke(const CallExpression& node, const EvaluatedArguments& arguments) {
  const Attribute* attribute = std::get_if<Attribute>(&NodeAt(node.callee).data);
  if (attribute == nullptr) {
    ESP_TRY_ASSIGN(const Value callee, Evaluate(node.callee));
    return Host::Call(callee, arguments.args());
  }
  ESP_TRY_ASSIGN(const Value object, Evaluate(attribute->object));
  if (!object.is_extension()) {
    if (const lang::Method* method = lang::FindMethod(object.type(), attribute->name)) {
      return lang::CallMethod(*this, *method, object, arguments.args());
    }
  }
  ESP_TRY_ASSIGN(const Value callee, LookUpAttribute(*this, object, attribute->name));
  return Host::Call(callee, arguments.args());
}

Outcome<Value> Evaluator::Eval(const CallExpression& node) {
  ESP_TRY_ASSIGN(const EvaluatedArguments arguments, EvaluateArguments(node.arguments));
  return Invoke(node, arguments);
}

Outcome<Value> Evaluator::Eval(const FilterCall& node) {
  Value input = filter_input_;
  if (node.input != kNoNode) {
    ESP_TRY_ASSIGN(input, Evaluate(node.input));
  }
  ESP_TRY_ASSIGN(const EvaluatedArguments arguments, EvaluateArguments(node.arguments));
  return lang::CallMethod(*this, node.filter->method, input, arguments.args());
}

Outcome<Value> Evaluator::Eval(const TestCall& node) {
  ESP_TRY_ASSIGN(const Value input, Evaluate(node.input));
  ESP_TRY_ASSIGN(const EvaluatedArguments arguments, EvaluateArguments(node.arguments));
  ESP_TRY_ASSIGN(const Value answer,
                 lang::CallMethod(*this, node.test->method, input, arguments.args()));
  ESP_TRY_ASSIGN(const bool holds, lang::Truth(*this, answer));
  return Value::Bool(holds != node.negated);
}

Outcome<Value> Evaluator::Eval(const Missing& node) {
  return lang::Raise("TemplateRuntimeError", node.message);
}

Outcome<Value> Evaluator::Eval(const Unary& node) {
  ESP_TRY_ASSIGN(const Value operand, Evaluate(node.operand));
  return lang::Unary(*this, node.op, operand);
}

Outcome<Value> Evaluator::Eval(const Not& node) {
  ESP_TRY_ASSIGN(const Value operand, Evaluate(node.operand));
  ESP_TRY_ASSIGN(const bool truth, lang::Truth(*this, operand));
  return Value::Bool(!truth);
}

Outcome<Value> Evaluator::Eval(const Binary& node) {
  ESP_TRY_ASSIGN(const Value left, Evaluate(node.left));
  ESP_TRY_ASSIGN(const Value right, Evaluate(node.right));
  return Arithmetic(*this, node.op, left, right);
}

Outcome<Value> Evaluator::Eval(const Logical& node) {
  ESP_TRY_ASSIGN(Value left, Evaluate(node.left));
  ESP_TRY_ASSIGN(const bool truth, lang::Truth(*this, left));
  if (truth == (node.op == Logical::Op::kOr)) return left;
  return Evaluate(node.right);
}

Outcome<bool> Evaluator::Holds(Comparison op, const Value& left, const Value& right) {
  switch (op) {
    case Comparison::kEq: return lang::Compare(*this, lang::CompareOp::kEq, left, right);
    case Comparison::kNe: return lang::Compare(*this, lang::CompareOp::kNe, left, right);
    case Comparison::kLt: return lang::Compare(*this, lang::CompareOp::kLt, left, right);
    case Comparison::kLe: return lang::Compare(*this, lang::CompareOp::kLe, left, right);
    case Comparison::kGt: return lang::Compare(*this, lang::CompareOp::kGt, left, right);
    case Comparison::kGe: return lang::Compare(*this, lang::CompareOp::kGe, left, right);
    default: break;
  }
  ESP_TRY_ASSIGN(const bool contains, lang::Contains(*this, right, left));
  return contains == (op == Comparison::kIn);
}

Outcome<Value> Evaluator::Eval(const CompareChain& node) {
  ESP_TRY_ASSIGN(Value left, Evaluate(node.first));
  for (const auto& [op, operand] : node.rest) {
    ESP_TRY_ASSIGN(Value right, Evaluate(operand));
    ESP_TRY_ASSIGN(const bool holds, Holds(op, left, right));
    if (!holds) return Value::Bool(false);
    left = std::move(right);
  }
  return Value::Bool(true);
}

Outcome<Value> Evaluator::Eval(const Concat& node) {
  std::string text;
  for (const NodeId part : node.parts) {
    ESP_TRY_ASSIGN(const Value value, Evaluate(part));
    std::string made;
    if (!value.is_str()) {
      ESP_TRY_ASSIGN(made, lang::Text(*this, value));
    }
    const std::string_view piece = value.is_str() ? lang::TextOf(value) : made;
    ESP_TRY(Reserve(static_cast<std::int64_t>(text.size() + piece.size())));
    text += piece;
  }
  ESP_TRY(Step(std::ssize(text) / 256));
  return lang::MakeStr(heap(), std::move(text));
}

Outcome<Value> Evaluator::Eval(const Conditional& node) {
  ESP_TRY_ASSIGN(const Value condition, Evaluate(node.condition));
  ESP_TRY_ASSIGN(const bool holds, lang::Truth(*this, condition));
  if (holds) return Evaluate(node.value);
  if (node.otherwise != kNoNode) return Evaluate(node.otherwise);
  return MakeUndefined(*this,
                       "the inline if-expression evaluated to false and no else section was "
                       "defined.");
}

}  // namespace espalier::jinja
