// pprint: pprint, pformat, pp, as CPython's PrettyPrinter lays values out: on one line
// where they fit, else an item a line, dicts by sorted keys, long strings in pieces.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/builtins/builtins.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/compare.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/set.h"
#include "frontend_lang/script/values/sort.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

namespace espalier::script {
namespace {

using Values = std::vector<Value>;

struct Layout {
  std::int64_t width = 80, indent = 1;
  std::optional<std::int64_t> depth;
  bool sort_dicts = true, compact = false;
};

std::int64_t LengthOf(std::string_view text) { return NumCodePoints(text); }

class PrettyPrinter {
 public:
  PrettyPrinter(Host& host, const Layout& layout) : host_(host), layout_(layout) {}

  // `indent` columns stand before, `allowance` characters must fit behind.
  Fault Format(const Value& value, std::int64_t indent, std::int64_t allowance, int level);
  std::string Take() { return std::move(out_); }

 private:
  Outcome<std::string> OneLine(const Value& value, int level);
  Outcome<std::string> JoinOneLine(const Values& items, int level);
  Fault FormatDict(const Value& dict, std::int64_t indent, std::int64_t allowance, int level);
  Fault FormatItems(const Values& items, std::int64_t indent, std::int64_t allowance, int level);
  Fault FormatSequence(const Value& value, std::int64_t indent, std::int64_t allowance, int level);
  Fault FormatStr(const Value& value, std::int64_t indent, std::int64_t allowance, int level);
  Outcome<Values> Keys(const lang::Dict& dict);
  Outcome<Values> Ordered(Values items);
  void Write(std::string_view text) { out_ += text; }
  void Blanks(std::int64_t count) {
    out_.append(static_cast<std::size_t>(std::max<std::int64_t>(0, count)), ' ');
  }

  Host& host_;
  const Layout& layout_;
  std::string out_;
};

// Sorted where the items have an order; otherwise by the names of their types.
Outcome<Values> PrettyPrinter::Ordered(Values items) {
  Values sorted = items;
  Fault fault = lang::Sort(host_, sorted, {});
  if (fault.ok()) return sorted;
  if (fault.error().kind == lang::LangError::Kind::kLimit) return fault;
  std::stable_sort(items.begin(), items.end(), [](const Value& a, const Value& b) {
    return lang::TypeName(a) < lang::TypeName(b);
  });
  return items;
}

Outcome<Values> PrettyPrinter::Keys(const lang::Dict& dict) {
  Values keys;
  for (std::size_t at = 0; const auto* entry = dict.EntryAt(at); ++at) keys.push_back(entry->key);
  if (!layout_.sort_dicts || dict.kind() != nullptr) return keys;
  return Ordered(std::move(keys));
}

Outcome<std::string> PrettyPrinter::JoinOneLine(const Values& items, int level) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    ESP_TRY_ASSIGN(const std::string item, OneLine(items[i], level));
    text += (i > 0 ? ", " : "") + item;
    ESP_TRY(host_.Reserve(static_cast<std::int64_t>(text.size())));
  }
  return text;
}

// repr(value) with dicts sorted, and "..." below the depth.
Outcome<std::string> PrettyPrinter::OneLine(const Value& value, int level) {
  ESP_TRY(host_.Step());
  lang::NestedScope scope(host_);
  ESP_TRY(scope.Check());
  const auto* dict = value.If<lang::Dict>();
  const auto* list = value.If<lang::List>();
  const auto* tuple = value.If<lang::Tuple>();
  const bool plain_dict = dict != nullptr && dict->kind() == nullptr;
  if (!plain_dict && list == nullptr && tuple == nullptr) return lang::Repr(host_, value);
  const bool hidden = layout_.depth && level >= *layout_.depth;
  if (plain_dict) {
    if (dict->size() == 0) return std::string("{}");
    if (hidden) return std::string("{...}");
    ESP_TRY_ASSIGN(const Values keys, Keys(*dict));
    std::string text;
    for (const Value& key : keys) {
      ESP_TRY_ASSIGN(const Value* found, dict->Find(host_, key));
      const Value item = found == nullptr ? Value() : *found;
      ESP_TRY_ASSIGN(const std::string key_text, OneLine(key, level + 1));
      ESP_TRY_ASSIGN(const std::string item_text, OneLine(item, level + 1));
      text += (text.empty() ? "" : ", ") + key_text + ": " + item_text;
      ESP_TRY(host_.Reserve(static_cast<std::int64_t>(text.size())));
    }
    return "{" + text + "}";
  }
  const Values items = list != nullptr ? list->items() : tuple->items();
  const std::string open = list != nullptr ? "[" : "(", close = list != nullptr ? "]" : ")";
  if (hidden && !items.empty()) return open + "..." + close;
  ESP_TRY_ASSIGN(const std::string text, JoinOneLine(items, level + 1));
  return open + text + (tuple != nullptr && items.size() == 1 ? "," : "") + close;
}

