#include "runtime/api/field_names.h"

#include <cctype>

namespace espalier {
namespace {

// Whether `message` begins with the whole word `name`.
bool BeginsWith(const std::string& message, const std::string& name) {
  if (!message.starts_with(name)) return false;
  if (message.size() == name.size()) return true;
  const auto next = static_cast<unsigned char>(message[name.size()]);
  return std::isalnum(next) == 0 && next != '_';
}

}  // namespace

Status InNamesOf(const FieldNames& names, const Status& error) {
  for (const auto& [ours, theirs] : names) {
    if (!BeginsWith(error.message(), ours)) continue;
    return Status(error.code(), theirs + error.message().substr(ours.size()));
  }
  return error;
}

}  // namespace espalier
