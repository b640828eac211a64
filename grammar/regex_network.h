// RegexNetwork: one regular language as a network of one edge.
//
// Thread safety: thread-compatible.
#pragma once

#include <cstdint>
#include <string_view>

#include "grammar/network.h"
#include "grammar/regex/regex_set.h"

namespace espalier {

class RegexNetwork : public Network {
 public:
  // `set` must outlive this object. A language without strings has no output.
  RegexNetwork(RegexSet& set, RegexId regex) : set_(set), regex_(regex) {
    if (!set.IsNothing(regex)) first_.edges.push_back({.regex = regex, .next = 1});
    last_.can_return = true;
  }

  NodeId start() override { return 0; }
  const Expansion& Expand(NodeId node) override { return node == 0 ? first_ : last_; }
  NodeId Captured(NodeId next, std::string_view /*text*/) override { return next; }
  bool Supposes(NodeId /*node*/) const override { return false; }
  std::uint64_t MinBytes(NodeId node) override { return node == 0 ? set_.MinBytes(regex_) : 0; }

 private:
  RegexSet& set_;
  const RegexId regex_;
  Expansion first_, last_;
};

}  // namespace espalier
