#include "runtime/cli/tree_text.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace espalier {
namespace {

using Json = nlohmann::ordered_json;

struct Node {
  std::int64_t parent = -1, name_space = 0;
  std::int64_t begin = 0, num_tokens = 0, pages = 0, hits = 0, pins = 0;
  double idle_s = 0;
  std::string text;             // "" if it is not told
  bool has_more = false;        // tokens than those of the text
  std::int64_t depth = 0;       // nodes above it
  std::int64_t shared_end = 0;  // how many tokens deep it is shared, or any below it
  std::vector<std::size_t> children;
};

struct Field {
  const char* name;
  std::int64_t Node::*member;
};
constexpr Field kFields[] = {
    {"name_space", &Node::name_space}, {"begin", &Node::begin}, {"num_tokens", &Node::num_tokens},
    {"pages", &Node::pages},           {"hits", &Node::hits},   {"pins", &Node::pins}};

Status Wrong(std::string_view place, std::string_view what) {
  return {Code::kInvalidArgument, fmt::format("this is no tree of a cache: {} {}", place, what)};
}

// A count below 2^31.
Result<std::int64_t> Count(const Json& object, std::string_view place, const char* name) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  const auto it = object.find(name);
  const bool is_whole = it != object.end() && it->is_number_integer();
  const std::int64_t number = is_whole ? it->get<std::int64_t>() : -1;
  if (number >= 0 && number < kMost) return number;
  return Wrong(place, fmt::format("must have a count \"{}\"", name));
}

std::string TextOf(const Json& json, const Tokenizer* tokenizer) {
  const auto text = json.find("text");
  if (text != json.end() && text->is_string()) return text->get<std::string>();
  const auto tokens = json.find("tokens");
  if (tokenizer == nullptr || tokens == json.end() || !tokens->is_array()) return "";
  std::vector<TokenId> ids;
  for (const Json& token : *tokens) {
    const bool is_id =
        token.is_number_integer() && token.get<std::int64_t>() >= 0 &&
        token.get<std::int64_t>() < static_cast<std::int64_t>(tokenizer->vocab_size());
    if (!is_id) return "";
    ids.push_back(token.get<TokenId>());
  }
  return tokenizer->Decode(ids, SpecialTokens::kParse);
}

Result<Node> ReadNode(const Json& json, std::size_t index, const Tokenizer* tokenizer) {
  const std::string place = fmt::format("nodes[{}]", index);
  if (!json.is_object()) return Wrong(place, "must be an object");
  Node node;
  for (const Field& field : kFields) {
    ESP_ASSIGN_OR_RETURN(node.*field.member, Count(json, place, field.name));
  }
  const auto parent = json.find("parent");
  if (parent != json.end() && !parent->is_null()) {
    ESP_ASSIGN_OR_RETURN(node.parent, Count(json, place, "parent"));
    if (node.parent >= static_cast<std::int64_t>(index)) {
      return Wrong(place, "must stand behind its parent");
    }
  }
  const auto idle = json.find("idle_s");
  if (idle != json.end() && idle->is_number()) node.idle_s = idle->get<double>();
  node.text = TextOf(json, tokenizer);
  const auto tokens = json.find("tokens");
  node.has_more = tokens != json.end() && std::cmp_less(tokens->size(), node.num_tokens);
  return node;
}

// Their parents stand before them, so one pass each way does.
void Link(std::vector<Node>& nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].parent < 0) continue;
    Node& parent = nodes[static_cast<std::size_t>(nodes[i].parent)];
    nodes[i].depth = parent.depth + 1;
    nodes[i].name_space = parent.name_space;
    parent.children.push_back(i);
  }
  for (std::size_t i = nodes.size(); i-- > 0;) {
    Node& node = nodes[i];
    if (node.hits > 0) node.shared_end = std::max(node.shared_end, node.begin + node.num_tokens);
    if (node.parent < 0) continue;
    Node& parent = nodes[static_cast<std::size_t>(node.parent)];
    parent.shared_end = std::max(parent.shared_end, node.shared_end);
  }
}

// The text as a JSON string, cut to about a line.
std::string Shown(const Node& node) {
  constexpr std::size_t kMostBytes = 72;
  if (node.text.empty()) return "";
  const Json cut = node.text.substr(0, kMostBytes);
  const bool is_cut = node.has_more || node.text.size() > kMostBytes;
  return cut.dump(-1, ' ', false, Json::error_handler_t::replace) + (is_cut ? "..." : "");
}

