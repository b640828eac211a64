#include "grammar/regex/assertion_graph.h"

#include <algorithm>
#include <utility>

#include "grammar/regex/assertion_solver.h"

namespace espalier {
namespace {

constexpr std::size_t kMaxNodes = 20'000;
constexpr std::size_t kMaxBehinds = 64;

class GraphMaker {
 public:
  GraphMaker(const AssertionSource& source, const PatternPart& part)
      : source_(source), tree_(source.tree), part_(part) {}

  Result<AssertionProgram> Make() {
    BeginGraph();
    std::uint32_t at = AddPiece(0, part_.before);
    at = Build(part_.root, at);
    AddPiece(at, part_.after);
    if (!status_.ok()) return status_;
    for (std::size_t i = program_.graphs.size(); i-- > 0;) MarkAsked(program_.graphs[i]);
    return std::move(program_);
  }

 private:
  AssertionGraph& graph() { return program_.graphs[graph_]; }

  void BeginGraph() {
    graph_ = static_cast<std::uint32_t>(program_.graphs.size());
    program_.graphs.emplace_back();
    loop_ = 0;
    AddNode();
  }

  std::uint32_t AddNode() {
    if (++num_nodes_ > kMaxNodes && status_.ok()) {
      status_ = Status(Code::kLimit, "pattern: a repeat with assertions in it is too long");
    }
    graph().nodes.push_back(GraphNode{.loop = loop_});
    return static_cast<std::uint32_t>(graph().nodes.size() - 1);
  }

  void AddEdge(std::uint32_t from, GraphEdge edge) { graph().nodes[from].edges.push_back(edge); }

  void AddJump(std::uint32_t from, std::uint32_t to) {
    AddEdge(from, {.kind = GraphEdgeKind::kPiece, .to = to});
  }

  std::uint32_t AddPiece(std::uint32_t from, RegexId piece) {
    if (piece == RegexSet::kEmpty) return from;
    const std::uint32_t to = AddNode();
    AddEdge(from, {.kind = GraphEdgeKind::kPiece, .piece = piece, .to = to});
    return to;
  }

  // Adds the node's ways from `from` and returns where they all end.
  std::uint32_t Build(PatternNodeId id, std::uint32_t from) {
    if (!status_.ok()) return from;
    const PatternNode& node = tree_.node(id);
    if (!node.asserts) return AddPiece(from, source_.pieces[id]);
    switch (node.kind) {
      case PatternKind::kConcat: return BuildConcat(id, from);
      case PatternKind::kOr: return BuildOr(id, from);
      case PatternKind::kRepeat: return BuildRepeat(id, from);
      case PatternKind::kAhead: return BuildAhead(id, from);
      default: return BuildBehind(id, from);
    }
  }

  std::uint32_t BuildConcat(PatternNodeId id, std::uint32_t from) {
    std::vector<RegexId> run;  // children since the last one with an assertion
    const auto flush = [&] {
      from = AddPiece(from, source_.text.set().Concat(run));
      run.clear();
    };
    for (const PatternNodeId child : tree_.children(id)) {
      if (tree_.node(child).asserts) {
        flush();
        from = Build(child, from);
      } else {
        run.push_back(source_.pieces[child]);
      }
    }
    flush();
    return from;
  }

  std::uint32_t BuildOr(PatternNodeId id, std::uint32_t from) {
    std::vector<RegexId> plain;
    std::vector<std::uint32_t> ends;
    for (const PatternNodeId child : tree_.children(id)) {
      if (tree_.node(child).asserts) {
        ends.push_back(Build(child, from));
      } else {
        plain.push_back(source_.pieces[child]);
      }
    }
    const std::uint32_t to = AddNode();
    for (const std::uint32_t end : ends) AddJump(end, to);
    if (!plain.empty()) {
      const RegexId piece = source_.text.set().Or(plain);
      AddEdge(from, {.kind = GraphEdgeKind::kPiece, .piece = piece, .to = to});
    }
    return to;
  }

  std::uint32_t BuildRepeat(PatternNodeId id, std::uint32_t from) {
    const PatternNode& node = tree_.node(id);
    const PatternNodeId body = tree_.children(id)[0];
    for (std::uint32_t i = 0; i < node.min && status_.ok(); ++i) from = Build(body, from);
    if (node.max == RegexSet::kUnbounded) return BuildLoop(body, from);
    std::vector<std::uint32_t> ends = {from};
    for (std::uint32_t i = node.min; i < node.max && status_.ok(); ++i) {
      from = Build(body, from);
      ends.push_back(from);
    }
    const std::uint32_t to = AddNode();
    for (const std::uint32_t end : ends) AddJump(end, to);
    return to;
  }

