// GET /v1/cache/tree: what the prefix cache holds, as data.
//
// ?nodes=N&depth=N&tokens=N bound it. Salts are told by labels. Tokens and texts of prompts are
// told only where the server was started with --show-cache, and never of a name space that has
// a salt: who knows the key of the API may not know that.
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "radix/prefix_cache.h"
#include "radix/tree_dump.h"
#include "runtime/server/endpoints/endpoints.h"

namespace espalier::endpoints {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostNodes = 10'000;
constexpr int kMostTokens = 4096;
constexpr int kMostDepth = 1'000'000;

struct Bound {
  std::string_view name;
  int TreeDumpLimits::*member;
  int most;
};
constexpr Bound kBounds[] = {{"nodes", &TreeDumpLimits::max_nodes, kMostNodes},
                             {"depth", &TreeDumpLimits::max_depth, kMostDepth},
                             {"tokens", &TreeDumpLimits::max_tokens, kMostTokens}};

Status SetBound(std::string_view name, std::string_view value, TreeDumpLimits& limits) {
  for (const Bound& bound : kBounds) {
    if (bound.name != name) continue;
    int number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool whole = error == std::errc() && end == value.data() + value.size();
    if (whole && number >= 0 && number <= bound.most) {
      limits.*bound.member = number;
      return Status();
    }
    return {Code::kInvalidArgument,
            fmt::format("{} must be a whole number from 0 to {}", name, bound.most)};
  }
  return Status();  // unknown ones are passed over
}

Result<TreeDumpLimits> ReadLimits(std::string_view query) {
  TreeDumpLimits limits;
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), part.size() + 1));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    ESP_RETURN_IF_ERROR(SetBound(part.substr(0, equals), part.substr(equals + 1), limits));
  }
  return limits;
}

Json NodeJson(const DumpedNode& node) {
  return {{"parent", node.parent < 0 ? Json() : Json(node.parent)},
          {"name_space", node.name_space},
          {"begin", node.begin},
          {"num_tokens", node.num_tokens},
          {"pages", node.num_pages},
          {"hits", node.num_uses > 0 ? node.num_uses - 1 : 0},
          {"pins", node.num_leases},
          {"idle_s", static_cast<double>(node.idle_us) / 1e6},
          {"leaf", node.is_leaf}};
}

Json NodesJson(const Service& service, const TreeDump& dump) {
  const bool shows_cache = service.options().show_cache;
  const Tokenizer& tokenizer = service.served().tokenizer();
  Json nodes = Json::array();
  for (const DumpedNode& node : dump.nodes) {
    Json json = NodeJson(node);
    const DumpedNameSpace& space = dump.name_spaces[static_cast<std::size_t>(node.name_space)];
    if (shows_cache && space.extra_key.empty()) {
      json["tokens"] = node.tokens;
      json["text"] = tokenizer.Decode(node.tokens, SpecialTokens::kParse);
    }
    nodes.push_back(std::move(json));
  }
  return nodes;
}

Json TreeJson(const Service& service, const TreeDump& dump) {
  Json spaces = Json::array();
  for (const DumpedNameSpace& space : dump.name_spaces) {
    spaces.push_back({{"salt", service.salt_labels().Of(space.extra_key)},
                      {"cached_pages", space.num_cached},
                      {"evictable_pages", space.num_evictable}});
  }
  return {{"object", "cache.tree"},
          {"page_size", dump.page_size},
          {"pages",
           {{"total", dump.num_pages},
            {"free", dump.num_free},
            {"private", dump.num_private},
            {"cached", dump.num_cached},
            {"evictable", dump.num_evictable}}},
          {"num_name_spaces", dump.num_name_spaces},
          {"name_spaces", std::move(spaces)},
          {"whole", dump.is_whole},
          {"nodes", NodesJson(service, dump)}};
}

}  // namespace

void CacheTree(Service& service, const Exchange& exchange, std::string_view /*id*/) {
  const Result<TreeDumpLimits> limits = ReadLimits(exchange->question().query);
  if (!limits.ok()) return Refuse(*exchange, limits.status());
  const auto look = [&service, exchange, limits = *limits](const PrefixCache& cache) {
    service.Post([&service, exchange, dump = cache.Dump(limits)] {
      AnswerJson(*exchange, TreeJson(service, dump));
    });
  };
  if (Status status = service.model().engine().Inspect(look); !status.ok()) {
    Refuse(*exchange, status);
  }
}

}  // namespace espalier::endpoints
