// str methods that look for text.
#include <algorithm>
#include <string>
#include <vector>

#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/integer/integer.h"
#include "frontend_lang/script/values/text/str.h"
#include "frontend_lang/script/values/text/str_methods.h"
#include "frontend_lang/script/values/text/text_search.h"
#include "kernels/base/utf8.h"

namespace espalier::lang::str_methods {
namespace {

// The part of self that [start, stop) means, clipped as a slice is.
struct Window {
  std::string_view text;
  std::int64_t start = 0;  // code point where it begins
  std::size_t offset = 0;  // byte where it begins
  bool inside = true;      // false: start lies behind the end; nothing is found, not even ""
};

Outcome<std::int64_t> Bound(const Value& value, std::int64_t absent, std::int64_t length) {
  if (value.is_unset() || value.is_none()) return absent;
  if (!value.is_integer()) {
    return TypeError("slice indices must be integers or None or have an __index__ method");
  }
  const std::int64_t index = NearestIndex(value);
  return index < 0 ? std::max<std::int64_t>(0, index + length) : index;
}

Outcome<Window> WindowOf(const Value& self, const Value& start_value, const Value& stop_value) {
  const Str& str = *self.As<Str>();
  ESP_TRY_ASSIGN(const std::int64_t start, Bound(start_value, 0, str.length()));
  ESP_TRY_ASSIGN(std::int64_t stop, Bound(stop_value, str.length(), str.length()));
  stop = std::min(stop, str.length());
  Window window;
  if (start > stop) {
    window.inside = false;
    return window;
  }
  window.start = start;
  window.offset = str.OffsetOf(start);
  window.text = str.Slice(start, stop);
  return window;
}

Fault CheckStr(std::string_view /*method*/, const Value& value) {
  if (value.is_str()) return Fault();
  return TypeError("must be str, not " + std::string(TypeName(value)));
}

enum class From { kStart, kEnd };

// Code point index of the first or last occurrence, or -1.
Outcome<std::int64_t> Locate(Host& host, const Value& self, Arguments args, From from) {
  ESP_TRY(CheckStr("find", args[0]));
  ESP_TRY_ASSIGN(const Window window, WindowOf(self, args[1], args[2]));
  if (!window.inside) return std::int64_t{-1};
  ESP_TRY(host.Step(static_cast<std::int64_t>(window.text.size()) / 1024));
  const std::string_view needle = TextOf(args[0]);
  const std::size_t at =
      from == From::kStart ? FindText(window.text, needle) : FindLastText(window.text, needle);
  if (at == kNotFound) return std::int64_t{-1};
  return self.As<Str>()->IndexOf(window.offset + at);
}

Outcome<Value> LocateOrRaise(Host& host, const Value& self, Arguments args, From from) {
  ESP_TRY_ASSIGN(const std::int64_t index, Locate(host, self, args, from));
  if (index < 0) return ValueError("substring not found");
  return Value::Int(index);
}

// The offsets of the non-overlapping needles, at most `limit`. An empty needle is
// before each code point and at the end.
Outcome<std::vector<std::size_t>> FindAll(Host& host, std::string_view text,
                                          std::string_view needle, std::int64_t limit) {
  std::vector<std::size_t> offsets;
  ESP_TRY(host.Step(static_cast<std::int64_t>(text.size()) / 1024));
  for (std::size_t at = 0; static_cast<std::int64_t>(offsets.size()) < limit;) {
    at = FindText(text, needle, at);
    if (at == kNotFound) break;
    offsets.push_back(at);
    if (offsets.size() % 64 == 0)
      ESP_TRY(host.Reserve(static_cast<std::int64_t>(offsets.capacity()) * 8));
    if (needle.empty() && at == text.size()) break;
    at += needle.empty() ? 1 : needle.size();
    while (needle.empty() && at < text.size() && IsContinuation(text[at])) ++at;
  }
  return offsets;
}

enum class Edge { kStart, kEnd };

bool HasEdge(std::string_view text, std::string_view affix, Edge edge) {
  return edge == Edge::kStart ? text.starts_with(affix) : text.ends_with(affix);
}

Outcome<Value> HasAffix(Host& host, const Value& self, Arguments args, Edge edge) {
  const std::string name = edge == Edge::kStart ? "startswith" : "endswith";
  ESP_TRY_ASSIGN(const Window window, WindowOf(self, args[1], args[2]));
  if (args[0].is_str()) {
    ESP_TRY(host.StepOver(TextOf(args[0]).size()));
    return Value::Bool(window.inside && HasEdge(window.text, TextOf(args[0]), edge));
  }
  const Tuple* tuple = args[0].If<Tuple>();
  if (tuple == nullptr) {
    return TypeError(name + " first arg must be str or a tuple of str, not " +
                     std::string(TypeName(args[0])));
  }
  for (const Value& affix : tuple->items()) {
    ESP_TRY(host.Step());
    if (!affix.is_str()) {
      return TypeError("tuple for " + name + " must only contain str, not " +
                       std::string(TypeName(affix)));
    }
    if (window.inside && HasEdge(window.text, TextOf(affix), edge)) return Value::Bool(true);
  }
  return Value::Bool(false);
}

Outcome<Value> MakeParts(Host& host, std::string_view a, std::string_view b, std::string_view c) {
  Heap& heap = host.heap();
  return heap.New<Tuple>(std::vector<Value>{MakeValidStr(heap, std::string(a)),
                                            MakeValidStr(heap, std::string(b)),
                                            MakeValidStr(heap, std::string(c))});
}

Fault CheckSeparator(const Value& separator) {
  ESP_TRY(CheckStr("partition", separator));
  return TextOf(separator).empty() ? ValueError("empty separator") : Fault();
}

}  // namespace

Outcome<Value> Find(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const std::int64_t index, Locate(host, self, args, From::kStart));
  return Value::Int(index);
}
Outcome<Value> RFind(Host& host, const Value& self, Arguments args) {
  ESP_TRY_ASSIGN(const std::int64_t index, Locate(host, self, args, From::kEnd));
  return Value::Int(index);
}
Outcome<Value> Index(Host& host, const Value& self, Arguments args) {
  return LocateOrRaise(host, self, args, From::kStart);
}
Outcome<Value> RIndex(Host& host, const Value& self, Arguments args) {
  return LocateOrRaise(host, self, args, From::kEnd);
}

