#include "frontend_lang/chat/jinja_parser.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "frontend_lang/chat/jinja_expression_parser.h"
#include "frontend_lang/chat/jinja_lexer.h"

namespace espalier::jinja {
namespace {

using Ternary = ExpressionParser::Ternary;

constexpr std::size_t kMostParameters = 255;  // a call compares its names with each

// Statements: text, {{ print }} and {% tags %}.
class StatementParser {
 public:
  explicit StatementParser(const std::vector<Token>& tokens) : in_(tokens) {}

  Result<Ast> Run() {
    ESP_ASSIGN_OR_RETURN(const NodeId root, ParseBody({}));
    ESP_RETURN_IF_ERROR(in_.CheckNoneMissing(0));
    return in_.TakeAst(root);
  }

 private:
  // Statements up to a tag that begins with one of `ends`; that name is the current
  // token then. With no `ends`: up to the end of the template.
  Result<NodeId> ParseBody(std::initializer_list<std::string_view> ends);
  Result<NodeId> ParseTag();
  Result<NodeId> ParsePrint();
  Result<NodeId> ParseFor(const Token& at);
  Result<NodeId> ParseIf(const Token& at);
  Result<NodeId> ParseSet(const Token& at);
  Result<NodeId> ParseMacro(const Token& at);
  Result<NodeId> ParseCallBlock(const Token& at);
  Result<NodeId> ParseFilterBlock(const Token& at);
  Result<NodeId> ParseWith(const Token& at);
  Result<NodeId> ParseGeneration(const Token& at);
  Result<NodeId> ParseLoopControl(const Token& at, NodeData control);

  // A body that "{% end %}" closes; takes that tag too.
  Result<NodeId> ParseClosedBody(std::string_view end);
  enum class Attributes { kAllowed, kNot };
  Result<Target> ParseTarget(Attributes attributes);
  Result<Target> ParseTargetPart(Attributes attributes);
  Result<Signature> ParseSignature(std::vector<NodeId>& children);
  // The body of a macro or call block; notes in `signature` what it speaks of.
  Result<NodeId> ParseMacroBody(const Token& at, std::string_view end, Signature& signature);
  Result<NameId> ParseNewName();

