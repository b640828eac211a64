// Expressions of a template, by recursive descent over the tokens. The statement
// parser drives it and shares its place in the tokens and its tree.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend_lang/chat/jinja_ast.h"
#include "frontend_lang/chat/jinja_token.h"
#include "kernels/base/status.h"

namespace espalier::jinja {

class ExpressionParser {
 public:
  // `tokens` ends with kEnd and outlives the parser.
  explicit ExpressionParser(const std::vector<Token>& tokens) : tokens_(tokens) {}

  // An expression; with `a if b else c`, or without where a tag has its own "if".
  enum class Ternary { kAllowed, kNot };
  Result<NodeId> Parse(Ternary ternary = Ternary::kAllowed);
  // An expression, or a tuple without parentheses.
  Result<NodeId> ParseTuple(Ternary ternary = Ternary::kAllowed);
  // name | filter | filter(...) behind the "|", or from the first name on. `input` may
  // be kNoNode.
  Result<NodeId> ParseFilters(NodeId input);
  Result<NodeId> ParseFilter(NodeId input);

  // ---- The place in the tokens.
  const Token& token() const { return tokens_[at_]; }
  const Token& Next() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool SkipOperator(std::string_view symbol);
  bool SkipName(std::string_view name);
  Status ExpectOperator(std::string_view symbol);
  Status ExpectName(std::string_view name);
  Status ExpectBlockEnd();
  Status Error(std::string_view message) const { return ErrorAt(token(), message); }
  static Status ErrorAt(const Token& token, std::string_view message);
  Status Unexpected(std::string_view expected) const;

  // ---- Names of filters and tests that there are not. In a branch they are an error of who
  // takes it (jinja2's soft frames), elsewhere of the template.
  std::size_t num_missing() const { return missing_.size(); }
  // Those from `first` on stand in a branch.
  void LeaveToBranch(std::size_t first) { missing_.resize(first); }
  // Those from `first` on cannot be in one.
  Status CheckNoneMissing(std::size_t first) const {
    return missing_.size() > first ? missing_[first] : Status();
  }

  // ---- The tree.
  // Adds a node that stands one level above `children`.
  Result<NodeId> Add(NodeData data, const Token& token, std::span<const NodeId> children);
  Result<NodeId> Add(NodeData data, const Token& token,
                     std::initializer_list<NodeId> children = {}) {
    return Add(std::move(data), token, std::span(children.begin(), children.size()));
  }
  NameId InternName(std::string_view name);
  Ast TakeAst(NodeId root);
  const Node& node(NodeId id) const { return ast_.nodes[static_cast<std::size_t>(id)]; }
  NodeId num_nodes() const { return static_cast<NodeId>(ast_.nodes.size()); }
  // Whether an expression among the nodes from `first` on reads that name.
  bool Reads(std::string_view name, NodeId first) const;

  // One level of the parser's own recursion; fails when too deep.
  class Level {
   public:
    explicit Level(ExpressionParser& parser) : parser_(parser) { ++parser_.level_; }
    ~Level() { --parser_.level_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    Status Check() const;

   private:
    ExpressionParser& parser_;
  };

 private:
  Result<NodeId> ParseOr();
  Result<NodeId> ParseAnd();
  Result<NodeId> ParseNot();
  Result<NodeId> ParseCompare();
  Result<NodeId> ParseSum();
  Result<NodeId> ParseConcat();
  Result<NodeId> ParseProduct();
  Result<NodeId> ParsePower();
  enum class Filters { kAllowed, kNot };
  Result<NodeId> ParseUnary(Filters filters = Filters::kAllowed);
  Result<NodeId> ParsePrimary();
  Result<NodeId> ParsePostfix(NodeId node);
  Result<NodeId> ParseFilterExpression(NodeId node);

  Result<NodeId> ParseName();
  Result<NodeId> ParseNumber();
  Result<NodeId> ParseString();
  Result<NodeId> ParseParentheses();
  Result<NodeId> ParseList();
  Result<NodeId> ParseDict();
  Result<NodeId> ParseAttribute(NodeId object);
  Result<NodeId> ParseItem(NodeId object);
  Result<NodeId> ParseKey();
  Result<NodeId> ParseCall(NodeId callee);
  Result<NodeId> ParseTest(NodeId input);
  Result<CallArguments> ParseArguments(std::vector<NodeId>& children);
  Status ParseArgument(CallArguments& arguments, std::vector<NodeId>& children);
  Result<NodeId> AddMissing(const Token& token, std::string message,
                            std::span<const NodeId> children);
  Result<NodeId> AddConstant(decltype(Constant::value) value, const Token& token);
  bool AtTupleEnd() const;

  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
  Ast ast_;
  std::vector<int> depths_;  // of the nodes' subtrees
  std::unordered_map<std::string, std::size_t> name_ids_;
  std::vector<Status> missing_;  // not known yet whether in a branch
  int level_ = 0;
};

}  // namespace espalier::jinja