Fault PrettyPrinter::Format(const Value& value, std::int64_t indent, std::int64_t allowance,
                            int level) {
  lang::NestedScope scope(host_);
  ESP_TRY(scope.Check());
  ESP_TRY(host_.Reserve(static_cast<std::int64_t>(out_.size())));
  ESP_TRY_ASSIGN(const std::string line, OneLine(value, level));
  const bool fits = LengthOf(line) <= layout_.width - indent - allowance;
  const bool hidden = layout_.depth && level >= *layout_.depth;
  if (!fits && !hidden) {
    if (const auto* dict = value.If<lang::Dict>(); dict != nullptr && dict->kind() == nullptr) {
      return FormatDict(value, indent, allowance, level + 1);
    }
    if (value.If<lang::List>() || value.If<lang::Tuple>() || value.If<lang::Set>()) {
      return FormatSequence(value, indent, allowance, level + 1);
    }
    if (value.is_str()) return FormatStr(value, indent, allowance, level + 1);
  }
  Write(line);
  return Fault();
}

Fault PrettyPrinter::FormatDict(const Value& value, std::int64_t indent, std::int64_t allowance,
                                int level) {
  const auto& dict = *value.As<lang::Dict>();
  Write("{");
  if (layout_.indent > 1) Blanks(layout_.indent - 1);
  ESP_TRY_ASSIGN(const Values keys, Keys(dict));
  indent += layout_.indent;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool last = i + 1 == keys.size();
    ESP_TRY_ASSIGN(const std::string key, OneLine(keys[i], level));
    ESP_TRY_ASSIGN(const Value* found, dict.Find(host_, keys[i]));
    const Value item = found == nullptr ? Value() : *found;
    Write(key + ": ");
    ESP_TRY(Format(item, indent + LengthOf(key) + 2, last ? allowance + 1 : 1, level));
    if (last) break;
    Write(",\n");
    Blanks(indent);
  }
  Write("}");
  return Fault();
}

Fault PrettyPrinter::FormatSequence(const Value& value, std::int64_t indent, std::int64_t allowance,
                                    int level) {
  std::string open = "[", close = "]";
  Values items;
  if (const auto* list = value.If<lang::List>()) {
    items = list->items();
  } else if (const auto* tuple = value.If<lang::Tuple>()) {
    items = tuple->items();
    open = "(";
    close = items.size() == 1 ? ",)" : ")";
  } else {
    const auto& set = *value.As<lang::Set>();
    for (std::size_t at = 0; const auto* entry = set.EntryAt(at); ++at) {
      items.push_back(entry->key);
    }
    open = set.frozen() ? "frozenset({" : "{";
    close = set.frozen() ? "})" : "}";
    if (set.frozen()) indent += LengthOf("frozenset(");
    ESP_TRY_ASSIGN(items, Ordered(std::move(items)));
  }
  Write(open);
  ESP_TRY(FormatItems(items, indent, allowance + LengthOf(close), level));
  Write(close);
  return Fault();
}

Fault PrettyPrinter::FormatItems(const Values& items, std::int64_t indent, std::int64_t allowance,
                                 int level) {
  indent += layout_.indent;
  if (layout_.indent > 1) Blanks(layout_.indent - 1);
  const std::string between = ",\n" + std::string(static_cast<std::size_t>(indent), ' ');
  const std::int64_t full = layout_.width - indent + 1;
  std::int64_t room = full;
  std::string separator;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool last = i + 1 == items.size();
    std::int64_t max_width = full - (last ? allowance : 0);
    if (layout_.compact) {
      ESP_TRY_ASSIGN(const std::string line, OneLine(items[i], level));
      const std::int64_t width = LengthOf(line) + 2;
      const std::int64_t limit = last ? std::min(room, room - allowance) : room;
      if (limit < width) {
        room = max_width;
        if (!separator.empty()) separator = between;
      }
      if (room >= width) {
        room -= width;
        Write(separator);
        separator = ", ";
        Write(line);
        continue;
      }
    }
    Write(separator);
    separator = between;
    ESP_TRY(Format(items[i], indent, last ? allowance : 1, level));
  }
  return Fault();
}

