#include "frontend_lang/script/regex/match.h"

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/regex/replacement.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/repr.h"

namespace espalier::script::regex {
namespace {

Fault NoSuchGroup() { return lang::Raise("IndexError", "no such group"); }

Match& MatchOf(const Value& self) { return *static_cast<Match*>(self.object()); }

Outcome<int> GroupOf(const Match& match, const Value& group) {
  const int found = match.pattern().FindGroup(group);
  if (found < 0) return NoSuchGroup();
  return found;
}

Outcome<Value> GroupMethod(Host& host, const Value& self, const Args& args) {
  if (!args.keywords.empty()) return lang::TypeError("group() takes no keyword arguments");
  const Match& match = MatchOf(self);
  if (args.positional.empty()) return match.Group(0, Value());
  std::vector<Value> groups;
  for (const Value& arg : args.positional) {
    ESP_TRY_ASSIGN(const int group, GroupOf(match, arg));
    groups.push_back(match.Group(group, Value()));
  }
  if (groups.size() == 1) return groups[0];
  return host.heap().New<lang::Tuple>(std::move(groups));
}

Outcome<Value> Groups(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("groups", args, {"default"}, 0));
  const Value absent = bound[0].is_unset() ? Value() : bound[0];
  std::vector<Value> groups;
  for (int i = 1; i <= MatchOf(self).pattern().num_groups(); ++i) {
    groups.push_back(MatchOf(self).Group(i, absent));
  }
  return host.heap().New<lang::Tuple>(std::move(groups));
}

Outcome<Value> GroupDict(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound, BindArguments("groupdict", args, {"default"}, 0));
  const Value absent = bound[0].is_unset() ? Value() : bound[0];
  const Value made = host.heap().New<lang::Dict>();
  for (const auto& [name, group] : MatchOf(self).pattern().names()) {
    made.As<lang::Dict>()->PutStr(name, MatchOf(self).Group(group, absent));
  }
  return made;
}

enum class Edge : unsigned char { kBegin, kEnd, kBoth };

template <Edge edge>
Outcome<Value> Place(Host& host, const Value& self, const Args& args) {
  constexpr std::string_view kNames[] = {"start", "end", "span"};
  ESP_TRY(CheckPositional(kNames[static_cast<int>(edge)], args, 0, 1));
  int group = 0;
  if (!args.positional.empty()) {
    ESP_TRY_ASSIGN(group, GroupOf(MatchOf(self), args.positional[0]));
  }
  const Value begin = Value::Int(MatchOf(self).Begin(group));
  const Value end = Value::Int(MatchOf(self).End(group));
  if (edge == Edge::kBegin) return begin;
  if (edge == Edge::kEnd) return end;
  return host.heap().New<lang::Tuple>(std::vector<Value>{begin, end});
}

Outcome<Value> Expand(Host& host, const Value& self, const Args& args) {
  ESP_TRY_ASSIGN(auto bound, BindArguments("expand", args, {"template"}, 1));
  bound[0] = Value(lang::PlainOf(bound[0]));
  if (!bound[0].is_str()) {
    return lang::TypeError("expected string or bytes-like object, got '" +
                           std::string(lang::TypeName(bound[0])) + "'");
  }
  ESP_TRY_ASSIGN(const Replacement replacement,
                 Replacement::Parse(host, bound[0], MatchOf(self).pattern()));
  std::string text;
  ESP_TRY(replacement.AppendTo(host, text, MatchOf(self).subject(), MatchOf(self).spans()));
  return lang::MakeValidStr(host.heap(), std::move(text));
}

constexpr std::pair<std::string_view, lang::NativeCode> kMethods[] = {
    {"group", GroupMethod},     {"groups", Groups},
    {"groupdict", GroupDict},   {"start", Place<Edge::kBegin>},
    {"end", Place<Edge::kEnd>}, {"span", Place<Edge::kBoth>},
    {"expand", Expand},
};

}  // namespace

Match::Match(Heap& heap, Value pattern, Value subject, Spans spans, Part searched)
    : Extension(heap, lang::Type::kExtension),
      pattern_(std::move(pattern)),
      subject_(std::move(subject)),
      spans_(std::move(spans)),
      searched_(searched) {
  Charge(static_cast<std::int64_t>(sizeof(Match) + spans_.capacity() * sizeof(ByteSpan)));
}

Value Match::Group(int group, const Value& absent) const {
  const ByteSpan span = spans_[static_cast<std::size_t>(group)];
  if (!span.matched()) return absent;
  const std::string_view text = subject().bytes();
  return lang::MakeValidStr(
      heap(), std::string(text.substr(static_cast<std::size_t>(span.begin),
                                      static_cast<std::size_t>(span.end - span.begin))));
}

std::int64_t Match::Begin(int group) const {
  const ByteSpan span = spans_[static_cast<std::size_t>(group)];
  return span.matched() ? subject().IndexOf(static_cast<std::size_t>(span.begin)) : -1;
}

std::int64_t Match::End(int group) const {
  const ByteSpan span = spans_[static_cast<std::size_t>(group)];
  return span.matched() ? subject().IndexOf(static_cast<std::size_t>(span.end)) : -1;
}

int Match::LastGroup() const {
  const std::vector<int>& order = pattern().close_order();
  for (auto group = order.rbegin(); group != order.rend(); ++group) {
    if (spans_[static_cast<std::size_t>(*group)].matched()) return *group;
  }
  return 0;
}

Outcome<std::string> Match::Repr(Host&) {
  const Value text = Group(0, Value());
  const Value quoted = lang::MakeStr(heap(), lang::ReprStr(lang::TextOf(text)));
  constexpr std::int64_t kShown = 50;
  const auto& str = *quoted.As<lang::Str>();
  return fmt::format("<re.Match object; span=({}, {}), match={}>", Begin(0), End(0),
                     str.Slice(0, std::min(kShown, str.length())));
}

Outcome<Value> Match::GetItem(Host&, const Value& key) {
  ESP_TRY_ASSIGN(const int group, GroupOf(*this, key));
  return Group(group, Value());
}

Outcome<Value> Match::GetAttr(Host& host, std::string_view name) {
  for (const auto& [method, code] : kMethods) {
    if (method == name) return host.heap().New<lang::NativeFunction>(method, code, Value(this));
  }
  if (name == "string") return subject_;
  if (name == "re") return pattern_;
  if (name == "pos") return Value::Int(subject().IndexOf(searched_.begin));
  if (name == "endpos") return Value::Int(subject().IndexOf(searched_.end));
  const int last = LastGroup();
  if (name == "lastindex") return last == 0 ? Value() : Value::Int(last);
  if (name == "lastgroup") {
    for (const auto& [group, number] : pattern().names()) {
      if (number == last) return lang::MakeStr(host.heap(), group);
    }
    return Value();
  }
  return Value::Unset();
}

}  // namespace espalier::script::regex
