// The leaves and the tightest parts of expressions: literals, displays, attributes,
// items, calls, filters, tests (declared in jinja_expression_parser.h).
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "frontend_lang/chat/jinja_expression_parser.h"
#include "frontend_lang/chat/jinja_filters.h"
#include "frontend_lang/chat/jinja_lexer.h"
#include "frontend_lang/chat/jinja_tests.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::jinja {
namespace {

constexpr std::size_t kMostKeywords = 255;  // each is compared with those before it

}  // namespace

Result<NodeId> ExpressionParser::AddConstant(decltype(Constant::value) value, const Token& token) {
  return Add(Constant{std::move(value), ast_.num_constants++}, token);
}

Result<NodeId> ExpressionParser::ParsePrimary() {
  switch (token().kind) {
    case TokenKind::kName: return ParseName();
    case TokenKind::kInt:
    case TokenKind::kFloat: return ParseNumber();
    case TokenKind::kString: return ParseString();
    default: break;
  }
  if (token().IsOperator("(")) return ParseParentheses();
  if (token().IsOperator("[")) return ParseList();
  if (token().IsOperator("{")) return ParseDict();
  return Unexpected("an expression");
}

Result<NodeId> ExpressionParser::ParseName() {
  const Token& at = Next();
  if (at.text == "true" || at.text == "True") return AddConstant(true, at);
  if (at.text == "false" || at.text == "False") return AddConstant(false, at);
  if (at.text == "none" || at.text == "None") return AddConstant(std::monostate(), at);
  return Add(Name{InternName(at.text)}, at);
}

Result<NodeId> ExpressionParser::ParseNumber() {
  const Token& at = Next();
  if (at.kind == TokenKind::kFloat) {
    return AddConstant(std::strtod(at.text.c_str(), nullptr), at);
  }
  std::int64_t number = 0;
  const char* end = at.text.data() + at.text.size();
  const auto read = std::from_chars(at.text.data(), end, number, at.base);
  if (read.ec == std::errc() && read.ptr == end) return AddConstant(number, at);
  constexpr std::size_t kMostDigits = 4300;  // as CPython reads, and jinja2 with it
  if (at.text.size() > kMostDigits || at.base != 10) {
    return ErrorAt(at, "the integer " + at.text.substr(0, 20) + "... is too large");
  }
  return AddConstant(BigInteger{at.text}, at);
}

Result<NodeId> ExpressionParser::ParseString() {
  const Token& at = Next();
  std::string text = at.text;
  while (token().kind == TokenKind::kString) text += Next().text;
  return AddConstant(std::move(text), at);
}

Result<NodeId> ExpressionParser::ParseParentheses() {
  const Token& at = Next();
  if (SkipOperator(")")) return Add(TupleDisplay{}, at);
  ESP_ASSIGN_OR_RETURN(const NodeId node, ParseTuple());
  ESP_RETURN_IF_ERROR(ExpectOperator(")"));
  return node;
}

Result<NodeId> ExpressionParser::ParseList() {
  const Token& at = Next();
  ListDisplay list;
  while (!token().IsOperator("]")) {
    if (!list.items.empty()) ESP_RETURN_IF_ERROR(ExpectOperator(","));
    if (token().IsOperator("]")) break;
    ESP_ASSIGN_OR_RETURN(const NodeId item, Parse());
    list.items.push_back(item);
  }
  ESP_RETURN_IF_ERROR(ExpectOperator("]"));
  const std::vector<NodeId> children = list.items;
  return Add(std::move(list), at, children);
}

Result<NodeId> ExpressionParser::ParseDict() {
  const Token& at = Next();
  DictDisplay dict;
  std::vector<NodeId> children;
  while (!token().IsOperator("}")) {
    if (!dict.items.empty()) ESP_RETURN_IF_ERROR(ExpectOperator(","));
    if (token().IsOperator("}")) break;
    ESP_ASSIGN_OR_RETURN(const NodeId key, Parse());
    ESP_RETURN_IF_ERROR(ExpectOperator(":"));
    ESP_ASSIGN_OR_RETURN(const NodeId value, Parse());
    dict.items.emplace_back(key, value);
    children.insert(children.end(), {key, value});
  }
  ESP_RETURN_IF_ERROR(ExpectOperator("}"));
  return Add(std::move(dict), at, children);
}

// .name, or .0 for [0]
Result<NodeId> ExpressionParser::ParseAttribute(NodeId object) {
  Next();
  const Token& at = token();
  if (at.kind == TokenKind::kInt) {
    ESP_ASSIGN_OR_RETURN(const NodeId key, ParseNumber());
    return Add(Item{object, key}, at, {object, key});
  }
  if (at.kind != TokenKind::kName) return Unexpected("a name");
  Next();
  return Add(Attribute{object, at.text}, at, {object});
}

Result<NodeId> ExpressionParser::ParseItem(NodeId object) {
  const Token& at = Next();
  std::vector<NodeId> keys;
  while (!token().IsOperator("]")) {
    if (!keys.empty()) ESP_RETURN_IF_ERROR(ExpectOperator(","));
    ESP_ASSIGN_OR_RETURN(const NodeId key, ParseKey());
    keys.push_back(key);
  }
  if (keys.empty()) return Unexpected("a key");
  ESP_RETURN_IF_ERROR(ExpectOperator("]"));
  NodeId key = keys[0];
  if (keys.size() > 1) {
    ESP_ASSIGN_OR_RETURN(key, Add(TupleDisplay{keys}, at, keys));
  }
  return Add(Item{object, key}, at, {object, key});
}

