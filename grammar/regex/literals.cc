// The trie of a set of texts, as terms.
#include <algorithm>

#include "grammar/regex/regex_set.h"

namespace espalier {

namespace {

std::size_t SharedPrefix(std::string_view x, std::string_view y) {
  const std::size_t size = std::min(x.size(), y.size());
  std::size_t shared = 0;
  while (shared < size && x[shared] == y[shared]) ++shared;
  return shared;
}

// The open nodes are those of one text, from the root; a node is closed when its last text
// has been seen, and becomes a branch of its parent.
class LiteralTrie {
 public:
  explicit LiteralTrie(RegexSet& set) : set_(set), branches_(1) {}

  void Add(std::string_view text) {
    Close(SharedPrefix(text, open_));
    open_ = text;
    if (branches_.size() < text.size() + 1) branches_.resize(text.size() + 1);
    branches_[text.size()].push_back(RegexSet::kEmpty);
  }

  RegexId Finish() {
    Close(0);
    return set_.Or(branches_[0]);
  }

 private:
  void Close(std::size_t depth) {
    for (std::size_t i = open_.size(); i > depth; --i) {
      const auto byte = ByteSet::Of(static_cast<std::uint8_t>(open_[i - 1]));
      const RegexId below = branches_[i].size() == 1 ? branches_[i][0] : set_.Or(branches_[i]);
      branches_[i].clear();
      branches_[i - 1].push_back(set_.Concat(set_.Bytes(byte), below));
    }
  }

  RegexSet& set_;
  std::string_view open_;
  std::vector<std::vector<RegexId>> branches_;  // [depth] of the node that is open there
};

}  // namespace

RegexId RegexSet::Literals(std::vector<std::string> texts) {
  std::ranges::sort(texts);
  LiteralTrie trie(*this);
  for (const std::string& text : texts) trie.Add(text);
  return trie.Finish();
}

}  // namespace espalier
