#include "runtime/local/json_text.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace espalier {
namespace {

constexpr std::size_t kMaxDepth = 100;

using Json = nlohmann::ordered_json;

// "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ..." without
// its head, and without the line where there is only one.
std::string Reason(const Json::exception& error, std::string_view text) {
  constexpr std::string_view kOnlyLine = "parse error at line 1, ";
  std::string reason = error.what();
  if (const std::size_t head = reason.find("] "); head != std::string::npos) {
    reason.erase(0, head + 2);
  }
  const bool has_lines = text.find('\n') != std::string_view::npos;
  if (!has_lines && reason.starts_with(kOnlyLine)) reason.erase(0, kOnlyLine.size());
  return reason;
}

// The value that the parser's events describe. nlohmann's own builder looks each new key
// up among all earlier ones, one by one: an object of n keys would cost n * n.
class JsonBuilder : public nlohmann::json_sax<Json> {
 public:
  explicit JsonBuilder(std::string_view text) : text_(text) {}

  bool null() override { return Add(nullptr); }
  bool boolean(bool value) override { return Add(value); }
  bool number_integer(number_integer_t value) override { return Add(value); }
  bool number_unsigned(number_unsigned_t value) override { return Add(value); }
  bool number_float(number_float_t value, const string_t& /*spelling*/) override {
    return Add(value);
  }
  bool string(string_t& value) override { return Add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }  // JSON has none
  bool start_object(std::size_t /*size*/) override { return Open(Json::object()); }
  bool start_array(std::size_t /*size*/) override { return Open(Json::array()); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool key(string_t& name) override {
    open_.back().member = &Member(open_.back(), std::move(name));
    return true;
  }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    problem_ = "not JSON: " + Reason(error, text_);
    return false;
  }

  Result<Json> Take(bool is_whole) {
    if (!is_whole) return Status(Code::kInvalidArgument, problem_);
    return std::move(root_);
  }

 private:
  struct Container {
    Json* json;
    Json* member = nullptr;                                    // of an object: what comes next
    std::unordered_map<std::string, std::size_t> places = {};  // of its keys, once they are many
  };

  // A key that comes twice has its last value, at its first place.
  static Json& Member(Container& object, std::string name) {
    constexpr std::size_t kFew = 16;
    auto& members = object.json->get_ref<Json::object_t&>();
    if (members.size() < kFew) return members[name];
    if (object.places.empty()) {
      for (std::size_t i = 0; i < members.size(); ++i)
        object.places.emplace(members.begin()[static_cast<std::ptrdiff_t>(i)].first, i);
    }
    const auto [place, is_new] = object.places.emplace(name, members.size());
    if (is_new) members.emplace_back(std::move(name), nullptr);
    return members.begin()[static_cast<std::ptrdiff_t>(place->second)].second;
  }

  Json& Put(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    Container& container = open_.back();
    if (container.member != nullptr) return *container.member = std::move(value);
    auto& items = container.json->get_ref<Json::array_t&>();
    return items.emplace_back(std::move(value));
  }

  bool Add(Json value) {
    Put(std::move(value));
    return true;
  }

  bool Open(Json container) {
    if (open_.size() == kMaxDepth) {
      problem_ = fmt::format("JSON nested deeper than {}", kMaxDepth);
      return false;
    }
    Json& placed = Put(std::move(container));
    open_.push_back({&placed});
    return true;
  }

  bool Close() {
    open_.pop_back();
    return true;
  }

  const std::string_view text_;
  Json root_;
  std::vector<Container> open_;  // their json stays in place: only the innermost one grows
  std::string problem_;
};

}  // namespace

Result<nlohmann::ordered_json> ParseJson(std::string_view text) {
  JsonBuilder builder(text);
  return builder.Take(Json::sax_parse(text, &builder));
}

}  // namespace espalier
