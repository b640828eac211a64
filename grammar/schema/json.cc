#include "grammar/schema/json.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>
#include <utility>

#include "kernels/base/utf8.h"

namespace espalier {
namespace {

using Kind = Json::Kind;

// Reads characters and tells how far the reader came: nlohmann's events carry no position.
class TrackedChar {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackedChar(const char* at, const char** reached) : at_(at), reached_(reached) {}

  reference operator*() const { return *at_; }
  TrackedChar& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  TrackedChar operator++(int) {
    TrackedChar before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const TrackedChar& a, const TrackedChar& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  const char** reached_;
};

std::string LineAndColumn(std::string_view before) {
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::string_view last = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
  const auto column =
      std::ranges::count_if(last, [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; });
  return "line " + std::to_string(line) + ", column " + std::to_string(std::max(column, 1L));
}

// "unexpected ','; expected string literal" of nlohmann's message, without the token that
// it quotes, which may be long.
std::string Reason(std::string_view message) {
  const std::size_t dash = message.find(" - ");
  if (dash == message.npos) return "not JSON";
  message.remove_prefix(dash + 3);
  return std::string(message.substr(0, message.find("; last read")));
}

constexpr std::size_t kManyMembers = 16;

// Builds the document from nlohmann's events; stops at the first error.
class JsonBuilder {
 public:
  using Parsed = nlohmann::json;

  JsonBuilder(std::string_view text, std::size_t max_depth) : text_(text), max_depth_(max_depth) {
    reached_ = text.data();
  }

  TrackedChar begin() { return {text_.data(), &reached_}; }
  TrackedChar end() { return {text_.data() + text_.size(), &reached_}; }

  Result<Json> Take() && {
    if (error_) return *error_;
    return std::move(root_);
  }

  bool null() { return Add(Kind::kNull) != nullptr; }
  bool boolean(bool value) { return Add(value ? Kind::kTrue : Kind::kFalse) != nullptr; }
  bool number_integer(Parsed::number_integer_t value) { return AddNumber(Decimal(value)); }
  bool number_unsigned(Parsed::number_unsigned_t value) {
    return AddNumber(Decimal::Parse(std::to_string(value)));
  }
  bool number_float(Parsed::number_float_t /*value*/, const std::string& text) {
    return AddNumber(Decimal::Parse(text));
  }
  bool string(std::string& value) {
    Add(Kind::kString)->string = std::move(value);
    return true;
  }
  bool binary(Parsed::binary_t& /*value*/) { return false; }  // never an event of text

  bool start_object(std::size_t /*size*/) { return Open(Kind::kObject); }
  bool start_array(std::size_t /*size*/) { return Open(Kind::kArray); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }
  bool key(std::string& name);
  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::detail::exception& error);

 private:
  struct OpenValue {
    Json* value;
    std::unordered_set<std::string> names;  // of an object with many members
  };

  Json* Add(Kind kind);
  bool AddNumber(std::optional<Decimal> number);
  bool Open(Kind kind);
  bool Close() {
    open_.pop_back();
    return true;
  }
  bool Fail(Code code, const std::string& message) {
    const auto before = static_cast<std::size_t>(reached_ - text_.data());
    error_ = Status(code, LineAndColumn(text_.substr(0, before)) + ": " + message);
    return false;
  }

