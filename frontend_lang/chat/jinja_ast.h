// The syntax tree of a template: nodes in one vector, joined by their numbers.
//
// Immutable after parsing, and shared by any number of renders and threads: so it
// holds plain data and no lang::Value.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "frontend_lang/script/values/operators.h"

namespace espalier::jinja {

using NodeId = std::int32_t;
using NameId = std::int32_t;  // index into Ast::names
inline constexpr NodeId kNoNode = -1;

struct Filter;  // jinja_filters.h
struct Test;    // jinja_tests.h

// ---- Expressions.

struct BigInteger {
  std::string digits;  // decimal; more than 64 bits hold
};
struct Constant {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, BigInteger> value;
  std::int32_t index;  // among the constants of this template
};
struct Name {
  NameId name;
};
struct ListDisplay {
  std::vector<NodeId> items;
};
struct TupleDisplay {
  std::vector<NodeId> items;
};
struct DictDisplay {
  std::vector<std::pair<NodeId, NodeId>> items;
};
struct Attribute {  // object.name
  NodeId object;
  std::string name;
};
struct Item {  // object[key]
  NodeId object, key;
};
struct SliceKey {  // start:stop:step; kNoNode where absent
  NodeId start, stop, step;
};
struct CallArguments {
  std::vector<NodeId> positional;
  std::vector<std::pair<std::string, NodeId>> keywords;
  NodeId more_positional = kNoNode;  // *iterable
  NodeId more_keywords = kNoNode;    // **mapping
};
struct CallExpression {
  NodeId callee;
  CallArguments arguments;
};
struct FilterCall {
  NodeId input;  // kNoNode: the body of a filter or set block
  const Filter* filter;
  CallArguments arguments;
};
struct TestCall {
  NodeId input;
  const Test* test;
  CallArguments arguments;
  bool negated;
};
struct Missing {  // a filter or test that there is not, where only a branch needs it
  std::string message;
};
struct Unary {
  lang::UnaryOp op;
  NodeId operand;
};
struct Not {
  NodeId operand;
};
struct Binary {
  lang::BinaryOp op;
  NodeId left, right;
};
struct Logical {
  enum class Op : std::uint8_t { kAnd, kOr } op;
  NodeId left, right;
};
enum class Comparison : std::uint8_t { kEq, kNe, kLt, kLe, kGt, kGe, kIn, kNotIn };
struct CompareChain {  // first op operand op operand ...
  NodeId first;
  std::vector<std::pair<Comparison, NodeId>> rest;
};
struct Concat {  // a ~ b ~ c
  std::vector<NodeId> parts;
};
struct Conditional {  // value if condition else otherwise
  NodeId value, condition, otherwise;
};

// ---- Statements.

struct Text {
  std::string text;
};
struct Print {
  NodeId value;
};
struct Sequence {
  std::vector<NodeId> nodes;
};
struct Target {  // what a for, set or with assigns to: a name, name.attribute, or parts
  NameId name = -1;
  std::string attribute;      // empty: the name itself
  bool unpacks = false;       // a, (b, c) = ...
  std::vector<Target> parts;  // then
};
struct For {
  Target target;
  NodeId items, condition, body, otherwise;
  bool recursive;
};
struct If {
  std::vector<std::pair<NodeId, NodeId>> branches;  // condition, body
  NodeId otherwise;
};
struct Set {
  Target target;
  NodeId value;
};
struct SetBlock {
  Target target;
  NodeId body;
  NodeId filter;  // outermost of a chain of FilterCall, or kNoNode
};
struct Signature {
  std::vector<NameId> parameters;
  std::vector<NodeId> defaults;  // of the last parameters
  // Whether the body speaks of these names, and so takes what else a call gives.
  bool takes_caller = false, takes_kwargs = false, takes_varargs = false;
};
struct Macro {
  NameId name;
  Signature signature;
  NodeId body;
};
struct CallBlock {
  Signature signature;
  NodeId call;  // a CallExpression
  NodeId body;
};
struct FilterBlock {
  NodeId filter;
  NodeId body;
};
struct With {
  std::vector<std::pair<Target, NodeId>> bindings;
  NodeId body;
};
struct Break {};
struct Continue {};

using NodeData =
    std::variant<Constant, Name, ListDisplay, TupleDisplay, DictDisplay, Attribute, Item, SliceKey,
                 CallExpression, FilterCall, TestCall, Missing, Unary, Not, Binary, Logical,
                 CompareChain, Concat, Conditional, Text, Print, Sequence, For, If, Set, SetBlock,
                 Macro, CallBlock, FilterBlock, With, Break, Continue>;

struct Node {
  NodeData data;
  int line = 0;
};

struct Ast {
  std::vector<Node> nodes;
  std::vector<std::string> names;
  std::int32_t num_constants = 0;
  NodeId root = kNoNode;

  // The number of a name, or -1 when the template does not mention it.
  NameId FindName(std::string_view name) const {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) return static_cast<NameId>(i);
    }
    return -1;
  }
};

}  // namespace espalier::jinja
