// NetworkReader: reads a text along a network, byte by byte, keeping every way in which its
// beginning can be read, captures included. Too simple to be wrong, and slow.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "grammar/network.h"
#include "grammar/regex/regex_set.h"

namespace espalier::test {

class NetworkReader {
 public:
  NetworkReader(Network& network, RegexSet& set) : network_(network), set_(set) {
    Enter(network_.start(), {});
  }

  const std::string& text() const { return text_; }
  bool is_complete() const { return is_complete_; }  // the text so far is in the language

  // False: no text of the language goes on like this.
  bool Read(std::uint8_t byte) {
    text_ += static_cast<char>(byte);
    const std::set<Item> before = std::move(items_);
    items_.clear();
    is_complete_ = false;
    for (const Item& item : before) {
      const RegexId rest = set_.Derive(item.rest, byte);
      if (rest == RegexSet::kNothing) continue;
      items_.insert({rest, item.frame, item.stack});
      if (set_.nullable(rest)) GoOn(item.frame, item.stack);
    }
    return !items_.empty() || is_complete_;
  }

  bool Accepts(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [this](char c) { return Read(static_cast<std::uint8_t>(c)); }) &&
           is_complete_;
  }

  // The bytes that may follow.
  std::vector<std::uint8_t> NextBytes() {
    ByteSet bytes;
    for (const Item& item : items_) bytes |= set_.FirstBytes(item.rest);
    std::vector<std::uint8_t> list;
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (bytes.contains(static_cast<std::uint8_t>(byte))) list.push_back(std::uint8_t(byte));
    }
    return list;
  }

  // The byte of the shortest way to a complete text. REQUIRES: there is a next byte
  std::uint8_t ShortestByte() {
    std::pair<std::uint64_t, std::uint8_t> best = {~std::uint64_t{0}, 0};
    for (const Item& item : items_) {
      std::uint64_t after = network_.MinBytes(std::get<0>(item.frame));
      for (const Frame& frame : item.stack) after += network_.MinBytes(std::get<0>(frame));
      for (const ByteSet& bytes : set_.ByteClasses(item.rest)) {
        const RegexId rest = set_.Derive(item.rest, bytes.first());
        if (rest == RegexSet::kNothing) continue;
        best = std::min(best, {set_.MinBytes(rest) + after, bytes.first()});
      }
    }
    return best.second;
  }

 private:
  using Frame = std::tuple<NodeId, Capture, std::size_t>;  // next, capture, where it began
  struct Item {
    RegexId rest;
    Frame frame;  // of the edge
    std::vector<Frame> stack;
    friend auto operator<=>(const Item&, const Item&) = default;
  };

  void GoOn(const Frame& frame, const std::vector<Frame>& stack) {
    const auto& [next, capture, start] = frame;
    NodeId node = next;
    if (capture == Capture::kYes) {
      node = network_.Captured(next, std::string_view(text_).substr(start));
    }
    if (node != kNoNode) Enter(node, stack);
  }

  void Enter(NodeId node, std::vector<Frame> stack) {
    const Expansion& expansion = network_.Expand(node);
    for (const Edge& edge : expansion.edges) {
      items_.insert({edge.regex, {edge.next, edge.capture, text_.size()}, stack});
    }
    for (const Call& call : expansion.calls) {
      std::vector<Frame> deeper = stack;
      deeper.emplace_back(call.next, call.capture, text_.size());
      Enter(call.callee, std::move(deeper));
    }
    if (!expansion.can_return) return;
    if (stack.empty()) {
      is_complete_ = true;
      return;
    }
    const Frame frame = stack.back();
    stack.pop_back();
    GoOn(frame, stack);
  }

  Network& network_;
  RegexSet& set_;
  std::string text_;
  std::set<Item> items_;
  bool is_complete_ = false;
};

}  // namespace espalier::test
