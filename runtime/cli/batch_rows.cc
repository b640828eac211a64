#include "runtime/cli/batch_rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "runtime/cli/json_parts.h"
#include "runtime/cli/read_file.h"
#include "runtime/local/json_text.h"
#include "runtime/local/prompt.h"

namespace espalier {
namespace {

using Rows = std::vector<BatchRow>;

Status Wrong(std::size_t line, std::string_view what) {
  return {Code::kInvalidArgument, fmt::format("line {}: {}", line, what)};
}

// Reads CSV records one by one.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {}

  std::size_t line() const { return line_; }  // where the last record began
  bool at_end() const { return at_ == text_.size(); }

  Result<std::vector<std::string>> NextRecord() {
    line_ = next_line_;
    std::vector<std::string> fields;
    do {
      std::optional<std::string> field = Peek() == '"' ? QuotedField() : PlainField();
      if (!field)
        return Wrong(line_, "a quoted field does not end where a comma or line end is due");
      fields.push_back(std::move(*field));
    } while (Skip(','));
    Skip('\r');
    if (Skip('\n')) ++next_line_;
    return fields;
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Skip(char c) {
    const bool found = at_ < text_.size() && text_[at_] == c;
    if (found) ++at_;
    return found;
  }

  std::optional<std::string> PlainField() {
    std::size_t end = text_.find_first_of(",\n", at_);
    if (end == std::string_view::npos) end = text_.size();
    std::string_view field = text_.substr(at_, end - at_);
    at_ = end;
    if (Peek() != ',' && field.ends_with('\r')) field.remove_suffix(1);
    return std::string(field);
  }

  // nullopt if the closing quote is missing, or something follows it.
  std::optional<std::string> QuotedField() {
    std::string field;
    ++at_;
    while (true) {
      const std::size_t quote = text_.find('"', at_);
      if (quote == std::string_view::npos) return std::nullopt;
      field.append(text_, at_, quote - at_);
      at_ = quote + 1;
      if (!Skip('"')) break;
      field += '"';
    }
    for (const char c : field) next_line_ += c == '\n' ? 1 : 0;
    const char next = Peek();
    const bool ends = at_end() || next == ',' || next == '\n' || next == '\r';
    return ends ? std::optional(std::move(field)) : std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t next_line_ = 1;
};

Status CheckNames(const std::vector<std::string>& names) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (name.empty()) return Wrong(1, "a column has no name");
    if (!seen.insert(name).second) return Wrong(1, fmt::format("two columns named '{}'", name));
  }
  return Status();
}

// A field of CSV as JSON: it is that, or it is a string.
std::string JsonOf(std::string field) {
  if (ParseJson(field).ok()) return field;
  return nlohmann::ordered_json(std::move(field)).dump();
}

}  // namespace

Result<Rows> ParseJsonRows(std::string_view text) {
  Rows rows;
  std::size_t line = 0;
  while (!text.empty()) {
    ++line;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const Result<nlohmann::ordered_json> value = ParseJson(row);
    if (!value.ok()) return Wrong(line, value.status().message());
    if (!value->is_object()) return Wrong(line, "a row is an object of arguments by name");
    ESP_ASSIGN_OR_RETURN(const std::vector<JsonPart> members, ObjectMembers(row));
    BatchRow& arguments = rows.emplace_back();
    std::map<std::string, std::size_t> places;
    for (const JsonPart& member : members) {
      const auto [place, is_new] = places.emplace(member.name, arguments.size());
      if (is_new) arguments.emplace_back(member.name, "");
      arguments[place->second].second = member.value;  // of two of one name, the last
    }
  }
  return rows;
}

Result<Rows> ParseCsvRows(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  CsvReader reader(text);
  if (reader.at_end()) return Rows();
  ESP_ASSIGN_OR_RETURN(const std::vector<std::string> names, reader.NextRecord());
  ESP_RETURN_IF_ERROR(CheckNames(names));
  Rows rows;
  while (!reader.at_end()) {
    ESP_ASSIGN_OR_RETURN(const std::vector<std::string> fields, reader.NextRecord());
    if (fields.size() == 1 && fields.front().empty()) continue;  // an empty line
    if (fields.size() != names.size()) {
      return Wrong(reader.line(),
                   fmt::format("{} fields for {} columns", fields.size(), names.size()));
    }
    BatchRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) row.emplace_back(names[i], JsonOf(fields[i]));
  }
  return rows;
}

Result<Rows> ReadBatchRows(const std::string& path) {
  const bool is_csv = path.ends_with(".csv");
  if (!is_csv && !path.ends_with(".jsonl")) {
    return Status(Code::kInvalidArgument,
                  fmt::format("--batch {}: the name must end in .jsonl or .csv", path));
  }
  ESP_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  ESP_RETURN_IF_ERROR(CheckUtf8(text, path));
  Result<Rows> rows = is_csv ? ParseCsvRows(text) : ParseJsonRows(text);
  if (rows.ok()) return rows;
  return Status(rows.status().code(), fmt::format("{}: {}", path, rows.status().message()));
}

}  // namespace espalier
