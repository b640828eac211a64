#include "frontend_lang/script/machine/error_fields.h"

#include <algorithm>
#include <charconv>
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/bytes/bytes.h"
#include "frontend_lang/script/machine/error_group.h"
#include "frontend_lang/script/values/containers.h"
#include "frontend_lang/script/values/dict.h"
#include "frontend_lang/script/values/repr.h"
#include "frontend_lang/script/values/text/str.h"
#include "kernels/base/utf8.h"

namespace espalier::script {
namespace {

using lang::TypeError;

// A field that is one of the arguments, where there are so many of them.
struct Field {
  std::string_view kind, name;
  std::size_t at;
  std::size_t min_args, max_args;
};
constexpr Field kFields[] = {
    {"OSError", "errno", 0, 2, 5},
    {"OSError", "strerror", 1, 2, 5},
    {"OSError", "filename", 2, 3, 5},
    {"OSError", "filename2", 4, 5, 5},
    {"SyntaxError", "msg", 0, 1, 2},
    {"ImportError", "msg", 0, 1, 1},
    {"UnicodeDecodeError", "encoding", 0, 5, 5},
    {"UnicodeDecodeError", "object", 1, 5, 5},
    {"UnicodeDecodeError", "start", 2, 5, 5},
    {"UnicodeDecodeError", "end", 3, 5, 5},
    {"UnicodeDecodeError", "reason", 4, 5, 5},
    {"UnicodeEncodeError", "encoding", 0, 5, 5},
    {"UnicodeEncodeError", "object", 1, 5, 5},
    {"UnicodeEncodeError", "start", 2, 5, 5},
    {"UnicodeEncodeError", "end", 3, 5, 5},
    {"UnicodeEncodeError", "reason", 4, 5, 5},
};
// Fields that keywords of the call give.
constexpr std::pair<std::string_view, std::string_view> kKeywords[] = {
    {"ImportError", "name"},    {"ImportError", "path"},   {"NameError", "name"},
    {"AttributeError", "name"}, {"AttributeError", "obj"},
};
constexpr std::string_view kPlaceFields[] = {"filename", "lineno",     "offset",
                                             "text",     "end_lineno", "end_offset"};

bool IsOf(const ErrorObject& error, std::string_view kind) {
  return IsSubkind(error.kind().name, kind);
}

// What stands between the last two (or the first two) quotation marks.
std::string_view Quoted(std::string_view text, bool last) {
  const std::size_t end = last ? text.rfind('\'') : text.find('\'', text.find('\'') + 1);
  if (end == text.npos || end == 0) return {};
  const std::size_t begin = text.rfind('\'', end - 1);
  return begin == text.npos ? std::string_view() : text.substr(begin + 1, end - begin - 1);
}

// A name that the operation that raised the error has put into its text.
Value NameInText(Host& host, const ErrorObject& error) {
  if (error.kind().name == "UnboundLocalError") return Value();
  const std::string_view name = Quoted(error.message, !IsOf(error, "NameError"));
  return error.has_message && !name.empty() ? lang::MakeStr(host.heap(), name) : Value();
}

std::int64_t NumberAfter(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  std::int64_t number = 0;
  if (at == text.npos) return 0;
  std::from_chars(text.data() + at + word.size(), text.data() + text.size(), number);
  return number;
}

// "'ascii' codec can't encode characters in position 1-3: reason"
Value CodecField(Host& host, std::string_view text, std::string_view name) {
  const std::size_t colon = text.find(": ");
  if (name == "encoding") return lang::MakeStr(host.heap(), Quoted(text, false));
  if (name == "reason") {
    return lang::MakeStr(host.heap(), colon == text.npos ? text : text.substr(colon + 2));
  }
  const std::int64_t start = NumberAfter(text, "position ");
  if (name == "start") return Value::Int(start);
  const std::size_t dash = text.find('-', text.find("position "));
  const bool one = dash == text.npos || dash > colon;
  if (name == "end") return Value::Int((one ? start : NumberAfter(text.substr(dash), "-")) + 1);
  return Value();
}

// "[Errno 2] No such file or directory: 'a.txt'"
Value SystemField(Host& host, std::string_view text, std::string_view name) {
  if (!text.starts_with("[Errno ")) return Value();
  if (name == "errno") return Value::Int(NumberAfter(text, "[Errno "));
  const std::size_t begin = text.find("] "), colon = text.find(": '", begin);
  if (name == "strerror" && begin != text.npos) {
    return lang::MakeStr(host.heap(), text.substr(begin + 2, colon - begin - 2));
  }
  if (name == "filename" && colon != text.npos) {
    return lang::MakeStr(host.heap(), text.substr(colon + 3, text.size() - colon - 4));
  }
  return Value();
}

Value FieldInText(Host& host, const ErrorObject& error, const Field& field) {
  if (field.name == "msg") return lang::MakeStr(host.heap(), error.message);
  if (field.kind == "OSError") return SystemField(host, error.message, field.name);
  return CodecField(host, error.message, field.name);
}

// Of a SyntaxError: the parts of its second argument.
Value PlaceField(const ErrorObject& error, std::string_view name) {
  const auto* found = std::ranges::find(kPlaceFields, name);
  if (found == std::end(kPlaceFields)) return Value::Unset();
  const auto* place = error.args().size() == 2 ? error.args()[1].If<lang::Tuple>() : nullptr;
  const auto at = static_cast<std::size_t>(found - std::begin(kPlaceFields));
  return place != nullptr && at < place->items().size() ? place->items()[at] : Value();
}

std::string EscapeOf(char32_t c) {
  if (c < 0x100) return fmt::format("\\x{:02x}", static_cast<unsigned>(c));
  return c < 0x10000 ? fmt::format("\\u{:04x}", static_cast<unsigned>(c))
                     : fmt::format("\\U{:08x}", static_cast<unsigned>(c));
}

// The byte or the character at the place, as the text of an error shows it.
std::string ShownAt(const Value& object, std::int64_t at) {
  if (const auto* str = object.If<lang::Str>()) {
    if (at < 0 || at >= str->length()) return "";
    const std::string one(str->Slice(at, at + 1));
    std::size_t offset = 0;
    return fmt::format("character '{}'", EscapeOf(NextCodePoint(one, offset)));
  }
  const auto* bytes = Exactly<Bytes>(object);
  if (bytes == nullptr || at < 0 || at >= static_cast<std::int64_t>(bytes->bytes().size())) {
    return "";
  }
  return fmt::format("byte 0x{:02x}",
                     static_cast<unsigned char>(bytes->bytes()[static_cast<std::size_t>(at)]));
}

Outcome<Value> TextOfCodecError(Host& host, const ErrorObject& error) {
  const std::vector<Value>& args = error.args();
  const bool decodes = error.kind().name == "UnicodeDecodeError";
  if (args.size() != 5 || !args[2].is_int() || !args[3].is_int()) return Value::Unset();
  ESP_TRY_ASSIGN(const std::string encoding, lang::Text(host, args[0]));
  ESP_TRY_ASSIGN(const std::string reason, lang::Text(host, args[4]));
  const std::int64_t start = args[2].as_int(), end = args[3].as_int();
  const std::string one = end - start == 1 ? ShownAt(args[1], start) : "";
  const std::string what =
      one.empty()
          ? fmt::format("{} in position {}-{}", decodes ? "bytes" : "characters", start, end - 1)
          : fmt::format("{} in position {}", one, start);
  return lang::MakeStr(host.heap(), fmt::format("'{}' codec can't {} {}: {}", encoding,
                                                decodes ? "decode" : "encode", what, reason));
}

Outcome<Value> TextOfSystemError(Host& host, const ErrorObject& error) {
  const std::vector<Value>& args = error.args();
  if (args.size() < 2 || args.size() > 5) return Value::Unset();
  ESP_TRY_ASSIGN(const std::string number, lang::Text(host, args[0]));
  ESP_TRY_ASSIGN(const std::string what, lang::Text(host, args[1]));
  std::string text = "[Errno " + number + "] " + what;
  for (const std::size_t at : {std::size_t{2}, std::size_t{4}}) {
    if (at >= args.size() || args[at].is_none()) continue;
    ESP_TRY_ASSIGN(const std::string file, lang::Repr(host, args[at]));
    text += (at == 2 ? ": " : " -> ") + file;
  }
  return lang::MakeStr(host.heap(), std::move(text));
}

Outcome<Value> TextOfSyntaxError(Host& host, const ErrorObject& error) {
  if (error.args().empty()) return lang::MakeStr(host.heap(), std::string("None"));
  ESP_TRY_ASSIGN(std::string text, lang::Text(host, error.args()[0]));
  const Value file = PlaceField(error, "filename"), line = PlaceField(error, "lineno");
  if (line.is_int()) {
    const std::string where =
        file.is_str()
            ? std::string(lang::TextOf(file).substr(lang::TextOf(file).rfind('/') + 1)) + ", "
            : "";
    text += fmt::format(" ({}line {})", where, line.as_int());
  }
  return lang::MakeStr(host.heap(), std::move(text));
}

// JSONDecodeError(msg, doc, pos)
Fault ReadPlace(Host& host, ErrorObject& error, const Args& args) {
  constexpr std::string_view kMissing[] = {"'msg', 'doc', and 'pos'", "'doc' and 'pos'", "'pos'"};
  const std::size_t given = args.positional.size();
  if (given < 3) {
    return TypeError(
        fmt::format("JSONDecodeError.__init__() missing {} required positional "
                    "argument{}: {}",
                    3 - given, given == 2 ? "" : "s", kMissing[given]));
  }
  if (given > 3) {
    return TypeError(
        fmt::format("JSONDecodeError.__init__() takes 4 positional arguments but {} "
                    "were given",
                    given + 1));
  }
  if (!args.positional[1].is_str() || !args.positional[2].is_int()) {
    return TypeError("JSONDecodeError takes a text and a place in it");
  }
  SetPlaceInText(host, error, args.positional[0], args.positional[1], args.positional[2].as_int());
  return Fault();
}

lang::Dict& AttributesOf(Host& host, ErrorObject& error) {
  if (error.attributes.is_none()) error.attributes = host.heap().New<lang::Dict>();
  return *error.attributes.As<lang::Dict>();
}

Fault ReadKeywords(Host& host, ErrorObject& error, const Args& args) {
  for (const lang::Keyword& keyword : args.keywords) {
    const bool known = std::ranges::any_of(kKeywords, [&](const auto& row) {
      return IsOf(error, row.first) && row.second == keyword.name;
    });
    if (!known) return TypeError(std::string(error.TypeName()) + "() takes no keyword arguments");
    AttributesOf(host, error).PutStr(keyword.name, keyword.value);
  }
  return Fault();
}

}  // namespace

Outcome<Value> ErrorField(Host& host, const ErrorObject& error, std::string_view name) {
  const auto* dict = error.attributes.If<lang::Dict>();
  if (const Value* found = dict == nullptr ? nullptr : dict->FindStr(name)) return *found;
  for (const Field& field : kFields) {
    if (field.name != name || !IsOf(error, field.kind)) continue;
    if (error.has_message) return FieldInText(host, error, field);
    const std::size_t given = error.args().size();
    const bool told = given >= field.min_args && given <= field.max_args;
    return told ? error.args()[field.at] : Value();
  }
  for (const auto& [kind, keyword] : kKeywords) {
    if (keyword != name || !IsOf(error, kind)) continue;
    return name == "name" ? NameInText(host, error) : Value();
  }
  return IsOf(error, "SyntaxError") ? PlaceField(error, name) : Value::Unset();
}

Fault ReadErrorArgs(Host& host, ErrorObject& error, const Args& args) {
  ESP_TRY(ReadKeywords(host, error, args));
  if (error.kind().name == "JSONDecodeError") return ReadPlace(host, error, args);
  if (error.kind().name.ends_with("ExceptionGroup")) {
    ESP_TRY(CheckGroup(host, error.kind(), args));
  }
  error.SetArgs({args.positional.begin(), args.positional.end()});
  return Fault();
}

Outcome<Value> TextOfFields(Host& host, const ErrorObject& error) {
  if (IsOf(error, "OSError")) return TextOfSystemError(host, error);
  if (IsOf(error, "SyntaxError")) return TextOfSyntaxError(host, error);
  const std::string_view kind = error.kind().name;
  const bool codec = kind == "UnicodeDecodeError" || kind == "UnicodeEncodeError";
  return codec ? TextOfCodecError(host, error) : Value::Unset();
}

std::size_t NumShownArgs(const ErrorObject& error) {
  const std::size_t given = error.args().size();
  return IsOf(error, "OSError") && given >= 3 && given <= 5 ? 2 : given;
}

void SetPlaceInText(Host& host, ErrorObject& error, const Value& message, const Value& doc,
                    std::int64_t position) {
  const auto& text = *doc.As<lang::Str>();
  const std::int64_t at = std::clamp<std::int64_t>(position, 0, text.length());
  const std::string before(text.Slice(0, at));
  const std::size_t newline = before.rfind('\n');
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::int64_t column =
      NumCodePoints(newline == before.npos ? before : before.substr(newline + 1)) + 1;
  lang::Dict& attributes = AttributesOf(host, error);
  attributes.PutStr("msg", message);
  attributes.PutStr("doc", doc);
  attributes.PutStr("pos", Value::Int(position));
  attributes.PutStr("lineno", Value::Int(line));
  attributes.PutStr("colno", Value::Int(column));
  const std::string what = message.is_str() ? std::string(lang::TextOf(message)) : "";
  error.SetArgs({lang::MakeStr(
      host.heap(), fmt::format("{}: line {} column {} (char {})", what, line, column, position))});
}

}  // namespace espalier::script