std::string Line(const Node& node) {
  constexpr std::int64_t kMostIndent = 40;  // a chain may be as long as the cache
  const std::string idle = node.pins > 0 ? "-" : fmt::format("{:.1f}s", node.idle_s);
  std::string line = fmt::format("{:>8} {:>8} {:>6} {:>7} {:>9} {:>5}  {:{}}{}", node.num_tokens,
                                 node.begin + node.num_tokens, node.pages, node.hits, idle,
                                 node.pins, "", 2 * std::min(node.depth, kMostIndent), Shown(node));
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

// Those below `todo`, which are siblings, and them.
std::string Lines(const std::vector<Node>& nodes, std::vector<std::size_t> todo) {
  const auto goes_last = [&nodes](std::size_t a, std::size_t b) {  // the last is taken first
    const auto key = [&nodes](std::size_t i) {
      return std::tuple(nodes[i].shared_end, nodes[i].hits, nodes[i].num_tokens);
    };
    return key(a) != key(b) ? key(a) < key(b) : a > b;
  };
  std::string text;
  std::sort(todo.begin(), todo.end(), goes_last);
  while (!todo.empty()) {
    const Node& node = nodes[todo.back()];
    todo.pop_back();
    text += Line(node);
    const auto num_before = static_cast<std::ptrdiff_t>(todo.size());
    todo.insert(todo.end(), node.children.begin(), node.children.end());
    std::sort(todo.begin() + num_before, todo.end(), goes_last);
  }
  return text;
}

Result<std::vector<Node>> ReadNodes(const Json& tree, const Tokenizer* tokenizer) {
  const auto json = tree.find("nodes");
  if (json == tree.end() || !json->is_array()) return Wrong("it", "must have a list \"nodes\"");
  std::vector<Node> nodes;
  for (const Json& node : *json) {
    ESP_ASSIGN_OR_RETURN(Node read, ReadNode(node, nodes.size(), tokenizer));
    nodes.push_back(std::move(read));
  }
  Link(nodes);
  return nodes;
}

Result<std::string> PoolLine(const Json& tree) {
  const auto pages = tree.find("pages");
  if (pages == tree.end() || !pages->is_object()) return Wrong("it", "must have \"pages\"");
  std::int64_t counts[5];
  constexpr const char* kNames[] = {"total", "cached", "evictable", "private", "free"};
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    ESP_ASSIGN_OR_RETURN(counts[i], Count(*pages, "pages", kNames[i]));
  }
  ESP_ASSIGN_OR_RETURN(const std::int64_t page_size, Count(tree, "it", "page_size"));
  return fmt::format("{} pages of {} tokens: {} cached ({} can go), {} private, {} free\n",
                     counts[0], page_size, counts[1], counts[2], counts[3], counts[4]);
}

// Of a name space; its nodes stand below.
Result<std::string> SpaceLine(const Json& space, std::size_t index) {
  const std::string place = fmt::format("name_spaces[{}]", index);
  if (!space.is_object()) return Wrong(place, "must be an object");
  ESP_ASSIGN_OR_RETURN(const std::int64_t cached, Count(space, place, "cached_pages"));
  ESP_ASSIGN_OR_RETURN(const std::int64_t evictable, Count(space, place, "evictable_pages"));
  const auto salt = space.find("salt");
  const std::string label =
      salt != space.end() && salt->is_string() ? salt->get<std::string>() : "";
  return fmt::format("\n{}: {} pages ({} can go)\n", label.empty() ? "no salt" : "salt " + label,
                     cached, evictable);
}

}  // namespace

Result<std::string> TreeText(const Json& tree, const Tokenizer* tokenizer) {
  if (!tree.is_object()) return Wrong("it", "must be an object");
  ESP_ASSIGN_OR_RETURN(std::string text, PoolLine(tree));
  ESP_ASSIGN_OR_RETURN(const std::vector<Node> nodes, ReadNodes(tree, tokenizer));
  const auto spaces = tree.find("name_spaces");
  if (spaces == tree.end() || !spaces->is_array()) return Wrong("it", "must have \"name_spaces\"");
  std::vector<std::vector<std::size_t>> tops(spaces->size());  // of each name space
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto space = static_cast<std::size_t>(nodes[i].name_space);
    if (space >= tops.size()) return Wrong(fmt::format("nodes[{}]", i), "is in no name space");
    if (nodes[i].parent < 0) tops[space].push_back(i);
  }
  for (std::size_t i = 0; i < tops.size(); ++i) {
    ESP_ASSIGN_OR_RETURN(const std::string line, SpaceLine((*spaces)[i], i));
    text += line + fmt::format("{:>8} {:>8} {:>6} {:>7} {:>9} {:>5}\n", "tokens", "up to", "pages",
                               "hits", "idle", "pins");
    text += Lines(nodes, std::move(tops[i]));
  }
  if (tree.value("whole", Json()) == false) text += "\n(what was used less is not shown)\n";
  return text;
}

}  // namespace espalier