  std::uint32_t BuildLoop(PatternNodeId body, std::uint32_t from) {
    const std::uint32_t outer = loop_;
    if (loop_ == 0) loop_ = ++num_loops_;
    const std::uint32_t head = AddNode();
    AddJump(from, head);
    AddJump(Build(body, head), head);
    loop_ = outer;
    const std::uint32_t to = AddNode();
    AddJump(head, to);
    return to;
  }

  std::uint32_t BuildAhead(PatternNodeId id, std::uint32_t from) {
    if (part_.kind == PartKind::kBehind) {
      status_ = Status(Code::kUnsupported,
                       "pattern: a lookahead, $ or \\b within a lookbehind is not supported");
      return from;
    }
    const std::uint32_t outer_graph = graph_, outer_loop = loop_;
    BeginGraph();
    const std::uint32_t index = graph_;
    Build(tree_.children(id)[0], 0);
    graph_ = outer_graph;
    loop_ = outer_loop;
    const std::uint32_t to = AddNode();
    AddEdge(
        from,
        {.kind = GraphEdgeKind::kAhead, .expect = tree_.node(id).expect, .index = index, .to = to});
    return to;
  }

  std::uint32_t BuildBehind(PatternNodeId id, std::uint32_t from) {
    const std::uint32_t index = BehindIndex(tree_.children(id)[0]);
    const std::uint32_t to = AddNode();
    AddEdge(from, {.kind = GraphEdgeKind::kBehind,
                   .expect = tree_.node(id).expect,
                   .index = index,
                   .to = to});
    return to;
  }

  std::uint32_t BehindIndex(PatternNodeId body) {
    const Result<RegexId> texts = LowerPart(source_, {.kind = PartKind::kBehind,
                                                      .root = body,
                                                      .before = source_.text.AnyText(),
                                                      .after = RegexSet::kEmpty});
    std::vector<RegexId>& behinds = program_.behinds;
    if (!texts.ok()) {
      status_ = texts.status();
      return 0;
    }
    const auto known = std::find(behinds.begin(), behinds.end(), *texts);
    if (known != behinds.end()) return static_cast<std::uint32_t>(known - behinds.begin());
    if (behinds.size() == kMaxBehinds) {
      status_ = Status(Code::kLimit, "pattern: it has more than " + std::to_string(kMaxBehinds) +
                                         " different lookbehinds");
      return 0;
    }
    behinds.push_back(*texts);
    return static_cast<std::uint32_t>(behinds.size() - 1);
  }

  // REQUIRES: the lookaheads within the graph are marked.
  void MarkAsked(AssertionGraph& graph) const {
    for (std::size_t end = graph.nodes.size(); end > 0;) {
      std::size_t begin = end - 1;
      const std::uint32_t loop = graph.nodes[begin].loop;
      while (loop != 0 && begin > 0 && graph.nodes[begin - 1].loop == loop) --begin;
      // Within a loop each node may lead to all others.
      std::uint64_t asked = 0;
      for (std::size_t i = begin; i < end; ++i) asked |= AskedBy(graph, graph.nodes[i]);
      for (std::size_t i = begin; i < end; ++i) graph.nodes[i].asked = asked;
      end = begin;
    }
  }

  std::uint64_t AskedBy(const AssertionGraph& graph, const GraphNode& node) const {
    std::uint64_t asked = 0;
    for (const GraphEdge& edge : node.edges) {
      asked |= graph.nodes[edge.to].asked;
      if (edge.kind == GraphEdgeKind::kBehind) asked |= std::uint64_t{1} << edge.index;
      if (edge.kind == GraphEdgeKind::kAhead) {
        asked |= program_.graphs[edge.index].nodes.front().asked;
      }
    }
    return asked;
  }

  const AssertionSource& source_;
  const PatternTree& tree_;
  const PatternPart part_;
  AssertionProgram program_;
  Status status_;
  std::uint32_t graph_ = 0, loop_ = 0, num_loops_ = 0;  // being built
  std::size_t num_nodes_ = 0;
};

}  // namespace

Result<AssertionProgram> MakeAssertionProgram(const AssertionSource& source,
                                              const PatternPart& part) {
  return GraphMaker(source, part).Make();
}

}  // namespace espalier
