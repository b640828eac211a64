#include "frontend_lang/program/segment.h"

namespace espalier::program {
namespace {

std::size_t Size(const std::vector<std::string>& texts) {
  std::size_t size = 0;
  for (const std::string& text : texts) size += sizeof text + text.size();
  return size;
}

std::size_t Size(const GenOptions& options) {
  std::size_t size = Size(options.stop) + Size(options.stop_regex);
  size += options.stop_token_ids.size() * sizeof(int);
  for (const auto* constraint : {&options.regex, &options.json_schema, &options.ebnf}) {
    if (constraint->has_value()) size += (*constraint)->size();
  }
  return size;
}

struct TextSize {
  std::size_t operator()(const TextSegment& text) const { return text.text.size(); }
  std::size_t operator()(const GenSegment& gen) const {
    return gen.name.size() + Size(gen.options);
  }
  std::size_t operator()(const SelectSegment& select) const {
    return select.name.size() + Size(select.choices);
  }
  std::size_t operator()(const RoleBegin& begin) const { return begin.role.size(); }
  std::size_t operator()(const RoleEnd& end) const { return end.role.size(); }
  std::size_t operator()(const ScopeBegin& scope) const { return scope.name.size(); }
  std::size_t operator()(const ScopeEnd& scope) const { return scope.name.size(); }
  std::size_t operator()(const ForkSegment& fork) const {
    return fork.children.size() * sizeof(fork.children[0]);
  }
};

}  // namespace

std::int64_t SizeBytes(const Segment& segment) {
  return static_cast<std::int64_t>(sizeof segment + std::visit(TextSize{}, segment));
}

}  // namespace espalier::program