  ExpressionParser in_;
  int num_loops_ = 0;  // that enclose this place
};

Result<NodeId> StatementParser::ParseBody(std::initializer_list<std::string_view> ends) {
  const ExpressionParser::Level level(in_);
  ESP_RETURN_IF_ERROR(level.Check());
  Sequence body;
  const Token& start = in_.token();
  while (in_.token().kind != TokenKind::kEnd) {
    const Token& at = in_.Next();
    Result<NodeId> node = kNoNode;
    if (at.kind == TokenKind::kText) {
      node = in_.Add(Text{at.text}, at);
    } else if (at.kind == TokenKind::kPrintBegin) {
      node = ParsePrint();
    } else {
      const bool end = std::ranges::any_of(
          ends, [&](std::string_view name) { return in_.token().IsName(name); });
      if (end) break;
      node = ParseTag();
    }
    ESP_RETURN_IF_ERROR(node.status());
    if (*node != kNoNode) body.nodes.push_back(*node);
  }
  if (ends.size() > 0 && in_.token().kind == TokenKind::kEnd) {
    return in_.Unexpected("{% " + std::string(*(ends.end() - 1)) + " %}");
  }
  const std::vector<NodeId> children = body.nodes;
  return in_.Add(std::move(body), start, children);
}

Result<NodeId> StatementParser::ParseClosedBody(std::string_view end) {
  ESP_ASSIGN_OR_RETURN(const NodeId body, ParseBody({end}));
  in_.Next();
  ESP_RETURN_IF_ERROR(in_.ExpectBlockEnd());
  return body;
}

Result<NodeId> StatementParser::ParsePrint() {
  const Token& at = in_.token();
  ESP_ASSIGN_OR_RETURN(const NodeId value, in_.ParseTuple());
  if (in_.token().kind != TokenKind::kPrintEnd) return in_.Unexpected("}}");
  in_.Next();
  return in_.Add(Print{value}, at, {value});
}

Result<NodeId> StatementParser::ParseTag() {
  const Token& at = in_.token();
  if (at.kind != TokenKind::kName) return in_.Unexpected("a tag's name");
  in_.Next();
  if (at.text == "for") return ParseFor(at);
  if (at.text == "if") return ParseIf(at);
  if (at.text == "set") return ParseSet(at);
  if (at.text == "macro") return ParseMacro(at);
  if (at.text == "call") return ParseCallBlock(at);
  if (at.text == "filter") return ParseFilterBlock(at);
  if (at.text == "with") return ParseWith(at);
  if (at.text == "generation") return ParseGeneration(at);
  if (at.text == "break") return ParseLoopControl(at, Break{});
  if (at.text == "continue") return ParseLoopControl(at, Continue{});
  const bool stray = at.text.starts_with("end") || at.text == "else" || at.text == "elif";
  if (stray) return in_.ErrorAt(at, "'" + at.text + "' has nothing to end here");
  return TemplateError(Code::kUnsupported, at.line, at.column,
                       "the tag '" + at.text + "' is not supported");
}

Result<NodeId> StatementParser::ParseLoopControl(const Token& at, NodeData control) {
  if (num_loops_ == 0) return in_.ErrorAt(at, "'" + at.text + "' outside a loop");
  ESP_RETURN_IF_ERROR(in_.ExpectBlockEnd());
  return in_.Add(std::move(control), at);
}

Result<NameId> StatementParser::ParseNewName() {
  constexpr std::string_view kConstants[] = {"true", "True", "false", "False", "none", "None"};
  if (in_.token().kind != TokenKind::kName) return in_.Unexpected("a name");
  if (std::ranges::find(kConstants, in_.token().text) != std::end(kConstants)) {
    return in_.Error("'" + in_.token().text + "' cannot be assigned to");
  }
  return in_.InternName(in_.Next().text);
}

// part, or part, part, ...
Result<Target> StatementParser::ParseTarget(Attributes attributes) {
  ESP_ASSIGN_OR_RETURN(Target first, ParseTargetPart(attributes));
  if (!in_.token().IsOperator(",")) return first;
  Target target;
  target.unpacks = true;
  target.parts.push_back(std::move(first));
  while (in_.SkipOperator(",")) {
    if (in_.token().IsOperator(")") || in_.token().kind == TokenKind::kBlockEnd) break;
    ESP_ASSIGN_OR_RETURN(Target part, ParseTargetPart(attributes));
    target.parts.push_back(std::move(part));
  }
  return target;
}

// name, name.attribute, or a target in parentheses
Result<Target> StatementParser::ParseTargetPart(Attributes attributes) {
  const ExpressionParser::Level level(in_);
  ESP_RETURN_IF_ERROR(level.Check());
  if (in_.SkipOperator("(")) {
    ESP_ASSIGN_OR_RETURN(Target inner, ParseTarget(Attributes::kNot));
    ESP_RETURN_IF_ERROR(in_.ExpectOperator(")"));
    return inner;
  }
  if (num_loops_ > 0 && in_.token().IsName("loop")) {
    return in_.Error("'loop' cannot be assigned to in a loop");
  }
  Target target;
  ESP_ASSIGN_OR_RETURN(target.name, ParseNewName());
  if (attributes == Attributes::kAllowed && in_.SkipOperator(".")) {
    if (in_.token().kind != TokenKind::kName) return in_.Unexpected("a name");
    target.attribute = in_.Next().text;
  }
  return target;
}

Result<NodeId> StatementParser::ParseFor(const Token& at) {
  ++num_loops_;
  ESP_ASSIGN_OR_RETURN(Target target, ParseTarget(Attributes::kNot));
  --num_loops_;
  ESP_RETURN_IF_ERROR(in_.ExpectName("in"));
  ESP_ASSIGN_OR_RETURN(const NodeId items, in_.ParseTuple(Ternary::kNot));
  const std::size_t missing = in_.num_missing();
  NodeId condition = kNoNode, otherwise = kNoNode;
  if (in_.SkipName("if")) {
    ESP_ASSIGN_OR_RETURN(condition, in_.Parse());
  }
  const bool recursive = in_.SkipName("recursive");
  ESP_RETURN_IF_ERROR(in_.ExpectBlockEnd());
  ++num_loops_;
  ESP_ASSIGN_OR_RETURN(const NodeId body, ParseBody({"else", "endfor"}));
  --num_loops_;
  if (in_.SkipName("else")) {
    ESP_RETURN_IF_ERROR(in_.ExpectBlockEnd());
    ESP_ASSIGN_OR_RETURN(otherwise, ParseBody({"endfor"}));
  }
  in_.Next();
  ESP_RETURN_IF_ERROR(in_.ExpectBlockEnd());
  ESP_RETURN_IF_ERROR(in_.CheckNoneMissing(missing));
  return in_.Add(For{std::move(target), items, condition, body, otherwise, recursive}, at,
                 {items, condition, body, otherwise});
}

Result<NodeId> StatementParser::ParseIf(const Token& at) {
  const std::size_t missing = in_.num_missing();
  If node{{}, kNoNode};
  std::vector<NodeId> children;
  while (true) {
    ESP_ASSIGN_OR_RETURN(const NodeId condition, in_.ParseTuple(Ternary::kNot));
    ESP_RETURN_IF_ERROR(in_.ExpectBlockEnd());
    ESP_ASSIGN_OR_RETURN(const NodeId body, ParseBody({"elif", "else", "endif"}));
    node.branches.emplace_back(condition, body);
    children.insert(children.end(), {condition, body});
    if (!in_.SkipName("elif")) break;
  }
  if (in_.SkipName("else")) {
    ESP_RETURN_IF_ERROR(in_.ExpectBlockEnd());
    ESP_ASSIGN_OR_RETURN(node.otherwise, ParseBody({"endif"}));
    children.push_back(node.otherwise);
  }
  in_.Next();
  ESP_RETURN_IF_ERROR(in_.ExpectBlockEnd());
  in_.LeaveToBranch(missing);
  return in_.Add(std::move(node), at, children);
}

Result<NodeId> StatementParser::ParseSet(const Token& at) {
  ESP_ASSIGN_OR_RETURN(Target target, ParseTarget(Attributes::kAllowed));
  if (in_.SkipOperator("=")) {
    ESP_ASSIGN_OR_RETURN(const NodeId value, in_.ParseTuple());
    ESP_RETURN_IF_ERROR(in_.ExpectBlockEnd());
    return in_.Add(Set{std::move(target), value}, at, {value});
  }
  const std::size_t missing = in_.num_missing();
  NodeId filter = kNoNode;
  if (in_.SkipOperator("|")) {
    ESP_ASSIGN_OR_RETURN(filter, in_.ParseFilters(kNoNode));
  }
  ESP_RETURN_IF_ERROR(in_.ExpectBlockEnd());
  ESP_ASSIGN_OR_RETURN(const NodeId body, ParseClosedBody("endset"));
  ESP_RETURN_IF_ERROR(in_.CheckNoneMissing(missing));
  return in_.Add(SetBlock{std::move(target), body, filter}, at, {body, filter});
}

// (a, b=1, c=2)
Result<Signature> StatementParser::ParseSignature(std::vector<NodeId>& children) {
  Signature signature;
  ESP_RETURN_IF_ERROR(in_.ExpectOperator("("));
  while (!in_.token().IsOperator(")")) {
    if (!signature.parameters.empty()) ESP_RETURN_IF_ERROR(in_.ExpectOperator(","));
    ESP_ASSIGN_OR_RETURN(const NameId name, ParseNewName());
    if (signature.parameters.size() >= kMostParameters) {
      return in_.Error("there are too many parameters");
    }
    if (std::ranges::find(signature.parameters, name) != signature.parameters.end()) {
      return in_.Error("a parameter has this name already");
    }
    signature.parameters.push_back(name);
    if (in_.SkipOperator("=")) {
      ESP_ASSIGN_OR_RETURN(const NodeId value, in_.Parse());
      signature.defaults.push_back(value);
      children.push_back(value);
    } else if (!signature.defaults.empty()) {
      return in_.Error("a parameter without default may not follow one with a default");
    }
  }
  ESP_RETURN_IF_ERROR(in_.ExpectOperator(")"));
  return signature;
}

// A loop outside a macro's body cannot be left from within it.
Result<NodeId> StatementParser::ParseMacroBody(const Token& at, std::string_view end,
                                               Signature& signature) {
  const NodeId first = in_.num_nodes();
  const std::size_t missing = in_.num_missing();
  const int outer_loops = std::exchange(num_loops_, 0);
  ESP_ASSIGN_OR_RETURN(const NodeId body, ParseClosedBody(end));
  ESP_RETURN_IF_ERROR(in_.CheckNoneMissing(missing));
  num_loops_ = outer_loops;
  const auto& parameters = signature.parameters;
  const auto place = [&](std::string_view name) {
    return std::ranges::find(parameters, in_.InternName(name)) - parameters.begin();
  };
  const auto num_parameters = std::ssize(parameters);
  const auto reads = [&](std::string_view name) { return in_.Reads(name, first); };
  signature.takes_kwargs = reads("kwargs") && place("kwargs") == num_parameters;
  signature.takes_varargs = reads("varargs") && place("varargs") == num_parameters;
  signature.takes_caller = reads("caller") && place("caller") == num_parameters;
  if (reads("caller") && place("caller") < num_parameters - std::ssize(signature.defaults)) {
    return in_.ErrorAt(at, "a parameter named 'caller' needs a default");
  }
  return body;
}

Result<NodeId> StatementParser::ParseMacro(const Token& at) {
  ESP_ASSIGN_OR_RETURN(const NameId name, ParseNewName());
  std::vector<NodeId> children;
  ESP_ASSIGN_OR_RETURN(Signature signature, ParseSignature(children));
  ESP_RETURN_IF_ERROR(in_.ExpectBlockEnd());
  ESP_ASSIGN_OR_RETURN(const NodeId body, ParseMacroBody(at, "endmacro", signature));
  children.push_back(body);
  return in_.Add(Macro{name, std::move(signature), body}, at, children);
}

Result<NodeId> StatementParser::ParseCallBlock(const Token& at) {
  std::vector<NodeId> children;
  Signature signature;
  if (in_.token().IsOperator("(")) {
    ESP_ASSIGN_OR_RETURN(signature, ParseSignature(children));
  }
  ESP_ASSIGN_OR_RETURN(const NodeId call, in_.Parse());
  if (!std::holds_alternative<CallExpression>(in_.node(call).data)) {
    return in_.ErrorAt(at, "'call' needs a call of a macro");
  }
  ESP_RETURN_IF_ERROR(in_.ExpectBlockEnd());
  ESP_ASSIGN_OR_RETURN(const NodeId body, ParseMacroBody(at, "endcall", signature));
  children.insert(children.end(), {call, body});
  return in_.Add(CallBlock{std::move(signature), call, body}, at, children);
}

Result<NodeId> StatementParser::ParseFilterBlock(const Token& at) {
  const std::size_t missing = in_.num_missing();
  ESP_ASSIGN_OR_RETURN(const NodeId filter, in_.ParseFilters(kNoNode));
  ESP_RETURN_IF_ERROR(in_.ExpectBlockEnd());
  ESP_ASSIGN_OR_RETURN(const NodeId body, ParseClosedBody("endfilter"));
  ESP_RETURN_IF_ERROR(in_.CheckNoneMissing(missing));
  return in_.Add(FilterBlock{filter, body}, at, {filter, body});
}

// {% with a = 1, b = 2 %}: names for the body alone.
Result<NodeId> StatementParser::ParseWith(const Token& at) {
  With with;
  std::vector<NodeId> children;
  while (in_.token().kind != TokenKind::kBlockEnd) {
    if (!with.bindings.empty()) ESP_RETURN_IF_ERROR(in_.ExpectOperator(","));
    ESP_ASSIGN_OR_RETURN(Target target, ParseTarget(Attributes::kNot));
    ESP_RETURN_IF_ERROR(in_.ExpectOperator("="));
    ESP_ASSIGN_OR_RETURN(const NodeId value, in_.Parse());
    with.bindings.emplace_back(std::move(target), value);
    children.push_back(value);
  }
  ESP_RETURN_IF_ERROR(in_.ExpectBlockEnd());
  const std::size_t missing = in_.num_missing();
  ESP_ASSIGN_OR_RETURN(with.body, ParseClosedBody("endwith"));
  ESP_RETURN_IF_ERROR(in_.CheckNoneMissing(missing));
  children.push_back(with.body);
  return in_.Add(std::move(with), at, children);
}

// Marks what the model wrote, for training; it prints its body.
Result<NodeId> StatementParser::ParseGeneration(const Token&) {
  ESP_RETURN_IF_ERROR(in_.ExpectBlockEnd());
  return ParseClosedBody("endgeneration");
}

}  // namespace

Result<Ast> Parse(std::string_view source) {
  ESP_ASSIGN_OR_RETURN(const std::vector<Token> tokens, Tokenize(source));
  return StatementParser(tokens).Run();
}

}  // namespace espalier::jinja