  std::string_view text_;
  std::size_t max_depth_;
  const char* reached_;
  Json root_;
  // Each is the last child of the one before, so no vector that holds one grows.
  std::vector<OpenValue> open_;
  std::optional<Status> error_;
};

Json* JsonBuilder::Add(Kind kind) {
  Json* added = &root_;
  if (!open_.empty()) {
    Json& parent = *open_.back().value;
    added = parent.kind == Kind::kArray ? &parent.elements.emplace_back()
                                        : &parent.members.back().value;
  }
  added->kind = kind;
  return added;
}

bool JsonBuilder::AddNumber(std::optional<Decimal> number) {
  if (!number) {
    return Fail(Code::kLimit, "a number is beyond the range of a double, or has more than " +
                                  std::to_string(Decimal::kMaxDigits) + " digits");
  }
  Add(Kind::kNumber)->number = std::move(*number);
  return true;
}

bool JsonBuilder::Open(Kind kind) {
  if (open_.size() >= max_depth_) {
    return Fail(Code::kLimit,
                "values are nested deeper than " + std::to_string(max_depth_) + " levels");
  }
  open_.push_back({.value = Add(kind), .names = {}});
  return true;
}

bool JsonBuilder::key(std::string& name) {
  OpenValue& object = open_.back();
  auto& members = object.value->members;
  if (members.size() == kManyMembers) {
    for (const auto& member : members) object.names.insert(member.name);
  }
  const bool is_new = members.size() < kManyMembers ? object.value->Find(name) == nullptr
                                                    : object.names.insert(name).second;
  if (!is_new) {
    return Fail(Code::kInvalidArgument, "the name " + QuotedText(name) + " stands twice");
  }
  members.push_back({.name = std::move(name), .value = {}});
  return true;
}

bool JsonBuilder::parse_error(std::size_t /*position*/, const std::string& /*last_token*/,
                              const nlohmann::detail::exception& error) {
  constexpr int kNumberOverflow = 406;
  if (error.id == kNumberOverflow) {
    return Fail(Code::kLimit, "a number is beyond the range of a double");
  }
  return Fail(Code::kInvalidArgument, Reason(error.what()));
}

std::vector<const JsonMember*> SortedMembers(const Json& object) {
  std::vector<const JsonMember*> sorted;
  sorted.reserve(object.members.size());
  for (const auto& member : object.members) sorted.push_back(&member);
  std::ranges::sort(sorted, {}, [](const auto* member) -> const auto& { return member->name; });
  return sorted;
}

bool ObjectsEqual(const Json& a, const Json& b) {
  if (a.members.size() != b.members.size()) return false;
  return std::ranges::equal(SortedMembers(a), SortedMembers(b), [](const auto* x, const auto* y) {
    return x->name == y->name && JsonEqual(x->value, y->value);
  });
}

void AppendEscaped(std::string_view text, std::string& out) {
  constexpr std::string_view kShort = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  constexpr std::string_view kHex = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (const std::size_t at = kShort.find(c); at != kShort.npos) {
      out += '\\';
      out += kLetters[at];
    } else if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 0xf];
    } else {
      out += c;
    }
  }
}

void AppendQuoted(std::string_view text, std::string& out) {
  out += '"';
  AppendEscaped(text, out);
  out += '"';
}

enum class MemberOrder { kAsWritten, kByName };

void AppendText(const Json& value, MemberOrder order, std::string& out);

void AppendArray(const Json& array, MemberOrder order, std::string& out) {
  out += '[';
  for (std::string_view comma; const Json& element : array.elements) {
    out += std::exchange(comma, ",");
    AppendText(element, order, out);
  }
  out += ']';
}

void AppendObject(const Json& object, MemberOrder order, std::string& out) {
  std::vector<const JsonMember*> members;
  for (const JsonMember& member : object.members) members.push_back(&member);
  if (order == MemberOrder::kByName) members = SortedMembers(object);
  out += '{';
  for (std::string_view comma; const JsonMember* member : members) {
    out += std::exchange(comma, ",");
    AppendQuoted(member->name, out);
    out += ':';
    AppendText(member->value, order, out);
  }
  out += '}';
}

void AppendText(const Json& value, MemberOrder order, std::string& out) {
  switch (value.kind) {
    case Kind::kNull: out += "null"; break;
    case Kind::kFalse: out += "false"; break;
    case Kind::kTrue: out += "true"; break;
    case Kind::kNumber: out += value.number.ToString(); break;
    case Kind::kString: AppendQuoted(value.string, out); break;
    case Kind::kArray: AppendArray(value, order, out); break;
    case Kind::kObject: AppendObject(value, order, out); break;
  }
}

}  // namespace

const Json* Json::Find(std::string_view name) const {
  const auto found = std::ranges::find(
      members, name, [](const auto& member) -> std::string_view { return member.name; });
  return found == members.end() ? nullptr : &found->value;
}

Result<Json> ParseJson(std::string_view text, std::size_t max_depth) {
  JsonBuilder builder(text, max_depth);
  JsonBuilder::Parsed::sax_parse(builder.begin(), builder.end(), &builder);
  return std::move(builder).Take();
}

bool JsonEqual(const Json& a, const Json& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Kind::kNumber: return a.number == b.number;
    case Kind::kString: return a.string == b.string;
    case Kind::kArray: return std::ranges::equal(a.elements, b.elements, JsonEqual);
    case Kind::kObject: return ObjectsEqual(a, b);
    default: return true;
  }
}

std::string JsonText(const Json& value) {
  std::string out;
  AppendText(value, MemberOrder::kAsWritten, out);
  return out;
}

std::string CanonicalText(const Json& value) {
  std::string out;
  AppendText(value, MemberOrder::kByName, out);
  return out;
}

std::string EscapedText(std::string_view text) {
  std::string out;
  AppendEscaped(text, out);
  return out;
}

std::string QuotedText(std::string_view text) {
  constexpr std::size_t kMaxBytes = 80;
  std::string out;
  const bool whole = text.size() <= kMaxBytes;
  if (!whole) text = text.substr(0, ValidUtf8Prefix(text.substr(0, kMaxBytes)));
  AppendQuoted(text, out);
  return whole ? out : out + "...";
}

}  // namespace espalier