// key, or start:stop:step with each part optional
Result<NodeId> ExpressionParser::ParseKey() {
  const Token& at = token();
  NodeId parts[3] = {kNoNode, kNoNode, kNoNode};
  int num_colons = 0;
  while (!token().IsOperator("]") && !token().IsOperator(",")) {
    if (SkipOperator(":")) {
      if (++num_colons > 2) return Unexpected("']'");
      continue;
    }
    if (parts[num_colons] != kNoNode) return Unexpected("']'");
    ESP_ASSIGN_OR_RETURN(parts[num_colons], Parse());
  }
  if (num_colons == 0) {
    if (parts[0] == kNoNode) return Unexpected("a key");
    return parts[0];
  }
  return Add(SliceKey{parts[0], parts[1], parts[2]}, at, parts);
}

Result<CallArguments> ExpressionParser::ParseArguments(std::vector<NodeId>& children) {
  CallArguments arguments;
  ESP_RETURN_IF_ERROR(ExpectOperator("("));
  bool first = true;
  while (!token().IsOperator(")")) {
    if (!std::exchange(first, false)) ESP_RETURN_IF_ERROR(ExpectOperator(","));
    if (token().IsOperator(")")) break;
    ESP_RETURN_IF_ERROR(ParseArgument(arguments, children));
  }
  ESP_RETURN_IF_ERROR(ExpectOperator(")"));
  return arguments;
}

// value, name=value, *iterable or **mapping: in that order, but for names behind *iterable.
Status ExpressionParser::ParseArgument(CallArguments& arguments, std::vector<NodeId>& children) {
  const bool star = token().IsOperator("*"), stars = token().IsOperator("**");
  const bool keyword = token().kind == TokenKind::kName && tokens_[at_ + 1].IsOperator("=");
  const bool ended = arguments.more_keywords != kNoNode ||
                     (!keyword && !stars && arguments.more_positional != kNoNode) ||
                     (!keyword && !stars && !star && !arguments.keywords.empty());
  if (ended) return Error("this argument may not follow the one before it");
  const std::string name = token().text;
  if (star || stars || keyword) Next();
  if (keyword) Next();
  ESP_ASSIGN_OR_RETURN(const NodeId value, Parse());
  children.push_back(value);
  if (star) {
    arguments.more_positional = value;
  } else if (stars) {
    arguments.more_keywords = value;
  } else if (keyword) {
    if (arguments.keywords.size() >= kMostKeywords) return Error("there are too many arguments");
    const bool given = std::ranges::any_of(arguments.keywords,
                                           [&](const auto& other) { return other.first == name; });
    if (given) return Error("the argument '" + name + "' is given twice");
    arguments.keywords.emplace_back(name, value);
  } else {
    arguments.positional.push_back(value);
  }
  return Status();
}

Result<NodeId> ExpressionParser::ParseCall(NodeId callee) {
  const Token& at = token();
  std::vector<NodeId> children = {callee};
  ESP_ASSIGN_OR_RETURN(CallArguments arguments, ParseArguments(children));
  return Add(CallExpression{callee, std::move(arguments)}, at, children);
}

Result<NodeId> ExpressionParser::AddMissing(const Token& at, std::string message,
                                            std::span<const NodeId> children) {
  missing_.push_back(TemplateError(Code::kUnsupported, at.line, at.column, message));
  return Add(Missing{std::move(message)}, at, children);
}

Result<NodeId> ExpressionParser::ParseFilters(NodeId input) {
  ESP_ASSIGN_OR_RETURN(NodeId node, ParseFilter(input));
  while (SkipOperator("|")) {
    ESP_ASSIGN_OR_RETURN(node, ParseFilter(node));
  }
  return node;
}

Result<NodeId> ExpressionParser::ParseFilter(NodeId input) {
  const Token& at = token();
  if (at.kind != TokenKind::kName) return Unexpected("a filter's name");
  Next();
  const Filter* filter = FindFilter(at.text);
  std::vector<NodeId> children = {input};
  CallArguments arguments;
  if (token().IsOperator("(")) {
    ESP_ASSIGN_OR_RETURN(arguments, ParseArguments(children));
  }
  if (filter == nullptr) {
    return AddMissing(at, "there is no filter '" + at.text + "'", children);
  }
  return Add(FilterCall{input, filter, std::move(arguments)}, at, children);
}

// value is [not] test, test(arguments), or test argument
Result<NodeId> ExpressionParser::ParseTest(NodeId input) {
  Next();
  const bool negated = SkipName("not");
  const Token& at = token();
  if (at.kind != TokenKind::kName) return Unexpected("a test's name");
  Next();
  const Test* test = FindTest(at.text);
  std::vector<NodeId> children = {input};
  CallArguments arguments;
  const Token& next = token();
  const bool literal = next.kind == TokenKind::kString || next.kind == TokenKind::kInt ||
                       next.kind == TokenKind::kFloat || next.IsOperator("[") ||
                       next.IsOperator("{");
  const bool name = next.kind == TokenKind::kName && !next.IsName("else") && !next.IsName("or") &&
                    !next.IsName("and") && !next.IsName("if") && !next.IsName("is");
  if (next.IsName("is")) return Error("tests cannot be chained with 'is'");
  if (next.IsOperator("(")) {
    ESP_ASSIGN_OR_RETURN(arguments, ParseArguments(children));
  } else if (literal || name) {
    ESP_ASSIGN_OR_RETURN(NodeId argument, ParsePrimary());
    ESP_ASSIGN_OR_RETURN(argument, ParsePostfix(argument));
    arguments.positional.push_back(argument);
    children.push_back(argument);
  }
  if (test == nullptr) return AddMissing(at, "there is no test '" + at.text + "'", children);
  return Add(TestCall{input, test, std::move(arguments), negated}, at, children);
}

}  // namespace espalier::jinja