Outcome<Value> Count(Host& host, const Value& self, Arguments args) {
  ESP_TRY(CheckStr("count", args[0]));
  ESP_TRY_ASSIGN(const Window window, WindowOf(self, args[1], args[2]));
  if (!window.inside) return Value::Int(0);
  ESP_TRY(host.StepOver(window.text.size()));
  const std::string_view needle = TextOf(args[0]);
  if (needle.empty()) return Value::Int(NumCodePoints(window.text) + 1);
  std::int64_t count = 0;
  for (std::size_t at = 0; (at = FindText(window.text, needle, at)) != kNotFound;
       at += needle.size()) {
    ESP_TRY(host.Step());
    ++count;
  }
  return Value::Int(count);
}

Outcome<Value> StartsWith(Host& host, const Value& self, Arguments args) {
  return HasAffix(host, self, args, Edge::kStart);
}
Outcome<Value> EndsWith(Host& host, const Value& self, Arguments args) {
  return HasAffix(host, self, args, Edge::kEnd);
}

Outcome<Value> RemovePrefix(Host& host, const Value& self, Arguments args) {
  if (!args[0].is_str()) return NotStr("removeprefix", 0, args[0]);
  std::string_view text = TextOf(self);
  if (!text.starts_with(TextOf(args[0]))) return self;
  text.remove_prefix(TextOf(args[0]).size());
  return MakeValidStr(host.heap(), std::string(text));
}
Outcome<Value> RemoveSuffix(Host& host, const Value& self, Arguments args) {
  if (!args[0].is_str()) return NotStr("removesuffix", 0, args[0]);
  std::string_view text = TextOf(self);
  if (!text.ends_with(TextOf(args[0]))) return self;
  text.remove_suffix(TextOf(args[0]).size());
  return MakeValidStr(host.heap(), std::string(text));
}

Outcome<Value> Partition(Host& host, const Value& self, Arguments args) {
  ESP_TRY(CheckSeparator(args[0]));
  ESP_TRY(host.StepOver(TextOf(self).size()));
  const std::string_view text = TextOf(self), separator = TextOf(args[0]);
  const std::size_t at = FindText(text, separator);
  if (at == kNotFound) return MakeParts(host, text, "", "");
  return MakeParts(host, text.substr(0, at), separator, text.substr(at + separator.size()));
}
Outcome<Value> RPartition(Host& host, const Value& self, Arguments args) {
  ESP_TRY(CheckSeparator(args[0]));
  ESP_TRY(host.StepOver(TextOf(self).size()));
  const std::string_view text = TextOf(self), separator = TextOf(args[0]);
  const std::size_t at = FindLastText(text, separator);
  if (at == kNotFound) return MakeParts(host, "", "", text);
  return MakeParts(host, text.substr(0, at), separator, text.substr(at + separator.size()));
}

Outcome<Value> Replace(Host& host, const Value& self, Arguments args) {
  for (int i = 0; i < 2; ++i) {
    if (!args[i].is_str()) return NotStr("replace", i + 1, args[i]);
  }
  const std::string_view text = TextOf(self), old_text = TextOf(args[0]), with = TextOf(args[1]);
  ESP_TRY_ASSIGN(std::int64_t limit, IntArgument(args[2], -1));
  const auto most = static_cast<std::int64_t>(text.size()) + 1;
  if (limit < 0 || limit > most) limit = most;
  ESP_TRY_ASSIGN(const auto offsets, FindAll(host, text, old_text, limit));
  if (offsets.empty()) return self;
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(offsets.size()),
                       static_cast<std::int64_t>(with.size())));
  const std::size_t size =
      text.size() + offsets.size() * with.size() - offsets.size() * old_text.size();
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(size)));
  std::string result;
  result.reserve(size);
  std::size_t copied = 0;
  for (const std::size_t at : offsets) {
    result.append(text.substr(copied, at - copied)).append(with);
    copied = at + old_text.size();
  }
  result.append(text.substr(copied));
  return MakeValidStr(host.heap(), std::move(result));
}

Outcome<std::int64_t> IntArgument(const Value& value, std::int64_t absent) {
  if (value.is_unset()) return absent;
  return ToIndex(value);
}

Fault NotStr(std::string_view method, int place, const Value& value) {
  return TypeError(std::string(method) + "() argument " +
                   (place > 0 ? std::to_string(place) + " " : "") + "must be str, not " +
                   std::string(TypeName(value)));
}

}  // namespace espalier::lang::str_methods