// Words with the blanks behind them, as re.findall(r"\S*\s*", line) gives them.
std::vector<std::string_view> Words(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\n\r\v\f";
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const std::size_t blank = std::min(line.find_first_of(kBlanks), line.size());
    const std::size_t end = std::min(line.find_first_not_of(kBlanks, blank), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

Fault PrettyPrinter::FormatStr(const Value& value, std::int64_t indent, std::int64_t allowance,
                               int level) {
  const Value keep = Value::Bool(true);
  ESP_TRY_ASSIGN(const Value lines, lang::CallAttr(host_, value, "splitlines", {{&keep, 1}, {}}));
  if (level == 1) {
    ++indent;
    ++allowance;
  }
  const std::int64_t max_width = layout_.width - indent;
  std::vector<std::string> chunks;
  const auto& all = lines.As<lang::List>()->items();
  for (std::size_t i = 0; i < all.size(); ++i) {
    ESP_TRY(host_.Step());
    const std::string_view line = lang::TextOf(all[i]);
    const std::string whole = lang::ReprStr(line);
    const std::int64_t room = i + 1 == all.size() ? max_width - allowance : max_width;
    if (LengthOf(whole) <= room) {
      chunks.push_back(whole);
      continue;
    }
    const auto words = Words(line);
    std::string current;
    for (std::size_t j = 0; j < words.size(); ++j) {
      ESP_TRY(host_.Step(1 + static_cast<std::int64_t>(current.size()) / 64));
      const std::string candidate = current + std::string(words[j]);
      const bool last = j + 1 == words.size() && i + 1 == all.size();
      if (LengthOf(lang::ReprStr(candidate)) <= max_width - (last ? allowance : 0)) {
        current = candidate;
        continue;
      }
      if (!current.empty()) chunks.push_back(lang::ReprStr(current));
      current = words[j];
    }
    if (!current.empty()) chunks.push_back(lang::ReprStr(current));
  }
  if (chunks.size() == 1) {
    Write(chunks[0]);
    return Fault();
  }
  if (level == 1) Write("(");
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (i > 0) {
      Write("\n");
      Blanks(indent);
    }
    Write(chunks[i]);
  }
  if (level == 1) Write(")");
  return Fault();
}

struct Call {
  Value object, stream;
  Layout layout;
};

Outcome<Call> ReadCall(Host& host, std::string_view function, const Args& args) {
  constexpr std::string_view kNames[] = {"object", "stream",  "indent",     "width",
                                         "depth",  "compact", "sort_dicts", "underscore_numbers"};
  if (args.positional.empty()) {
    return lang::TypeError(std::string(function) +
                           "() missing 1 required positional argument: 'object'");
  }
  const bool has_stream = function != "pformat";
  Call call;
  call.object = args.positional[0];
  const auto set = [&](std::string_view name, const Value& value) -> Fault {
    Layout& layout = call.layout;
    if (name == "stream") {
      call.stream = value;
    } else if (name == "indent") {
      ESP_TRY_ASSIGN(layout.indent, IndexArgument(value));
      if (layout.indent < 0) return lang::ValueError("indent must be >= 0");
    } else if (name == "width") {
      ESP_TRY_ASSIGN(layout.width, IndexArgument(value));
      if (layout.width == 0) return lang::ValueError("width must be != 0");
    } else if (name == "depth" && !value.is_none()) {
      ESP_TRY_ASSIGN(layout.depth, IndexArgument(value));
      if (*layout.depth <= 0) return lang::ValueError("depth must be > 0");
    } else if (name == "compact") {
      ESP_TRY_ASSIGN(layout.compact, lang::Truth(host, value));
    } else if (name == "sort_dicts") {
      ESP_TRY_ASSIGN(layout.sort_dicts, lang::Truth(host, value));
    } else if (std::ranges::find(kNames, name) == std::end(kNames)) {
      return lang::TypeError(std::string(function) + "() got an unexpected keyword argument '" +
                             std::string(name) + "'");
    }
    return Fault();
  };
  constexpr std::int64_t kMost = 100000;
  for (std::size_t i = 1; i < args.positional.size(); ++i) {
    const std::size_t place = has_stream ? i : i + 1;
    if (place >= 5) return lang::TypeError(std::string(function) + "() takes fewer arguments");
    ESP_TRY(set(kNames[place], args.positional[i]));
  }
  for (const lang::Keyword& keyword : args.keywords) ESP_TRY(set(keyword.name, keyword.value));
  call.layout.width = std::clamp(call.layout.width, -kMost, kMost);
  if (call.layout.indent > kMost) return lang::ValueError("indent is too large");
  return call;
}

Outcome<std::string> TextOfCall(Host& host, const Call& call) {
  PrettyPrinter printer(host, call.layout);
  ESP_TRY(printer.Format(call.object, 0, 0, 0));
  return printer.Take();
}

Outcome<Value> PrettyFormat(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const Call call, ReadCall(host, "pformat", args));
  ESP_TRY_ASSIGN(std::string text, TextOfCall(host, call));
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> PrintCall(Host& host, const Call& call) {
  ESP_TRY_ASSIGN(std::string text, TextOfCall(host, call));
  text += '\n';
  ESP_TRY(WriteTo(host, call.stream, std::move(text)));
  return Value();
}

Outcome<Value> PrettyPrint(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const Call call, ReadCall(host, "pprint", args));
  return PrintCall(host, call);
}

// pp: as pprint, with dicts in their own order.
Outcome<Value> PrettyPrintInOrder(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(Call call, ReadCall(host, "pp", args));
  const auto given = std::ranges::find(args.keywords, "sort_dicts", &lang::Keyword::name);
  if (given == args.keywords.end()) call.layout.sort_dicts = false;
  return PrintCall(host, call);
}

}  // namespace

Value MakePprintModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {
      {"pprint", PrettyPrint}, {"pformat", PrettyFormat}, {"pp", PrettyPrintInOrder}};
  return NewModule(machine, "pprint", kFunctions);
}

}  // namespace espalier::script
